"""The one table from errors to JSON-RPC codes, HTTP statuses, and `error` and `outcome` of the log."""

import enum
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore.protocol import errors
from mcpcore.protocol.jsonrpc import NoId, RequestId, error_bytes
from mcpcore.protocol.versions import Era

__all__ = ["ROWS", "ErrorKind", "ErrorReply", "OutcomeKind", "Row", "encode_error", "reply_to", "row_of"]


class OutcomeKind(enum.Enum):
    """The outcomes of a request that log and metrics distinguish."""

    OK = "ok"
    REFUSED = "refused"
    """The client's mistake: a protocol, transport or session error."""
    THROTTLED = "throttled"
    """The client exceeded its request rate."""
    TOOL_ERROR = "tool_error"
    """A tool execution error that the tool raised, arguments that break its schema, or too much of them."""
    NO_MATCH = "no_match"
    """A tool found nothing: the client reads a tool error, and operators an ordinary answer."""
    CRASH = "crash"
    """An exception escaped from a handler."""
    DEADLINE = "deadline"
    INTERNAL_ERROR = "internal_error"
    STORE_UNAVAILABLE = "store_unavailable"


class ErrorKind(enum.StrEnum):
    """Which error a request ended with; operators filter by these values, so they stay."""

    PARSE_ERROR = "ParseError"
    INVALID_REQUEST = "InvalidRequest"
    METHOD_NOT_FOUND = "MethodNotFound"
    INVALID_PARAMS = "InvalidParams"
    INVALID_ENVELOPE = "InvalidEnvelope"
    INVALID_ARGUMENTS = "InvalidArguments"
    RESOURCE_NOT_FOUND = "ResourceNotFound"
    HEADER_MISMATCH = "HeaderMismatch"
    MISSING_CLIENT_CAPABILITY = "MissingClientCapability"
    UNSUPPORTED_PROTOCOL_VERSION = "UnsupportedProtocolVersion"
    ORIGIN_REFUSED = "OriginRefused"
    HOST_REFUSED = "HostRefused"
    METHOD_NOT_ALLOWED = "MethodNotAllowed"
    STREAM_NOT_FOUND = "StreamNotFound"
    NOT_ACCEPTABLE = "NotAcceptable"
    BODY_TOO_LARGE = "BodyTooLarge"
    UNSUPPORTED_CONTENT_CODING = "UnsupportedContentCoding"
    UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType"
    UNAUTHORIZED = "Unauthorized"
    MALFORMED_AUTHORIZATION = "MalformedAuthorization"
    INSUFFICIENT_SCOPE = "InsufficientScope"
    SESSION_MISSING = "SessionMissing"
    SESSION_UNKNOWN = "SessionUnknown"
    TOO_MANY_REQUESTS = "TooManyRequests"
    STORE_UNAVAILABLE = "StoreUnavailable"
    HANDLER_CRASHED = "HandlerCrashed"
    DEADLINE_EXCEEDED = "DeadlineExceeded"
    REPLY_TOO_LARGE = "ReplyTooLarge"
    TOO_LARGE_TO_STORE = "TooLargeToStore"
    INTERNAL_ERROR = "InternalError"
    UNEXPECTED_ERROR = "UnexpectedError"
    TOOL_ERROR = "ToolError"
    NO_MATCH = "NoMatch"
    QUESTION_REFUSED = "QuestionRefused"
    MCP_ERROR = "McpError"


class Row(NamedTuple):
    """Kind and JSON-RPC code of an error, the HTTP status that carries it in each era, and its outcome.

    `legacy_code` is set where the legacy era has another code.
    """

    error: ErrorKind
    code: int
    legacy: int
    modern: int
    legacy_code: int | None = None
    outcome: OutcomeKind = OutcomeKind.REFUSED


class ErrorReply(NamedTuple):
    """Code, message and data of an error response, and its HTTP status."""

    code: int
    message: str
    data: Mapping[str, Any] | None
    status: int


