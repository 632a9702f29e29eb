"""The handshake: the version that is agreed on, the result of `initialize`, and what its params must have."""

from typing import Any

import pytest

from mcpcore import Server
from mcpcore.http import HttpResponse
from tests.support.messages import error, handshake, initialize, message, post, result
from tests.support.servers import Wire

NAMES = {"name": "fixture", "version": "1.0"}
TITLED = {**NAMES, "title": "Fixture"}
DESCRIBED = {**TITLED, "description": "A server for tests", "websiteUrl": "https://fixture.example"}


@pytest.mark.requirement("version-agreed")
@pytest.mark.parametrize(
    ("requested", "answered", "server_info"),
    [
        ("2024-11-05", "2024-11-05", NAMES),
        ("2025-03-26", "2025-03-26", NAMES),
        ("2025-06-18", "2025-06-18", TITLED),
        ("2025-11-25", "2025-11-25", DESCRIBED),
        ("2026-07-28", "2025-11-25", DESCRIBED),
        ("2099-01-01", "2025-11-25", DESCRIBED),
        ("1.0", "2025-11-25", DESCRIBED),
        ("", "2025-11-25", DESCRIBED),
        (" 2024-11-05", "2025-11-25", DESCRIBED),
    ],
)
def test_initialize_answers_the_version_asked_for_where_it_is_spoken_else_the_latest_with_a_handshake(
    requested: str, answered: str, server_info: dict[str, str]
) -> None:
    members = {
        "protocolVersion": answered,
        "capabilities": {"tools": {}},
        "serverInfo": server_info,
        "instructions": "Call echo.",
    }

    assert Wire().send(initialize(requested)) == result(0, members, {"mcp-session-id": "session-1"})


def test_a_server_without_tools_and_instructions_says_nothing_of_them() -> None:
    members = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "serverInfo": {"name": "bare", "version": "1"},
    }

    assert Wire(Server("bare", version="1")).send(initialize()) == result(
        0, members, {"mcp-session-id": "session-1"}
    )


def refused(text: str) -> HttpResponse:
    return error(200, 1, -32602, f"Invalid params: {text}")


NO_VERSION = refused("initialize needs protocolVersion, a string")
NO_CAPABILITIES = refused("initialize needs capabilities, an object")
NO_CLIENT = refused("initialize needs clientInfo, an object with name and version")


@pytest.mark.requirement("initialize-params")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"protocolVersion": None}, NO_VERSION),
        ({"protocolVersion": 20251125}, NO_VERSION),
        ({"protocolVersion": ["2025-11-25"]}, NO_VERSION),
        ({"capabilities": None}, NO_CAPABILITIES),
        ({"capabilities": []}, NO_CAPABILITIES),
        ({"capabilities": "sampling"}, NO_CAPABILITIES),
        ({"clientInfo": None}, NO_CLIENT),
        ({"clientInfo": "tests 1.2"}, NO_CLIENT),
        ({"clientInfo": []}, NO_CLIENT),
        ({"clientInfo": {}}, NO_CLIENT),
        ({"clientInfo": {"name": "tests"}}, NO_CLIENT),
        ({"clientInfo": {"version": "1.2"}}, NO_CLIENT),
        ({"clientInfo": {"name": 1, "version": "1.2"}}, NO_CLIENT),
        ({"clientInfo": {"name": "tests", "version": 1.2}}, NO_CLIENT),
    ],
)
def test_an_initialize_that_leaves_something_out_is_refused(
    changed: dict[str, Any], expected: HttpResponse
) -> None:
    assert Wire().send(post(message("initialize", handshake(**changed)))) == expected


@pytest.mark.requirement("initialize-params")
def test_an_initialize_without_params_is_refused() -> None:
    assert Wire().send(post(message("initialize"))) == NO_VERSION


LARGEST = 16_384 - len(b'{"x":""}')


def test_capabilities_as_large_as_the_limit_are_remembered() -> None:
    request = post(message("initialize", handshake(capabilities={"x": "a" * LARGEST})))

    assert Wire().send(request).headers["mcp-session-id"] == "session-1"


def test_capabilities_larger_than_the_limit_are_refused() -> None:
    request = post(message("initialize", handshake(capabilities={"x": "a" * (LARGEST + 1)})))

    assert Wire().send(request) == refused("capabilities exceed 16384 bytes")


@pytest.mark.parametrize("client_info", [{"name": "", "version": ""}, {"name": "a", "version": "", "x": 1}])
def test_an_empty_name_is_a_name(client_info: dict[str, Any]) -> None:
    wire = Wire()

    outcome = wire.outcome(post(message("initialize", handshake(clientInfo=client_info))))

    assert (outcome.record.client_name, outcome.record.client_version) == (client_info["name"], "")


def test_a_long_client_name_is_cut_before_it_is_remembered() -> None:
    long = {"name": "n" * 5000, "version": "v" * 5000}
    outcome = Wire().outcome(post(message("initialize", handshake(clientInfo=long))))

    assert (outcome.record.client_name, outcome.record.client_version) == ("n" * 100 + "…", "v" * 100 + "…")
