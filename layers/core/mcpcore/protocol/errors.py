"""All errors, as one tree. The message of an error is made from its fields.

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
    ├── TransportError                the HTTP request is refused; there is no request id to answer
    │   ├── OriginRefused
    │   ├── HostRefused
    │   ├── MethodNotAllowed
    │   ├── StreamNotFound            a GET names no stream that can be resumed
    │   ├── NotAcceptable
    │   ├── BodyTooLarge
    │   ├── UnsupportedContentCoding  the body is compressed
    │   └── UnsupportedMediaType
    ├── AuthorizationError            the request may not be answered for who sent it
    │   ├── Unauthorized              it has no credentials, or invalid ones
    │   ├── MalformedAuthorization    its credentials cannot be read
    │   └── InsufficientScope         its principal lacks a scope
    ├── SessionError
    │   ├── SessionMissing
    │   └── SessionUnknown
    ├── TooManyRequests               the client exceeds its request rate
    ├── StoreUnavailable              the session store failed, or what secrets or keys come from
    ├── InternalError                 a fault of the server or of a handler
    │   ├── HandlerCrashed            an exception escaped from a handler
    │   ├── DeadlineExceeded          a handler did not end in time
    │   ├── ReplyTooLarge             the reply does not fit through the transport
    │   ├── TooLargeToStore           a session or an exchange does not fit into the store
    │   └── UnexpectedError           an exception that no other class describes
    └── ToolError                     a tool execution error: a tool's result, else -32602
        ├── NoMatch                   a tool worked, and found nothing
        └── QuestionRefused           the client answered a question with an error
    DefinitionError                   a mistake in a definition, raised by `build`; never sent to a client

`error_map` alone turns them into codes and statuses.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcpcore.protocol.versions import SUPPORTED_VERSIONS

__all__ = [
    "AuthorizationError",
    "BodyTooLarge",
    "DeadlineExceeded",
    "DefinitionError",
    "HandlerCrashed",
    "HeaderMismatch",
    "HostRefused",
    "InsufficientScope",
    "InternalError",
    "InvalidArguments",
    "InvalidEnvelope",
    "InvalidParams",
    "InvalidRequest",
    "MalformedAuthorization",
    "McpError",
    "MethodNotAllowed",
    "MethodNotFound",
    "MissingClientCapability",
    "NoMatch",
    "NotAcceptable",
    "OriginRefused",
    "ParseError",
    "ProtocolError",
    "QuestionRefused",
    "ReplyTooLarge",
    "ResourceNotFound",
    "SessionError",
    "SessionMissing",
    "SessionUnknown",
    "StoreUnavailable",
    "StreamNotFound",
    "TooLargeToStore",
    "TooManyRequests",
    "ToolError",
    "TransportError",
    "Unauthorized",
    "UnexpectedError",
    "UnsupportedContentCoding",
    "UnsupportedMediaType",
    "UnsupportedProtocolVersion",
    "listed",
    "shortened",
]

_QUOTED_CHARACTERS = 100
_FAULTS_LISTED = 10
_FAULT_CHARACTERS = 500


def shortened(text: str, characters: int = _QUOTED_CHARACTERS) -> str:
    """`text`, truncated; by default to the length that an error message quotes of client input."""
    return text if len(text) <= characters else f"{text[:characters]}…"


def listed(faults: Sequence[str], *, more: int = 0) -> str:
    """The first ten faults as one text, each truncated, with the number of those left out.

    `more` is the number of faults that `faults` already leaves out.
    """
    shown = [shortened(fault, _FAULT_CHARACTERS) for fault in faults[:_FAULTS_LISTED]]
    more += len(faults) - len(shown)
    return "; ".join([*shown, f"and {more:,} more"] if more else shown)


class McpError(Exception):
    """An error that ends a request; `message` and `data` are safe to send to the client."""

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
    """The request's era has no such method, or the server does not offer its capability."""

    def __init__(self, method: str, *, hint: str = "") -> None:
        super().__init__(f"Method not found: {shortened(method)}" + (f". {hint}" if hint else ""))
        self.method = method


class InvalidParams(ProtocolError):
    """The params do not fit the method."""


class InvalidEnvelope(InvalidParams):
    """`params` is not an object, or its `_meta` lacks what every modern request carries."""


class InvalidArguments(InvalidParams):
    """The arguments of a tool call break the tool's input schema.

    `faults` has a sentence for each of the first faults, `more` says how many there are besides.
    """

    def __init__(self, tool: str, faults: Sequence[str], *, more: int = 0) -> None:
        self.tool = tool
        self.faults = tuple(faults)
        faults_listed = listed(self.faults, more=more)
        super().__init__(f"Invalid arguments for tool {tool}: {faults_listed}. Correct them and call again.")


class ResourceNotFound(InvalidParams):
    """No resource has this URI."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Resource not found: {shortened(uri)}", {"uri": uri})


class HeaderMismatch(ProtocolError):
    """A header that must repeat a value of the body is missing, malformed or different."""

    def __init__(self, header: str, reason: str) -> None:
        super().__init__(f"Header mismatch: {header} {reason}")
        self.header = header


class UnsupportedProtocolVersion(ProtocolError):
    """A modern request names a version that the server does not support, or only by `initialize`.

    The version that was requested is never listed as supported: a client that reads it there would repeat the
    same request.
    """

    def __init__(self, requested: str) -> None:
        supported = [version for version in SUPPORTED_VERSIONS if version != requested]
        advice = (
            f"Protocol version {requested} has no per-request metadata: use initialize to speak it; supported"
            if requested in SUPPORTED_VERSIONS
            else f"Unsupported protocol version {shortened(requested)}; supported"
        )
        super().__init__(
            f"{advice} are {', '.join(supported)}",
            {"supported": supported, "requested": shortened(requested)},
        )
        self.requested = requested


class MissingClientCapability(ProtocolError):
    """A handler needs a capability that the client has not declared; `required` is a capabilities object."""

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
    """The endpoint does not support the HTTP method, or not for this request."""


class StreamNotFound(TransportError):
    """A GET resumes no stream: none was named, or the one that was named is unknown or complete."""

    def __init__(self) -> None:
        super().__init__("There is no stream to resume from here; POST a message")


class NotAcceptable(TransportError):
    """The client accepts none of the media types that the response could have."""

    def __init__(self, *media_types: str) -> None:
        super().__init__(f"Accept must allow {' or '.join(media_types)}")


class BodyTooLarge(TransportError):
    """The body exceeds the limit."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"The body is larger than the limit of {limit_bytes} bytes")


