"""Protocol versions: their order, and the one that a handshake settles on."""

import pytest

from mcpcore.protocol.versions import (
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    at_least,
    negotiate,
)
from tests.support.messages import LEGACY, LEGACY_VERSIONS, MODERN, SUPPORTED


@pytest.mark.requirement("version-list")
def test_the_versions_are_told_newest_first_with_both_eras_in_one_list() -> None:
    assert list(SUPPORTED_VERSIONS) == SUPPORTED


def test_a_version_is_of_one_era() -> None:
    assert (HANDSHAKE_VERSIONS, STATELESS_VERSIONS) == (LEGACY_VERSIONS, (MODERN,))


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_a_handshake_version_that_is_spoken_is_agreed_on(version: str) -> None:
    assert negotiate(version) == version


@pytest.mark.requirement("version-agreed")
@pytest.mark.parametrize("version", [MODERN, "2025-11-26", "latest", "", "\ud800"])
def test_any_other_version_is_answered_with_the_latest_that_has_a_handshake(version: str) -> None:
    assert (negotiate(version), LATEST_HANDSHAKE_VERSION) == (LEGACY, LEGACY)


@pytest.mark.parametrize(
    ("version", "since", "expected"),
    [
        ("2024-11-05", "2024-11-05", True),
        ("2024-11-05", "2025-03-26", False),
        ("2025-06-18", "2025-11-25", False),
        ("2025-11-25", "2025-06-18", True),
        (MODERN, "2025-11-25", True),
        (LEGACY, MODERN, False),
    ],
)
def test_versions_are_ordered_by_age(version: str, since: str, expected: bool) -> None:
    assert at_least(version, since) is expected
