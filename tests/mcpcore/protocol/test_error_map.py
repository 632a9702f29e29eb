"""Every error has its code and its status in each era, and none is left out."""

import inspect

import pytest

from mcpcore.protocol import errors
from mcpcore.protocol.error_map import ErrorReply, reply_to
from mcpcore.protocol.errors import McpError
from mcpcore.protocol.versions import Era
from tests.support.messages import LOST_SESSION, NO_SESSION, SUPPORTED

# error, code, status of the legacy era, status of the modern era
TABLE = [
    (errors.ParseError("x"), -32700, 400, 400),
    (errors.InvalidRequest("x"), -32600, 400, 400),
    (errors.MethodNotFound("x"), -32601, 200, 404),
    (errors.InvalidEnvelope("x"), -32602, 400, 400),
    (errors.InvalidArguments("tool", ["x"]), -32602, 200, 200),
    (errors.DeadlineExceeded(20), -32603, 200, 200),
    (errors.QuestionRefused("x"), -32602, 200, 200),
    (errors.HeaderMismatch("Mcp-Name", "x"), -32020, 400, 400),
    (errors.MissingClientCapability({"sampling": {}}), -32021, 400, 400),
    (errors.UnsupportedProtocolVersion("x"), -32022, 400, 400),
    (errors.OriginRefused(), -32600, 403, 403),
    (errors.HostRefused(), -32600, 403, 403),
    (errors.MethodNotAllowed("x", ["POST"]), -32600, 405, 405),
    (errors.NotAcceptable(), -32600, 406, 406),
    (errors.BodyTooLarge(1), -32600, 413, 413),
    (errors.UnsupportedMediaType(), -32600, 415, 415),
    (errors.SessionMissing(), -32002, 400, 400),
    (errors.SessionUnknown(), -32002, 404, 404),
    (errors.StoreUnavailable(), -32603, 503, 503),
    (errors.UnexpectedError(), -32603, 500, 500),
]
INNER = [
    (errors.ToolError("x"), -32602, 200, 200),
    (errors.InvalidParams("x"), -32602, 200, 200),
    (errors.ProtocolError("x"), -32603, 200, 200),
    (errors.TransportError("x"), -32603, 200, 200),
    (errors.InternalError(), -32603, 200, 200),
    (errors.McpError("x"), -32603, 200, 200),
]
NAMES = [type(row[0]).__name__ for row in TABLE + INNER]


@pytest.mark.requirement("error-codes")
@pytest.mark.parametrize(("error", "code", "legacy", "modern"), TABLE + INNER, ids=NAMES)
def test_an_error_has_one_code_and_a_status_for_each_era(
    error: McpError, code: int, legacy: int, modern: int
) -> None:
    answers = [reply_to(error, era) for era in (None, Era.LEGACY, Era.MODERN)]

    assert answers == [
        ErrorReply(code, error.message, error.data, status) for status in (legacy, legacy, modern)
    ]


def test_the_table_above_has_every_leaf_of_the_tree() -> None:
    tree = {found for _, found in inspect.getmembers(errors, inspect.isclass) if issubclass(found, McpError)}
    inner = {ancestor for found in tree for ancestor in found.__mro__[1:]}

    assert {type(error) for error, *_ in TABLE} == tree - inner - {errors.ResourceNotFound}


@pytest.mark.requirement("resource-missing-before")
@pytest.mark.parametrize(("era", "code"), [(None, -32002), (Era.LEGACY, -32002), (Era.MODERN, -32602)])
def test_a_missing_resource_has_a_code_of_its_own_in_the_legacy_era_only(era: Era | None, code: int) -> None:
    reply = reply_to(errors.ResourceNotFound("book://x"), era)

    assert reply == ErrorReply(code, "Resource not found: book://x", {"uri": "book://x"}, 200)


def test_a_new_leaf_answers_as_its_parent_does() -> None:
    class StrangeHeader(errors.HeaderMismatch):
        """A leaf that the map has never heard of."""

    reply = reply_to(StrangeHeader("Mcp-Name", "is strange"), Era.MODERN)

    assert reply == ErrorReply(-32020, "Header mismatch: Mcp-Name is strange", None, 400)


@pytest.mark.requirement("error-data")
@pytest.mark.parametrize(
    ("error", "data"),
    [
        (
            errors.UnsupportedProtocolVersion("1"),
            {"supported": SUPPORTED, "requested": "1"},
        ),
        (
            errors.MissingClientCapability({"sampling": {"tools": {}}}),
            {"requiredCapabilities": {"sampling": {"tools": {}}}},
        ),
        (errors.SessionMissing(), NO_SESSION),
        (errors.SessionUnknown(), LOST_SESSION),
        (errors.ResourceNotFound("x:" + "y" * 200), {"uri": "x:" + "y" * 200}),
        (errors.InvalidParams("x"), None),
    ],
)
def test_an_error_carries_the_data_that_a_client_can_act_on(error: McpError, data: object) -> None:
    assert reply_to(error, Era.MODERN).data == data


@pytest.mark.parametrize("length", [99, 100])
def test_a_client_s_words_are_quoted_whole_up_to_100_characters(length: int) -> None:
    assert errors.shortened("é" * length) == "é" * length


def test_more_than_100_characters_are_cut() -> None:
    assert errors.shortened("é" * 101) == "é" * 100 + "…"


def test_an_error_reads_as_the_sentence_that_the_client_is_told() -> None:
    error = errors.InvalidArguments("tool", ["x: field required", "y: no such field"])

    assert (str(error), error.message) == (SENTENCE, SENTENCE)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            errors.DeadlineExceeded(2.5),
            "Not done within 2.5 seconds; try again, or ask for less",
        ),
        (errors.DeadlineExceeded(20), "Not done within 20 seconds; try again, or ask for less"),
        (errors.QuestionRefused("no" * 100), f"The client refused to answer: {'no' * 50}…"),
        (errors.ResourceNotFound("x" * 101), f"Resource not found: {'x' * 100}…"),
        (
            errors.MissingClientCapability({"sampling": {}, "roots": {}}),
            "This needs a client that declares the capability roots, sampling",
        ),
    ],
)
def test_the_sentence_of_an_error_is_made_from_its_fields(error: McpError, sentence: str) -> None:
    assert error.message == sentence


SENTENCE = (
    "Invalid arguments for tool tool: x: field required; y: no such field. Correct them and call again."
)
