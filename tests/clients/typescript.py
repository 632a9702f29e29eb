"""The TypeScript clients by name, and what each has in common with the others of its era."""

from typing import Any, Final

import pytest

__all__ = [
    "HANDSHAKE",
    "PINNED",
    "STATELESS",
    "VERSIONS",
    "error",
    "every_client",
    "every_handshake_client",
    "exchanges",
]

HANDSHAKE: Final = ("sdk-v1", "client-v2-legacy")
STATELESS: Final = "client-v2-auto"
PINNED: Final = "client-v2-pinned"

every_client: Final = pytest.mark.parametrize("client", [*HANDSHAKE, STATELESS])
every_handshake_client: Final = pytest.mark.parametrize("client", HANDSHAKE)

VERSIONS: Final = dict.fromkeys(HANDSHAKE, "2025-11-25") | dict.fromkeys((STATELESS, PINNED), "2026-07-28")


def exchanges(client: str, *between: str) -> list[str]:
    """What goes over the wire, from the first message to the last, with `between` in the middle."""
    if VERSIONS[client] == "2026-07-28":
        return ["server/discover → 200", *between]
    opening = ["initialize → 200", "notifications/initialized → 202", "listen → 405"]
    return [*opening, *between, "end → 200"]


def error(client: str, code: int | str, message: str, **data: Any) -> dict[str, Any]:
    """An error as the client throws it."""
    words = f"MCP error {code}: {message}" if client == "sdk-v1" else message
    return {"error": {"code": code, "message": words} | ({"data": data} if data else {})}
