"""A client of the handshake era over plain HTTP: it calls, answers, and comes back for the rest."""

import json
from typing import Any, Final, NamedTuple

from tests.support.exchanges import Reply, Send, Sent, legacy

__all__ = [
    "EVERYTHING",
    "Caller",
    "Event",
    "connect",
    "events",
    "last_id",
    "messages",
    "question_id",
    "text_of",
    "waits",
]

EVERYTHING: Final[dict[str, Any]] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
"""The capabilities of a client that can be asked anything."""


class Event(NamedTuple):
    """A server-sent event; `data` is None where it has no data line."""

    id: str | None
    retry: int | None
    data: str | None


class Caller(NamedTuple):
    """One session, and how it reaches the server."""

    send: Send
    session: str

    def call(self, tool: str, request_id: str | int = 7, **arguments: Any) -> Reply:
        """Call a tool."""
        return self.request("tools/call", request_id, name=tool, arguments=arguments)

    def request(self, method: str, request_id: str | int = 7, **params: Any) -> Reply:
        """Send a request."""
        return self.send(legacy(method, request_id, session=self.session, **params))

    def resume(self, last_event_id: str | None, **headers: str) -> Reply:
        """GET what follows the event of that id; an underscore in a header's name stands for its hyphen."""
        sent = {
            "accept": "text/event-stream",
            "mcp-session-id": self.session,
            "mcp-protocol-version": "2025-11-25",
            **({} if last_event_id is None else {"last-event-id": last_event_id}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return self.send(Sent(b"", sent, "GET"))

    def answer(self, request_id: object, **result: Any) -> Reply:
        """Answer a request of the server's with a result."""
        return self._post({"id": request_id, "result": result})

    def refuse(self, request_id: object, message: str) -> Reply:
        """Answer a request of the server's with an error."""
        return self._post({"id": request_id, "error": {"code": -1, "message": message}})

    def cancel(self, request_id: str | int) -> Reply:
        """Take a request back."""
        return self._post({"method": "notifications/cancelled", "params": {"requestId": request_id}})

    def end(self) -> Reply:
        """End the session."""
        return self.send(Sent(b"", {"mcp-session-id": self.session}, "DELETE"))

    def _post(self, message: dict[str, Any]) -> Reply:
        sent = legacy("", session=self.session)
        return self.send(sent._replace(body=json.dumps({"jsonrpc": "2.0", **message}).encode()))


def connect(send: Send, *, version: str = "2025-11-25", capabilities: dict[str, Any] | None = None) -> Caller:
    """A session of a client that can be asked anything, or that has just these capabilities."""
    reply = send(
        legacy(
            "initialize",
            protocolVersion=version,
            capabilities=EVERYTHING if capabilities is None else capabilities,
            clientInfo={"name": "tests", "version": "1"},
        )
    )
    return Caller(send, reply.headers["mcp-session-id"])


def events(reply: Reply) -> list[Event]:
    """The events of a complete body."""
    assert (reply.status, reply.headers["content-type"]) == (200, "text/event-stream")
    blocks = reply.body.decode().split("\n\n")
    assert blocks.pop() == ""
    return [_event(block) for block in blocks]


def messages(reply: Reply) -> list[Any]:
    """The JSON-RPC messages of a complete body, in order."""
    return [json.loads(event.data) for event in events(reply) if event.data]


def last_id(reply: Reply) -> str:
    """The event id after which a client that has read this body resumes."""
    found = events(reply)[-1].id
    assert found is not None
    return found


def waits(reply: Reply) -> bool:
    """True when the body says nothing but to come back."""
    (event,) = events(reply)
    return bool(event.id and event.retry and event.data == "")


def text_of(message: Any) -> tuple[bool, str]:
    """Whether a tool's result is an error, and its one text."""
    (block,) = message["result"]["content"]
    return message["result"].get("isError", False), block["text"]


def _event(block: str) -> Event:
    fields = {name: value for name, _, value in (line.partition(": ") for line in block.split("\n"))}
    return Event(fields.get("id"), int(fields["retry"]) if "retry" in fields else None, fields.get("data"))


def question_id(asked: Any) -> str:
    """The id of the one request in a body."""
    (question,) = messages(asked)
    found: str = question["id"]
    return found
