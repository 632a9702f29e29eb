"""A small registry whose curator keeps a log, in two states; anyone could make its keys."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.registries import a_category
from threegood.trust.log import Log, updated
from threegood.trust.log_checks import Published, Seen, verify_log
from threegood.trust.private_keys import FileSigner
from threegood.trust.tiles import tiles_of

CURATOR: Final = FileSigner(Ed25519PrivateKey.from_private_bytes(bytes(32)))
STRANGER: Final = FileSigner(Ed25519PrivateKey.from_private_bytes(b"\1" * 32))
ORIGIN: Final = "example.com/log"
NOW: Final = datetime(2026, 11, 22, 12, tzinfo=UTC)
LATER: Final = NOW + timedelta(days=1)


def a_registry_content(*slugs: str, pubkey: str = str(CURATOR.public), **changes: Any) -> dict[str, Any]:
    """The content of a registry file with these categories."""
    return {
        "version": "1.0.0",
        "updated": "2026-11-22",
        "curator": {"name": "Ada", "pubkey": pubkey},
        "endorsements": [],
        "categories": {slug: a_category(slug.title()) for slug in slugs},
        **changes,
    }


FIRST: Final = a_registry_content("apples", "bread")
SECOND: Final = a_registry_content("apples", "cheese")
LOG: Final = updated(None, FIRST, signer=CURATOR, now=NOW, origin=ORIGIN)
GROWN: Final = updated(LOG, SECOND, signer=CURATOR, now=LATER)


def published(log: Log, registry: dict[str, Any]) -> Published:
    """The log as a node serves it."""
    return Published(log.lines, log.checkpoint, tiles_of(log.lines), registry)


def head_of(log: Log, registry: dict[str, Any]) -> Seen:
    """What a verifier remembers of a sound log."""
    verified = verify_log(published(log, registry), now=LATER)
    assert verified.failures == ()
    assert verified.head is not None
    return verified.head
