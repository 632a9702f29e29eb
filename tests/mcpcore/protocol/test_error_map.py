"""Errors as replies: the codes of the specification, statuses by era, and what the log tells apart."""

import inspect

import pytest
from mcp_types import jsonrpc

from mcpcore.protocol import errors
from mcpcore.protocol.error_map import ROWS, ErrorReply, OutcomeKind, reply_to, row_of
from mcpcore.protocol.errors import McpError
from mcpcore.protocol.versions import Era
from tests.support.messages import LOST_SESSION, SUPPORTED

TREE = [found for _, found in inspect.getmembers(errors, inspect.isclass) if issubclass(found, McpError)]
ABSTRACT = {ancestor for found in TREE for ancestor in found.__mro__[1:]}
LEAVES = [found for found in TREE if found not in ABSTRACT]

# The official constants of the codes that a client may get, by the classes that have them.
CODES = {
    errors.ParseError: jsonrpc.PARSE_ERROR,
    errors.InvalidRequest: jsonrpc.INVALID_REQUEST,
    errors.TransportError: jsonrpc.INVALID_REQUEST,
    errors.MethodNotFound: jsonrpc.METHOD_NOT_FOUND,
    errors.InvalidParams: jsonrpc.INVALID_PARAMS,
    errors.ToolError: jsonrpc.INVALID_PARAMS,
    errors.HeaderMismatch: jsonrpc.HEADER_MISMATCH,
    errors.MissingClientCapability: jsonrpc.MISSING_REQUIRED_CLIENT_CAPABILITY,
    errors.UnsupportedProtocolVersion: jsonrpc.UNSUPPORTED_PROTOCOL_VERSION,
    errors.AuthorizationError: jsonrpc.INVALID_REQUEST,
    errors.SessionError: -32002,
    errors.TooManyRequests: jsonrpc.INTERNAL_ERROR,
    errors.StoreUnavailable: jsonrpc.INTERNAL_ERROR,
    errors.InternalError: jsonrpc.INTERNAL_ERROR,
}


@pytest.mark.requirement("error-codes")
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_every_error_has_the_code_of_its_kind_and_a_status_that_carries_it(leaf: type[McpError]) -> None:
    (code,) = {code for kind, code in CODES.items() if issubclass(leaf, kind)}
    row = row_of(leaf.__new__(leaf))

    assert row.code == code
    assert {row.legacy, row.modern} <= {200, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 503}


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_the_log_tells_mistakes_of_a_client_from_faults_of_the_server(leaf: type[McpError]) -> None:
    row = row_of(leaf.__new__(leaf))
    mistake = issubclass(
        leaf, errors.ProtocolError | errors.TransportError | errors.SessionError | errors.AuthorizationError
    )

    assert (row.outcome is OutcomeKind.REFUSED) is mistake
    assert mistake or issubclass(leaf, errors.ToolError) or row.code == jsonrpc.INTERNAL_ERROR


def test_the_log_distinguishes_all_errors() -> None:
    assert len({row_of(leaf.__new__(leaf)).error for leaf in LEAVES}) == len(LEAVES)


@pytest.mark.requirement("error-codes")
@pytest.mark.parametrize(
    ("error", "legacy", "modern"),
    [
        (errors.MethodNotFound("x"), 200, 404),
        (errors.InvalidParams("x"), 200, 200),
        (errors.InvalidEnvelope("x"), 400, 400),
        (errors.InvalidArguments("tool", ["x"]), 200, 200),
        (errors.HeaderMismatch("Mcp-Name", "x"), 400, 400),
        (errors.MissingClientCapability({}), 400, 400),
        (errors.StreamNotFound(), 405, 405),
        (errors.SessionMissing(), 400, 400),
        (errors.SessionUnknown(), 404, 404),
        (errors.TooManyRequests(60), 429, 429),
        (errors.StoreUnavailable(), 503, 503),
        (errors.HandlerCrashed(), 200, 200),
        (errors.TooLargeToStore(2, 1), 200, 200),
        (errors.UnexpectedError(), 500, 500),
    ],
)
def test_an_error_has_a_status_for_each_era(error: McpError, legacy: int, modern: int) -> None:
    statuses = [reply_to(error, era).status for era in (None, Era.LEGACY, Era.MODERN)]

    assert statuses == [legacy, legacy, modern]


def test_only_classes_of_the_tree_have_rows_and_a_new_one_has_that_of_its_parent() -> None:
    class StrangeHeader(errors.HeaderMismatch):
        """A class without a row."""

    reply = reply_to(StrangeHeader("Mcp-Name", "is strange"), Era.MODERN)

    assert set(ROWS) <= set(TREE)
    assert reply == ErrorReply(-32020, "Header mismatch: Mcp-Name is strange", None, 400)


@pytest.mark.requirement("resource-missing-before")
@pytest.mark.parametrize(("era", "code"), [(None, -32002), (Era.LEGACY, -32002), (Era.MODERN, -32602)])
def test_a_missing_resource_has_a_code_of_its_own_in_the_legacy_era_only(era: Era | None, code: int) -> None:
    reply = reply_to(errors.ResourceNotFound("book://x"), era)

    assert reply == ErrorReply(code, "Resource not found: book://x", {"uri": "book://x"}, 200)


@pytest.mark.requirement("error-data")
@pytest.mark.parametrize(
    ("error", "data"),
    [
        (errors.UnsupportedProtocolVersion("1"), {"supported": SUPPORTED, "requested": "1"}),
        (
            errors.UnsupportedProtocolVersion(SUPPORTED[1]),
            {"supported": [SUPPORTED[0], *SUPPORTED[2:]], "requested": SUPPORTED[1]},
        ),
        (
            errors.MissingClientCapability({"sampling": {"tools": {}}}),
            {"requiredCapabilities": {"sampling": {"tools": {}}}},
        ),
        (errors.SessionMissing(), {"reason": "The request is in no session"}),
        (errors.SessionUnknown(), LOST_SESSION),
        (errors.ResourceNotFound("x:" + "y" * 200), {"uri": "x:" + "y" * 200}),
        (errors.InvalidParams("x"), None),
    ],
)
def test_an_error_carries_the_data_that_a_client_can_act_on(error: McpError, data: object) -> None:
    assert reply_to(error, Era.MODERN).data == data


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (errors.DeadlineExceeded(2.5), "Not done within 2.5 seconds; try again, or ask for less"),
        (errors.DeadlineExceeded(20), "Not done within 20 seconds; try again, or ask for less"),
        (errors.QuestionRefused("no" * 50), f"The client refused to answer: {'no' * 50}"),
        (errors.QuestionRefused("no" * 51), f"The client refused to answer: {'no' * 50}…"),
        (errors.ResourceNotFound("é" * 101), f"Resource not found: {'é' * 100}…"),
        (
            errors.MissingClientCapability({"sampling": {}, "roots": {}}),
            "This needs a client that declares the capability roots, sampling",
        ),
        (
            errors.InvalidArguments("tool", ["x: field required", "y: no such field"]),
            "Invalid arguments for tool tool: x: field required; y: no such field. Correct them and call "
            "again.",
        ),
    ],
)
def test_the_message_of_an_error_is_made_from_its_fields(error: McpError, sentence: str) -> None:
    assert (error.message, str(error)) == (sentence, sentence)


def test_a_reason_for_the_log_is_no_part_of_the_message() -> None:
    error = errors.InternalError("the table is missing")

    assert (error.reason, error.message) == ("the table is missing", "Internal error")
