"""Protocol versions: their order, and the one that a handshake negotiates."""

import pytest

from mcpcore.protocol.versions import (
    HANDSHAKE_VERSIONS,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    at_least,
    negotiate,
)
from tests.support.messages import LEGACY, LEGACY_VERSIONS, MODERN, SUPPORTED


@pytest.mark.requirement("version-list")
def test_the_versions_of_both_eras_are_listed_newest_first() -> None:
    assert list(SUPPORTED_VERSIONS) == SUPPORTED
    assert (HANDSHAKE_VERSIONS, STATELESS_VERSIONS) == (LEGACY_VERSIONS, (MODERN,))


@pytest.mark.requirement("version-agreed")
@pytest.mark.parametrize(
    ("requested", "negotiated"),
    [
        *((version, version) for version in LEGACY_VERSIONS),
        *((other, LEGACY) for other in (MODERN, "2025-11-26", "latest", "", "\ud800")),
    ],
)
def test_a_handshake_negotiates_the_requested_version_or_the_latest_that_has_one(
    requested: str, negotiated: str
) -> None:
    assert negotiate(requested) == negotiated


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
