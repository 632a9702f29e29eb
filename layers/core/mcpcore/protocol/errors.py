"""Everything that can go wrong, as one tree. The sentence of an error is made from its fields.

    McpError
    ├── ProtocolError                 the message breaks JSON-RPC or the protocol
    │   ├── ParseError
    │   ├── InvalidRequest
    │   ├── MethodNotFound
    │   ├── InvalidParams
    │   │   ├── InvalidEnvelope       params or its `_meta` cannot be read at all
    │   │   ├── ResourceNotFound
    │   │   └── InvalidArguments      a tool's arguments break its schema
    │   ├── HeaderMismatch
    │   ├── UnsupportedProtocolVersion
    │   └── MissingClientCapability
    ├── TransportError                the HTTP request is refused before its message is read
    │   ├── OriginRefused
    │   ├── HostRefused
    │   ├── MethodNotAllowed
    │   ├── NotAcceptable
    │   ├── BodyTooLarge
    │   └── UnsupportedMediaType
    ├── SessionError
    │   ├── SessionMissing
    │   └── SessionUnknown
    ├── StoreUnavailable
    ├── InternalError
    │   ├── DeadlineExceeded          the work was not done in time
    │   └── UnexpectedError           not even we know what happened
    └── ToolError                     a tool says no: a result, never a JSON-RPC error
        └── QuestionRefused                the client answered a question with an error
    DefinitionError                   the engineer's mistake, found at build; never on the wire

`errormap` alone turns them into codes and statuses.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mcpcore.protocol.versions import SUPPORTED_VERSIONS

__all__ = [
    "BodyTooLarge",
    "DeadlineExceeded",
    "DefinitionError",
    "HeaderMismatch",
    "HostRefused",
    "InternalError",
    "InvalidArguments",
    "InvalidEnvelope",
    "InvalidParams",
    "InvalidRequest",
    "McpError",
    "MethodNotAllowed",
    "MethodNotFound",
    "MissingClientCapability",
    "NotAcceptable",
    "OriginRefused",
    "ParseError",
    "ProtocolError",
    "QuestionRefused",
    "ResourceNotFound",
    "SessionError",
    "SessionMissing",
    "SessionUnknown",
    "StoreUnavailable",
    "ToolError",
    "TransportError",
    "UnexpectedError",
    "UnsupportedMediaType",
    "UnsupportedProtocolVersion",
    "shortened",
]

_QUOTED_CHARACTERS = 100


def shortened(text: str) -> str:
    """`text`, cut to what an error may quote of a client's words."""
    return text if len(text) <= _QUOTED_CHARACTERS else text[:_QUOTED_CHARACTERS] + "…"


