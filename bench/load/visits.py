"""What a client does at a visit, in each era, and the books of the sessions that clients have.

A visit knows neither what drives it nor how its requests are carried.
"""

import json
import random
from collections.abc import Callable
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL, request
from tests.support.http_api import event

__all__ = ["Books", "Reply", "Send", "Visits", "Wrong"]


class Reply(NamedTuple):
    """A reply, its headers by names in lower case."""

    status: int
    headers: dict[str, str]
    body: str


Send: TypeAlias = Callable[[str, dict[str, Any]], Reply]
"""Sends a request, which has a name in the figures, and gives the reply."""


class Wrong(Exception):
    """A reply is not what the client was due."""


class Books:
    """The sessions that clients opened: those that are `open` and idle, and those that they `ended`."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.ended: list[str] = []
        self._opened: set[str] = set()

    def enter(self, session: str) -> None:
        """Note a new session, which its client uses first.

        Raises:
            Wrong: there was one of this id before.
        """
        if session in self._opened:
            raise Wrong(f"the session {session} was given to two clients")
        self._opened.add(session)


class Visits:
    """The visits of clients that share `books` and send with `send`; a `bare` handler repeats no ids."""

    def __init__(self, send: Send, books: Books, queries: list[str], *, bare: bool = False) -> None:
        self._send = send
        self._books = books
        self._queries = queries
        self._bare = bare
        self._numbers = count(1)

    def modern(self) -> None:
        """A client of 2026-07-28: three requests."""
        for kind in ("2026 server/discover", "2026 tools/list", CALL):
            self._ask(kind)

    def in_new_session(self) -> None:
        """A client of 2025-11-25 that opens a session, uses it, and ends it every other time."""
        session = self._ask(INITIALIZE).headers["mcp-session-id"]
        self._books.enter(session)
        for kind in ("2025 tools/list", LEGACY_CALL, "2025 ping"):
            self._ask(kind, session)
        if next(self._numbers) % 2:
            self._books.open.append(session)
        else:
            self._end(session)
            self._books.ended.append(session)

    def in_old_session(self) -> None:
        """A client that comes back to one of the open sessions, if there is one that nobody else uses."""
        if not self._books.open:
            return self.in_new_session()
        session = self._books.open.pop(random.randrange(len(self._books.open)))
        self._ask(LEGACY_CALL, session)
        self._books.open.append(session)
        return None

    def look_up(self) -> None:
        """Every open session is there, and no ended one."""
        for session in self._books.open:
            self._ask("2025 ping", session)
        for session in self._books.ended:
            self._expect(404, self._send("2025 ping, ended", _in(session, request("2025 ping"))))

    def _ask(self, kind: str, session: str | None = None) -> Reply:
        number = 1 if self._bare else next(self._numbers)
        made = request(kind)
        message = json.loads(made["body"]) | {"id": number}
        if kind in (CALL, LEGACY_CALL):
            message["params"]["arguments"]["query"] = random.choice(self._queries)
        made["body"] = json.dumps(message)
        reply = self._send(kind, made if session is None else _in(session, made))
        self._expect(200, reply)
        answer = json.loads(reply.body)
        if answer.get("id") != number or "result" not in answer:
            raise Wrong(f"{kind} number {number} was answered {reply.body[:300]}")
        return reply

    def _end(self, session: str) -> None:
        made = event(None, {"mcp-session-id": session}, method="DELETE")
        if (reply := self._send("2025 end", made)).status not in _ENDED:
            raise Wrong(f"the session {session} was not ended: {reply}")

    def _expect(self, status: int, reply: Reply) -> None:
        if reply.status != status:
            raise Wrong(f"{status} was due, and the reply is {reply}")


_ENDED: Final = (200, 204)


def _in(session: str, made: dict[str, Any]) -> dict[str, Any]:
    return made | {"headers": made["headers"] | {"mcp-session-id": session}}
