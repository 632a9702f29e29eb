"""Who hears of which log messages: by session in the legacy era, by request in the modern one."""

import json
from typing import Any

import pytest

from mcpcore import Context, Server, SessionId
from mcpcore.http import HttpResponse
from mcpcore.request.envelope import LOG_LEVELS
from mcpcore.sessions.store import SetLogLevel
from tests.support.messages import (
    LEGACY_VERSIONS,
    METADATA,
    SESSION,
    error,
    initialize,
    legacy,
    modern,
    result,
)
from tests.support.servers import Wire

LEVEL_KEY = "io.modelcontextprotocol/logLevel"
BAD = f"Invalid log level; the levels are {', '.join(LOG_LEVELS)}"
NO_LEVELS: list[object] = ["", "Debug", "warn", "trace", " info", None, 3, True, ["info"], {}]


def chatty(*, context: Context) -> str:
    """Log at every level."""
    for level in LOG_LEVELS:
        context.log(level, level)
    return "done"


def chatting(*, logging: bool = True) -> Wire:
    """A server with a tool that logs at every level, and a session."""
    server = Server("chatty", version="1", logging=logging)
    server.tool()(chatty)
    wire = Wire(server)
    wire.send(initialize())
    return wire


def heard(response: HttpResponse) -> list[str]:
    """The levels of the messages before the response."""
    *messages, _ = (event.partition(b"data: ")[2] for event in response.body.split(b"\n\n")[:-1])
    return [json.loads(message)["params"]["level"] for message in messages]


CALL = {"name": "chatty"}


@pytest.mark.requirement("log-level-set")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_setting_a_level_is_answered_by_exactly_an_empty_object_and_kept_in_the_session(
    version: str, level: str
) -> None:
    server = Server("s", version="1", logging=True)
    wire = Wire(server)
    wire.send(initialize(version))

    outcome = wire.outcome(legacy("logging/setLevel", {"level": level}))
    session = wire.sessions.load(SessionId(SESSION), 0)

    assert wire.send(legacy("logging/setLevel", {"level": level})) == result(1, {})
    assert outcome.actions == (SetLogLevel(SessionId(SESSION), level),)
    assert session is not None
    assert session.log_level == level


@pytest.mark.requirement("log-level-invalid")
@pytest.mark.parametrize("params", [{}, *({"level": level} for level in NO_LEVELS)])
def test_a_level_that_is_none_is_invalid_params_and_changes_nothing(params: dict[str, Any]) -> None:
    wire = chatting()

    outcome = wire.outcome(legacy("logging/setLevel", params))

    assert wire.send(legacy("logging/setLevel", params)) == error(200, 1, -32602, BAD)
    assert outcome.actions == ()


@pytest.mark.requirement("log-at-or-above")
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_a_session_hears_of_the_level_that_it_has_set_and_of_all_above_it(level: str) -> None:
    wire = chatting()
    wire.send(legacy("logging/setLevel", {"level": level}))

    assert heard(wire.send(legacy("tools/call", CALL))) == [*LOG_LEVELS[LOG_LEVELS.index(level) :]]


def test_a_session_that_has_set_no_level_hears_of_warnings_and_worse() -> None:
    assert heard(chatting().send(legacy("tools/call", CALL))) == [*LOG_LEVELS[3:]]


@pytest.mark.requirement("log-asked-for")
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_a_modern_request_hears_of_the_level_that_it_asks_for(level: str) -> None:
    response = chatting().send(modern("tools/call", CALL, metadata={**METADATA, LEVEL_KEY: level}))

    assert heard(response) == [*LOG_LEVELS[LOG_LEVELS.index(level) :]]


@pytest.mark.requirement("log-not-asked-for")
def test_a_modern_request_that_asks_for_no_level_hears_of_nothing() -> None:
    response = chatting().send(modern("tools/call", CALL))

    assert (response.headers["content-type"], b"notifications" in response.body) == (
        "application/json",
        False,
    )


@pytest.mark.requirement("log-asked-for-nonsense")
@pytest.mark.parametrize("level", NO_LEVELS)
@pytest.mark.parametrize("method", ["tools/call", "tools/list", "server/discover"])
def test_a_modern_request_for_a_level_that_is_none_is_invalid_params(method: str, level: object) -> None:
    request = modern(method, CALL, metadata={**METADATA, LEVEL_KEY: level})

    assert chatting().send(request) == error(200, 1, -32602, BAD)


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [({"mcp-method": "x"}, 400, -32020), ({"mcp-protocol-version": "x"}, 400, -32020), ({}, 404, -32601)],
)
def test_a_level_that_is_none_is_told_of_only_when_the_envelope_is_in_order(
    headers: dict[str, str], status: int, code: int
) -> None:
    request = modern("nope", metadata={**METADATA, LEVEL_KEY: "x"}, headers=headers)

    answer = chatting().send(request)

    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (status, code)


@pytest.mark.requirement("log-declared")
def test_a_server_that_does_not_declare_logging_sends_no_messages_in_either_era() -> None:
    wire = chatting(logging=False)
    request = modern("tools/call", CALL, metadata={**METADATA, LEVEL_KEY: "debug"})

    assert [wire.send(each).headers["content-type"] for each in (request, legacy("tools/call", CALL))] == [
        "application/json",
        "application/json",
    ]