class UnsupportedContentCoding(TransportError):
    """The body is compressed, or coded in another way (RFC 9110, section 8.4)."""

    def __init__(self) -> None:
        super().__init__("Content-Encoding must be identity: send the body uncompressed")


class UnsupportedMediaType(TransportError):
    """The body is not declared as JSON."""

    def __init__(self) -> None:
        super().__init__("Content-Type must be application/json")


class AuthorizationError(McpError):
    """The request may not be answered for who sent it; the challenge to the client is made from this.

    `code` and `description` are the challenge's `error` and `error_description` (RFC 6750, section 3).
    """

    code = ""

    def __init__(self, message: str, description: str) -> None:
        super().__init__(message)
        self.description = description


class Unauthorized(AuthorizationError):
    """The request has no credentials, or, with a `description`, credentials that are refused."""

    def __init__(self, description: str = "") -> None:
        message = (
            f"The access token is refused: {description}" if description else "An access token is needed"
        )
        super().__init__(message, description)
        self.code = "invalid_token" if description else ""


class MalformedAuthorization(AuthorizationError):
    """The Authorization header cannot be read."""

    code = "invalid_request"

    def __init__(self, description: str) -> None:
        super().__init__(f"The Authorization header cannot be read: {description}", description)


class InsufficientScope(AuthorizationError):
    """The principal lacks one of the `scopes`, which are all that the request needs."""

    code = "insufficient_scope"

    def __init__(self, scopes: Iterable[str]) -> None:
        self.scopes = frozenset(scopes)
        description = f"This needs an access token with the scope {' '.join(sorted(self.scopes))}"
        super().__init__(description, description)


class SessionError(McpError):
    """A legacy request has no live session."""

    def __init__(self, reason: str) -> None:
        super().__init__("Server not initialized. Call initialize first.", {"reason": reason})


class SessionMissing(SessionError):
    """The request names no session; `advice` says what the transport needs to name one."""

    def __init__(self, advice: str = "") -> None:
        super().__init__(f"The request is in no session{advice and f'; {advice}'}")


class SessionUnknown(SessionError):
    """The session id is unknown, expired or ended; the client does not learn which."""

    def __init__(self) -> None:
        super().__init__("The session is unknown, expired or ended; initialize again without a session id")


class TooManyRequests(McpError):
    """The client has sent more requests than its limit, or opened more sessions."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"Too many requests; try again in {retry_after_seconds} seconds")
        self.retry_after_seconds = retry_after_seconds


class StoreUnavailable(McpError):
    """The session store failed, or what `what` names. `reason` is for the log; clients never see it."""

    def __init__(self, reason: str = "", *, retry_after_seconds: int = 1, what: str = "Sessions") -> None:
        super().__init__(f"{what} are unavailable at the moment; try again shortly")
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds


class InternalError(McpError):
    """A fault of the server. `reason` is a sentence for the log; clients see `message` alone."""

    def __init__(self, reason: str = "", *, message: str = "Internal error") -> None:
        super().__init__(message)
        self.reason = reason


class HandlerCrashed(InternalError):
    """An exception escaped from a handler; it is the `__cause__`. A tool's becomes a tool execution error."""


class DeadlineExceeded(InternalError):
    """A handler was stopped because it did not end within `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(message=f"Not done within {seconds:g} seconds; try again, or ask for less")
        self.seconds = seconds


class ReplyTooLarge(InternalError):
    """The reply to a request is larger than the transport can send; a retry would fail again."""

    def __init__(self, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            f"a reply of {size_bytes} bytes was replaced by an error",
            message=f"The result is too large to send: {size_bytes:,} bytes of at most {limit_bytes:,}. "
            "Ask for less",
        )


class TooLargeToStore(InternalError):
    """A session or an exchange is larger than the store accepts; a retry would fail again."""

    def __init__(self, size_bytes: int | None, limit_bytes: int) -> None:
        needed = "more" if size_bytes is None else size_bytes
        super().__init__(
            message=f"Between two requests at most {limit_bytes} bytes can be kept, and this needs {needed}; "
            "ask for less"
        )


class UnexpectedError(InternalError):
    """An exception that no other class of this tree describes; it is the `__cause__`."""


class ToolError(McpError):
    """A tool execution error: its text tells the model what to do differently.

    `meta` are members of the result's `_meta`, as in `ToolResult`.
    """

    def __init__(
        self, message: str, data: Mapping[str, Any] | None = None, *, meta: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message, data)
        self.meta = meta


class NoMatch(ToolError):
    """A tool worked, and found nothing: an answer like any other, which log and metrics count as no error."""


class QuestionRefused(ToolError):
    """The client refused a question; a tool may catch this and go on without the answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The client refused to answer: {shortened(reason)}")


class DefinitionError(Exception):
    """A server cannot be built: `where` names the definition, `problem` says what is wrong with it."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem
