"""initialize, ping and server/discover: the negotiated version, and what `initialize` needs."""

from typing import Any

import pytest

from mcpcore import Elicit, ElicitUrl, ListRoots, Sample, Server, SessionId
from mcpcore.http import HttpResponse
from mcpcore.protocol.capabilities import ASKED
from mcpcore.questions.question import Question, required_capability
from tests.support.messages import (
    LEGACY_VERSIONS,
    SERVER_INFO_KEY,
    SUPPORTED,
    error,
    handshake,
    initialize,
    message,
    modern,
    post,
    result,
)
from tests.support.servers import NOW, Wire
from tests.support.versions import ask

NAMES = {"name": "fixture", "version": "1.0"}
TITLED = {**NAMES, "title": "Fixture"}
DESCRIBED = {**TITLED, "description": "A server for tests", "websiteUrl": "https://fixture.example"}
OPENED = {"mcp-session-id": "session-1"}


@pytest.mark.requirement("version-agreed")
@pytest.mark.parametrize(
    ("requested", "answered", "server_info"),
    [
        ("2024-11-05", "2024-11-05", NAMES),
        ("2025-03-26", "2025-03-26", NAMES),
        ("2025-06-18", "2025-06-18", TITLED),
        *(
            (requested, "2025-11-25", DESCRIBED)
            for requested in ("2025-11-25", "2026-07-28", "2099-01-01", "1.0", "", " 2024-11-05")
        ),
    ],
)
def test_initialize_answers_the_requested_version_if_it_is_supported_else_the_latest_with_a_handshake(
    requested: str, answered: str, server_info: dict[str, str]
) -> None:
    members = {
        "protocolVersion": answered,
        "capabilities": {"tools": {}},
        "serverInfo": server_info,
        "instructions": "Call echo.",
    }

    assert Wire().send(initialize(requested)) == result(0, members, OPENED)


def test_a_server_without_definitions_and_instructions_leaves_them_out() -> None:
    info = {"name": "bare", "version": "1"}
    members = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}

    assert Wire(Server("bare", version="1")).send(initialize()) == result(0, members, OPENED)


@pytest.mark.requirement("discover", "discover-cached")
def test_discover_has_every_version_the_capabilities_the_instructions_and_a_cache_hint() -> None:
    members = {
        "supportedVersions": SUPPORTED,
        "capabilities": {"tools": {}},
        "instructions": "Call echo.",
        "ttlMs": 300_000,
        "cacheScope": "public",
        "resultType": "complete",
        "_meta": {SERVER_INFO_KEY: DESCRIBED},
    }

    assert Wire().send(modern("server/discover")) == result(1, members)


@pytest.mark.requirement("ping")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_ping_is_answered_by_exactly_an_empty_object(version: str) -> None:
    assert ask(Wire(), version, "ping").body == b'{"jsonrpc":"2.0","id":1,"result":{}}'


def refused(text: str) -> HttpResponse:
    return error(200, 1, -32602, f"Invalid params: {text}")


NO_VERSION = refused("initialize needs protocolVersion, a string")
NO_CAPABILITIES = refused("initialize needs capabilities, an object")
NO_CLIENT = refused("initialize needs clientInfo, an object with name and version")
NOT_VERSIONS: list[object] = [None, 20251125, ["2025-11-25"]]
NOT_CAPABILITIES: list[object] = [None, [], "sampling"]
NOT_CLIENTS: list[object] = [
    None,
    "tests 1.2",
    [],
    {},
    {"name": "tests"},
    {"version": "1.2"},
    {"name": 1, "version": "1.2"},
    {"name": "tests", "version": 1.2},
]


@pytest.mark.requirement("initialize-params")
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (None, NO_VERSION),
        *((handshake(protocolVersion=found), NO_VERSION) for found in NOT_VERSIONS),
        *((handshake(capabilities=found), NO_CAPABILITIES) for found in NOT_CAPABILITIES),
        *((handshake(clientInfo=found), NO_CLIENT) for found in NOT_CLIENTS),
    ],
)
def test_invalid_params_of_initialize_are_refused(params: object, expected: HttpResponse) -> None:
    assert Wire().send(post(message("initialize", params))) == expected


def trace() -> str:
    """Need a capability that no question needs."""
    return ""


def test_a_session_has_the_capabilities_that_are_read_later_and_nothing_of_their_content() -> None:
    server = Server("tracing", version="1")
    server.tool(requires={"experimental": {"tracing": {}}})(trace)
    large = {"x": "a" * 100_000}
    declared = {
        "elicitation": {"form": large, "url": None, **large},
        "sampling": large,
        "roots": None,
        "experimental": {"tracing": large, "other": {}},
        **large,
    }
    wire = Wire(server)
    wire.send(post(message("initialize", handshake(capabilities=declared))))

    session = wire.sessions.load(SessionId("session-1"), NOW)
    assert session is not None
    assert session.capabilities == {
        "elicitation": {"form": {}},
        "sampling": {},
        "experimental": {"tracing": {}},
    }


@pytest.mark.parametrize(
    "question",
    [
        Elicit("?", {"type": "object", "properties": {}}),
        ElicitUrl("?", "https://a.example"),
        Sample("?", 1, {"tools": []}),
        ListRoots(),
    ],
)
def test_whatever_a_question_needs_is_stored(question: Question) -> None:
    ((name, settings),) = required_capability(question, {}).items()
    assert name in ASKED
    assert settings.keys() <= ASKED[name].keys()


@pytest.mark.parametrize(
    ("client_info", "names"),
    [
        ({"name": "", "version": ""}, ("", "")),
        ({"name": "a", "version": "", "x": 1}, ("a", "")),
        ({"name": "n" * 5000, "version": "v" * 5000}, ("n" * 100 + "…", "v" * 40 + "…")),
    ],
)
def test_the_names_of_a_client_are_recorded_truncated(
    client_info: dict[str, Any], names: tuple[str, str]
) -> None:
    record = Wire().outcome(post(message("initialize", handshake(clientInfo=client_info)))).record

    assert (record.client_name, record.client_version) == names
