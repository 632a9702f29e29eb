"""The one place where an error becomes a JSON-RPC code and an HTTP status."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore.protocol import errors
from mcpcore.protocol.jsonrpc import NoId, RequestId, error_bytes
from mcpcore.protocol.versions import Era

__all__ = ["ROWS", "ErrorReply", "Row", "encoded", "reply_to"]


class Row(NamedTuple):
    """The code of an error, and the HTTP status that carries it in each era.

    `legacy_code` is set where the older era has another code for the same.
    """

    code: int
    legacy: int
    modern: int
    legacy_code: int | None = None


class ErrorReply(NamedTuple):
    """What the client is told."""

    code: int
    message: str
    data: Mapping[str, Any] | None
    status: int


# A leaf that is not listed answers as its nearest listed ancestor does. A plain -32602 goes out with 200:
# clients that speak both eras take a bare 400 with -32602 for the mark of a server of the older one.
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
    errors.NotAcceptable: Row(-32600, 406, 406),
    errors.BodyTooLarge: Row(-32600, 413, 413),
    errors.UnsupportedMediaType: Row(-32600, 415, 415),
    errors.SessionMissing: Row(-32002, 400, 400),
    errors.SessionUnknown: Row(-32002, 404, 404),
    errors.StoreUnavailable: Row(-32603, 503, 503),
    errors.UnexpectedError: Row(-32603, 500, 500),
    # Of a prompt or a resource, which have no result that says no; a tool's is a result.
    errors.ToolError: Row(-32602, 200, 200),
    errors.McpError: Row(-32603, 200, 200),
}


def reply_to(error: errors.McpError, era: Era | None) -> ErrorReply:
    """The answer to `error`; a request whose era could not be told is answered as a legacy one."""
    row = next(ROWS[ancestor] for ancestor in type(error).__mro__ if ancestor in ROWS)
    if era is Era.MODERN:
        return ErrorReply(row.code, error.message, error.data, row.modern)
    return ErrorReply(row.legacy_code or row.code, error.message, error.data, row.legacy)


def encoded(error: errors.McpError, request_id: RequestId | NoId, era: Era | None) -> bytes:
    """The answer to `error` as a JSON-RPC error response.

    An id that could not be read is null, as JSON-RPC 2.0 section 5 has it; in the modern era, whose schema
    has an optional id and forbids null, it is left out.
    """
    reply = reply_to(error, era)
    left_out = request_id is NoId.UNREADABLE and era is Era.MODERN
    return error_bytes(
        NoId.ABSENT if left_out else request_id, code=reply.code, message=reply.message, data=reply.data
    )
