"""The one table from errors to JSON-RPC codes, HTTP statuses and the `outcome` of the log."""

import enum
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore.protocol import errors
from mcpcore.protocol.jsonrpc import NoId, RequestId, error_bytes
from mcpcore.protocol.versions import Era

__all__ = ["ROWS", "ErrorReply", "OutcomeKind", "Row", "encode_error", "reply_to", "row_of"]


class OutcomeKind(enum.Enum):
    """The outcomes of a request that log and metrics distinguish."""

    OK = "ok"
    REFUSED = "refused"
    """The client's mistake: a protocol, transport or session error."""
    TOOL_ERROR = "tool_error"
    """A tool execution error that the tool raised, or arguments that break its schema."""
    CRASH = "crash"
    """An exception escaped from a handler."""
    DEADLINE = "deadline"
    INTERNAL_ERROR = "internal_error"
    STORE_UNAVAILABLE = "store_unavailable"


class Row(NamedTuple):
    """The JSON-RPC code of an error, the HTTP status that carries it in each era, and its kind in the log.

    `legacy_code` is set where the legacy era has another code.
    """

    code: int
    legacy: int
    modern: int
    legacy_code: int | None = None
    kind: OutcomeKind = OutcomeKind.REFUSED


class ErrorReply(NamedTuple):
    """Code, message and data of an error response, and its HTTP status."""

    code: int
    message: str
    data: Mapping[str, Any] | None
    status: int


# A class that is not listed has the row of its nearest listed ancestor. A plain -32602 has status 200:
# clients that support both eras take a bare 400 with -32602 as the sign of a legacy server.
ROWS: Final[Mapping[type[errors.McpError], Row]] = {
    errors.ParseError: Row(-32700, 400, 400),
    errors.InvalidRequest: Row(-32600, 400, 400),
    errors.MethodNotFound: Row(-32601, 200, 404),
    errors.InvalidParams: Row(-32602, 200, 200),
    errors.InvalidEnvelope: Row(-32602, 400, 400),
    errors.ResourceNotFound: Row(-32602, 200, 200, legacy_code=-32002),
    errors.HeaderMismatch: Row(-32020, 400, 400),
    errors.MissingClientCapability: Row(-32021, 400, 400),
    errors.UnsupportedProtocolVersion: Row(-32022, 400, 400),
    errors.OriginRefused: Row(-32600, 403, 403),
    errors.HostRefused: Row(-32600, 403, 403),
    errors.MethodNotAllowed: Row(-32600, 405, 405),
    errors.StreamNotFound: Row(-32600, 405, 405),
    errors.NotAcceptable: Row(-32600, 406, 406),
    errors.BodyTooLarge: Row(-32600, 413, 413),
    errors.UnsupportedMediaType: Row(-32600, 415, 415),
    errors.SessionMissing: Row(-32002, 400, 400),
    errors.SessionUnknown: Row(-32002, 404, 404),
    errors.StoreUnavailable: Row(-32603, 503, 503, kind=OutcomeKind.STORE_UNAVAILABLE),
    errors.HandlerCrashed: Row(-32603, 200, 200, kind=OutcomeKind.CRASH),
    errors.DeadlineExceeded: Row(-32603, 200, 200, kind=OutcomeKind.DEADLINE),
    errors.UnexpectedError: Row(-32603, 500, 500, kind=OutcomeKind.INTERNAL_ERROR),
    # Raised by a prompt or a resource: their results cannot carry an error as a tool's result can.
    errors.ToolError: Row(-32602, 200, 200, kind=OutcomeKind.TOOL_ERROR),
    errors.McpError: Row(-32603, 200, 200, kind=OutcomeKind.INTERNAL_ERROR),
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
