"""What the edge hands in with a request, and what a tool may see of it."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from mcpcore.envelope import Envelope
from mcpcore.sessions import SessionId

__all__ = ["Context", "Given"]


_COUNTER: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Given(NamedTuple):
    """What the core does not have of its own: the time, random ids, and the door's own objects.

    `now` is in seconds since the epoch. `event` and `lambda_context` are whatever the door was called
    with; None where there is no such thing.
    """

    now: float
    new_session_id: Callable[[], SessionId]
    session_ttl_seconds: int
    event: object = None
    lambda_context: object = None


class Context:
    """One request as a tool sees it."""

    def __init__(self, envelope: Envelope, given: Given) -> None:
        self.envelope = envelope
        self.given = given
        self.counts: dict[str, int] = {}

    def count(self, name: str, by: int = 1) -> None:
        """Add `by` to the named counter; the edge turns it into a metric of that name.

        Raises:
            ValueError: the name is not made of 1 to 64 lower-case letters, digits and underscores.
        """
        if _COUNTER.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot name a counter: use lower-case letters, digits and _")
        self.counts[name] = self.counts.get(name, 0) + by
