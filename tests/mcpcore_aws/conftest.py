"""Powertools as Lambda has it, for every test of the edge."""

import pytest

from tests.support.adapters import fresh_log


@pytest.fixture(autouse=True)
def _log_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh_log(monkeypatch)