# A class that is not listed has the row of its nearest listed ancestor. A plain -32602 has status 200:
# clients that support both eras take a bare 400 with -32602 as the sign of a legacy server.
ROWS: Final[Mapping[type[errors.McpError], Row]] = {
    errors.ParseError: Row(ErrorKind.PARSE_ERROR, -32700, 400, 400),
    errors.InvalidRequest: Row(ErrorKind.INVALID_REQUEST, -32600, 400, 400),
    errors.MethodNotFound: Row(ErrorKind.METHOD_NOT_FOUND, -32601, 200, 404),
    errors.InvalidParams: Row(ErrorKind.INVALID_PARAMS, -32602, 200, 200),
    errors.InvalidEnvelope: Row(ErrorKind.INVALID_ENVELOPE, -32602, 400, 400),
    errors.InvalidArguments: Row(ErrorKind.INVALID_ARGUMENTS, -32602, 200, 200),
    errors.ResourceNotFound: Row(ErrorKind.RESOURCE_NOT_FOUND, -32602, 200, 200, legacy_code=-32002),
    errors.HeaderMismatch: Row(ErrorKind.HEADER_MISMATCH, -32020, 400, 400),
    errors.MissingClientCapability: Row(ErrorKind.MISSING_CLIENT_CAPABILITY, -32021, 400, 400),
    errors.UnsupportedProtocolVersion: Row(ErrorKind.UNSUPPORTED_PROTOCOL_VERSION, -32022, 400, 400),
    errors.OriginRefused: Row(ErrorKind.ORIGIN_REFUSED, -32600, 403, 403),
    errors.HostRefused: Row(ErrorKind.HOST_REFUSED, -32600, 403, 403),
    errors.MethodNotAllowed: Row(ErrorKind.METHOD_NOT_ALLOWED, -32600, 405, 405),
    errors.StreamNotFound: Row(ErrorKind.STREAM_NOT_FOUND, -32600, 405, 405),
    errors.NotAcceptable: Row(ErrorKind.NOT_ACCEPTABLE, -32600, 406, 406),
    errors.BodyTooLarge: Row(ErrorKind.BODY_TOO_LARGE, -32600, 413, 413),
    errors.UnsupportedContentCoding: Row(ErrorKind.UNSUPPORTED_CONTENT_CODING, -32600, 415, 415),
    errors.UnsupportedMediaType: Row(ErrorKind.UNSUPPORTED_MEDIA_TYPE, -32600, 415, 415),
    errors.Unauthorized: Row(ErrorKind.UNAUTHORIZED, -32600, 401, 401),
    errors.MalformedAuthorization: Row(ErrorKind.MALFORMED_AUTHORIZATION, -32600, 400, 400),
    errors.InsufficientScope: Row(ErrorKind.INSUFFICIENT_SCOPE, -32600, 403, 403),
    errors.SessionMissing: Row(ErrorKind.SESSION_MISSING, -32002, 400, 400),
    errors.SessionUnknown: Row(ErrorKind.SESSION_UNKNOWN, -32002, 404, 404),
    errors.TooManyRequests: Row(ErrorKind.TOO_MANY_REQUESTS, -32603, 429, 429, outcome=OutcomeKind.THROTTLED),
    errors.StoreUnavailable: Row(
        ErrorKind.STORE_UNAVAILABLE, -32603, 503, 503, outcome=OutcomeKind.STORE_UNAVAILABLE
    ),
    errors.HandlerCrashed: Row(ErrorKind.HANDLER_CRASHED, -32603, 200, 200, outcome=OutcomeKind.CRASH),
    errors.DeadlineExceeded: Row(ErrorKind.DEADLINE_EXCEEDED, -32603, 200, 200, outcome=OutcomeKind.DEADLINE),
    errors.ReplyTooLarge: Row(
        ErrorKind.REPLY_TOO_LARGE, -32603, 200, 200, outcome=OutcomeKind.INTERNAL_ERROR
    ),
    # No fault of the server: any client can send large arguments, and would set off the alarm.
    errors.TooLargeToStore: Row(
        ErrorKind.TOO_LARGE_TO_STORE, -32603, 200, 200, outcome=OutcomeKind.TOOL_ERROR
    ),
    errors.InternalError: Row(ErrorKind.INTERNAL_ERROR, -32603, 200, 200, outcome=OutcomeKind.INTERNAL_ERROR),
    errors.UnexpectedError: Row(
        ErrorKind.UNEXPECTED_ERROR, -32603, 500, 500, outcome=OutcomeKind.INTERNAL_ERROR
    ),
    # Raised by a prompt or a resource: their results cannot carry an error as a tool's result can.
    errors.ToolError: Row(ErrorKind.TOOL_ERROR, -32602, 200, 200, outcome=OutcomeKind.TOOL_ERROR),
    errors.NoMatch: Row(ErrorKind.NO_MATCH, -32602, 200, 200, outcome=OutcomeKind.NO_MATCH),
    errors.QuestionRefused: Row(ErrorKind.QUESTION_REFUSED, -32602, 200, 200, outcome=OutcomeKind.TOOL_ERROR),
    errors.McpError: Row(ErrorKind.MCP_ERROR, -32603, 200, 200, outcome=OutcomeKind.INTERNAL_ERROR),
}


def row_of(error: errors.McpError) -> Row:
    """The row of the error's class, or of its nearest ancestor that has one."""
    return next(ROWS[ancestor] for ancestor in type(error).__mro__ if ancestor in ROWS)


def reply_to(error: errors.McpError, era: Era | None) -> ErrorReply:
    """The reply to `error`; a request of unknown era is answered as a legacy one."""
    row = row_of(error)
    if era is Era.MODERN:
        return ErrorReply(row.code, error.message, error.data, row.modern)
    return ErrorReply(row.legacy_code or row.code, error.message, error.data, row.legacy)


def encode_error(error: errors.McpError, request_id: RequestId | NoId, era: Era | None) -> bytes:
    """The JSON-RPC error response to `error`.

    An id that could not be read is null (JSON-RPC 2.0, section 5); in the modern era, whose schema forbids
    null, it is left out.
    """
    reply = reply_to(error, era)
    if request_id is NoId.UNREADABLE and era is Era.MODERN:
        request_id = NoId.ABSENT
    return error_bytes(request_id, code=reply.code, message=reply.message, data=reply.data)