class McpError(Exception):
    """An end of a request that is told to the client: `message` and `data` are safe to send."""

    def __init__(self, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class ProtocolError(McpError):
    """The message breaks JSON-RPC 2.0 or the protocol."""


class ParseError(ProtocolError):
    """The body is not one JSON text in UTF-8 (RFC 8259)."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Parse error: {reason}")


class InvalidRequest(ProtocolError):
    """The JSON is not one JSON-RPC 2.0 message (JSON-RPC 2.0, sections 4 and 5)."""


class MethodNotFound(ProtocolError):
    """No such method in the request's era, or its capability is not offered."""

    def __init__(self, method: str, *, hint: str = "") -> None:
        super().__init__(f"Method not found: {shortened(method)}" + (f". {hint}" if hint else ""))
        self.method = method


class InvalidParams(ProtocolError):
    """The params do not fit the method."""


class InvalidEnvelope(InvalidParams):
    """`params` is not an object, or its `_meta` lacks what every modern request carries."""


class InvalidArguments(InvalidParams):
    """The arguments of a tool call break the tool's input schema; `faults` has a sentence for each."""

    def __init__(self, tool: str, faults: Sequence[str]) -> None:
        self.tool = tool
        self.faults = tuple(faults)
        super().__init__(
            f"Invalid arguments for tool {tool}: {'; '.join(self.faults)}. Correct them and call again."
        )


class ResourceNotFound(InvalidParams):
    """There is nothing under this URI."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Resource not found: {shortened(uri)}", {"uri": uri})


class HeaderMismatch(ProtocolError):
    """A mirrored header is missing, malformed, or says something else than the body."""

    def __init__(self, header: str, reason: str) -> None:
        super().__init__(f"Header mismatch: {header} {reason}")
        self.header = header


class UnsupportedProtocolVersion(ProtocolError):
    """A modern request names a version that is not spoken here."""

    def __init__(self, requested: str) -> None:
        supported = list(SUPPORTED_VERSIONS)
        super().__init__(
            f"Unsupported protocol version {shortened(requested)}; supported are {', '.join(supported)}",
            {"supported": supported, "requested": requested},
        )
        self.requested = requested


class MissingClientCapability(ProtocolError):
    """The work needs a capability that the client has not declared; `required` is a capabilities object."""

    def __init__(self, required: Mapping[str, Any]) -> None:
        super().__init__(
            f"This needs a client that declares the capability {', '.join(sorted(required))}",
            {"requiredCapabilities": dict(required)},
        )
        self.required = required


class TransportError(McpError):
    """The HTTP request is refused before its message is read, so no request id is known."""


class OriginRefused(TransportError):
    """The `Origin` header names a web page that may not call this server."""

    def __init__(self) -> None:
        super().__init__("This Origin is not allowed to call the server")


class HostRefused(TransportError):
    """The `Host` header does not name this server."""

    def __init__(self) -> None:
        super().__init__("This Host is not served here")


class MethodNotAllowed(TransportError):
    """The HTTP method is not served; `allowed` are the ones that are."""

    def __init__(self, reason: str, allowed: Sequence[str]) -> None:
        super().__init__(reason)
        self.allowed = tuple(allowed)


class NotAcceptable(TransportError):
    """The client accepts neither form of answer."""

    def __init__(self) -> None:
        super().__init__("Accept must allow application/json or text/event-stream")


class BodyTooLarge(TransportError):
    """The body exceeds the limit."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"The body is larger than the limit of {limit_bytes} bytes")


class UnsupportedMediaType(TransportError):
    """The body is not declared as JSON."""

    def __init__(self) -> None:
        super().__init__("Content-Type must be application/json")


class SessionError(McpError):
    """A legacy request stands outside a live session."""

    def __init__(self, reason: str) -> None:
        super().__init__("Server not initialized. Call initialize first.", {"reason": reason})


class SessionMissing(SessionError):
    """The request names no session."""

    def __init__(self) -> None:
        super().__init__(
            "The request is in no session; over HTTP, send the Mcp-Session-Id that initialize answered with"
        )


class SessionUnknown(SessionError):
    """The session id is unknown, expired or ended; which of them is nobody's business."""

    def __init__(self) -> None:
        super().__init__("The session is unknown, expired or ended; initialize again without a session id")


class StoreUnavailable(McpError):
    """The session store did not answer."""

    def __init__(self, *, retry_after_seconds: int = 1) -> None:
        super().__init__("Sessions are unavailable at the moment; try again shortly")
        self.retry_after_seconds = retry_after_seconds


class InternalError(McpError):
    """A fault of ours; the cause goes to the log, never to the client."""

    def __init__(self) -> None:
        super().__init__("Internal error")


class DeadlineExceeded(InternalError):
    """The work took longer than it may; it was given up before the gateway would have."""

    def __init__(self, seconds: float) -> None:
        McpError.__init__(self, f"Not done within {seconds:g} seconds; try again, or ask for less")


class UnexpectedError(InternalError):
    """An exception that nothing had foreseen; the edge's last resort."""


class ToolError(McpError):
    """A tool's own no, in words that a model can act on."""


class QuestionRefused(ToolError):
    """The client refused a question; a tool may catch this and go on without the answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The client refused to answer: {shortened(reason)}")


class DefinitionError(Exception):
    """A server cannot be built as defined: `where` names the definition, `problem` what is wrong."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem
