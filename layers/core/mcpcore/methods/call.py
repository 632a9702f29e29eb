"""What a method is called with and what it gives back."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mcpcore.context import Context
from mcpcore.definitions import BuiltServer
from mcpcore.envelope import Envelope
from mcpcore.errors import InvalidParams
from mcpcore.jsonrpc import encode
from mcpcore.versions import Era

__all__ = ["Answer", "Call", "constant", "constant_list"]


class Call(NamedTuple):
    """A request that has passed admission."""

    server: BuiltServer
    method: str
    params: Mapping[str, Any]
    envelope: Envelope
    context: Context

    def tool_name(self) -> str:
        """The tool that is called, if it is one of ours; else nothing, so that it can be counted by."""
        name = self.params.get("name") if self.method == "tools/call" else None
        return name if isinstance(name, str) and name in self.server.tools else ""

    def result(self, members: Mapping[str, Any]) -> bytes:
        """A result with these members, and what the era adds to every result."""
        if self.envelope.era is Era.MODERN:
            return encode({**members, **self.server.modern_tail})
        return encode(members)


class Answer(NamedTuple):
    """An encoded result. `failed` marks a tool error, `cause` the exception that it hides from the client."""

    result: bytes
    failed: bool = False
    cause: Exception | None = None


def constant(call: Call) -> Answer:
    """The result that was encoded when the server was built."""
    return Answer(call.server.constants[call.envelope.version, call.method])


def constant_list(call: Call) -> Answer:
    """The one page of a list.

    Raises:
        InvalidParams: a cursor was sent; none was ever given out (spec server/utilities/pagination).
    """
    if "cursor" in call.params:
        raise InvalidParams("Invalid cursor: this list has one page; ask for it without a cursor")
    return constant(call)
