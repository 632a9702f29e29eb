"""What is said of a first request after a snapshot, with the hooks and without them."""

import json

import pytest

from bench.snapstart import Figures, as_markdown, first_requests
from tests.support.exchanges import Handler, LambdaContext


def test_the_table_compares_with_the_hooks_and_without_them() -> None:
    figures = {
        "2026 tools/call": Figures(2.0, 1.0, 24.0, 56.0, 270.0),
        "2025 initialize": Figures(100.0, 7.0, 24.0, 56.0, 280.0),
    }

    assert as_markdown(figures).splitlines()[2:] == [
        "| 2026 tools/call | 2.0 | 1.0 | 0.50 |",
        "| 2025 initialize | 100.0 | 7.0 | 0.07 |",
        "",
        "The hooks take 275 ms; memory before the first request: 24 MB without them, 56 MB with them.",
    ]


@pytest.mark.parametrize("name", first_requests())
def test_each_first_request_is_one_that_is_answered(handler: Handler, name: str) -> None:
    reply = handler(first_requests()[name], LambdaContext())
    answer = json.loads(reply["body"])
    assert (reply["statusCode"], "result" in answer) == (200, True)
