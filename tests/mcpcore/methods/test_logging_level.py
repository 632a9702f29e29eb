"""Log messages: a session sets the level in the legacy era, each request asks for it in the modern one."""

import json
from typing import Any

import pytest

from mcpcore import Context, Server, SessionId
from mcpcore.http import HttpResponse
from mcpcore.request.envelope import LOG_LEVELS
from mcpcore.sessions.store import SetLogLevel
from mcpcore.testing import Client
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
NOT_LEVELS: list[object] = ["", "Debug", "warn", "trace", " info", None, 3, True, ["info"], {}]
CALL = {"name": "chatty"}


def chatty(*, context: Context) -> str:
    """Log at every level."""
    for level in LOG_LEVELS:
        context.log(level, level)
    return "done"


def chatting(*, logging: bool = True) -> Server:
    server = Server("chatty", version="1", logging=logging)
    server.tool(chatty)
    return server


def levels(client: Client) -> list[str]:
    """The levels of the log messages of a call."""
    client.call_tool("chatty")
    return [message["params"]["level"] for message in client.notifications]


def in_session(version: str = "2025-11-25") -> Wire:
    """The server, with a session."""
    wire = Wire(chatting())
    wire.send(initialize(version))
    return wire


@pytest.mark.requirement("log-level-set")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_setting_a_level_is_answered_by_an_empty_object_and_stored_in_the_session(
    version: str, level: str
) -> None:
    wire = in_session(version)
    outcome = wire.outcome(legacy("logging/setLevel", {"level": level}))
    session = wire.sessions.load(SessionId(SESSION), 0)

    assert wire.send(legacy("logging/setLevel", {"level": level})) == result(1, {})
    assert outcome.required == SetLogLevel(SessionId(SESSION), level)
    assert session is not None
    assert session.log_level == level


@pytest.mark.requirement("log-level-invalid")
@pytest.mark.parametrize("params", [{}, *({"level": level} for level in NOT_LEVELS)])
def test_an_unknown_level_is_invalid_params_and_changes_nothing(params: dict[str, Any]) -> None:
    wire = in_session()

    assert wire.outcome(legacy("logging/setLevel", params)).required is None
    assert wire.send(legacy("logging/setLevel", params)) == error(200, 1, -32602, BAD)


@pytest.mark.requirement("log-at-or-above", "log-asked-for")
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_messages_of_the_level_and_above_are_sent(level: str) -> None:
    session = Client(chatting(), protocol_version="2025-11-25")
    session.request("logging/setLevel", {"level": level})
    expected = [*LOG_LEVELS[LOG_LEVELS.index(level) :]]

    assert levels(session) == expected
    assert levels(Client(chatting(), log_level=level)) == expected


def test_a_session_without_a_level_is_sent_warnings_and_above() -> None:
    assert levels(Client(chatting(), protocol_version="2025-11-25", log_level=None)) == [*LOG_LEVELS[3:]]


def is_plain(response: HttpResponse) -> bool:
    """True when no notification was sent before the response."""
    return response.headers["content-type"] == "application/json" and b"notifications" not in response.body


@pytest.mark.requirement("log-not-asked-for", "log-declared")
@pytest.mark.parametrize(
    ("logging", "request_"),
    [
        (True, modern("tools/call", CALL)),
        (False, modern("tools/call", CALL, metadata={**METADATA, LEVEL_KEY: "debug"})),
        (False, legacy("tools/call", CALL)),
    ],
)
def test_no_message_is_sent_without_a_level_or_by_a_server_that_does_not_declare_logging(
    logging: bool, request_: Any
) -> None:
    wire = Wire(chatting(logging=logging))
    wire.send(initialize())

    assert is_plain(wire.send(request_))


@pytest.mark.requirement("log-asked-for-nonsense")
@pytest.mark.parametrize("level", [level for level in NOT_LEVELS if level is not None])
@pytest.mark.parametrize("method", ["tools/call", "tools/list", "server/discover"])
def test_a_modern_request_for_an_unknown_level_is_invalid_params(method: str, level: object) -> None:
    request = modern(method, CALL, metadata={**METADATA, LEVEL_KEY: level})

    assert in_session().send(request) == error(200, 1, -32602, BAD)


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [({"mcp-method": "x"}, 400, -32020), ({"mcp-protocol-version": "x"}, 400, -32020), ({}, 404, -32601)],
)
def test_faults_of_headers_and_method_come_before_an_unknown_level(
    headers: dict[str, str], status: int, code: int
) -> None:
    answer = in_session().send(modern("nope", metadata={**METADATA, LEVEL_KEY: "x"}, headers=headers))

    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (status, code)
