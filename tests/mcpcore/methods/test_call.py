"""Constant answers: `server/discover`, `ping` and lists, to the byte, in each revision."""

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from mcpcore import CacheHint, Server, ToolResult
from mcpcore.http import HttpRequest
from tests.support.messages import (
    LEGACY_VERSIONS,
    SERVER_INFO_KEY,
    SUPPORTED,
    error,
    initialize,
    legacy,
    modern,
    result,
)
from tests.support.servers import Wire, fixture_server


class Reply(TypedDict):
    text: str


def say(
    text: Annotated[str, Field(description="What to say.", max_length=9)], times: int = 1
) -> ToolResult[Reply]:
    """Say it."""
    return ToolResult({"text": text * times}, text * times)


def stay() -> str:
    """Say nothing."""
    return ""


@pytest.fixture
def wire() -> Wire:
    """A server with a tool that has everything a tool can have, and one that has nothing."""
    server = Server("lists", version="2", cache=CacheHint(60_000, "private"))
    server.tool(title="Say", read_only=True, destructive=False, idempotent=True, open_world=False)(say)
    server.tool()(stay)
    return Wire(server)


SAY_INPUT = {
    "additionalProperties": False,
    "properties": {
        "text": {"description": "What to say.", "maxLength": 9, "type": "string"},
        "times": {"type": "integer", "default": 1},
    },
    "required": ["text"],
    "type": "object",
}
SAY_OUTPUT = {"properties": {"text": {"type": "string"}}, "required": ["text"], "type": "object"}
HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
STAY = {
    "name": "stay",
    "description": "Say nothing.",
    "inputSchema": {"additionalProperties": False, "properties": {}, "type": "object"},
}

OLDEST = {"name": "say", "description": "Say it.", "inputSchema": SAY_INPUT}
ANNOTATED = {**OLDEST, "annotations": HINTS}
COMPLETE = {
    "name": "say",
    "description": "Say it.",
    "title": "Say",
    "inputSchema": SAY_INPUT,
    "outputSchema": SAY_OUTPUT,
    "annotations": HINTS,
}
SERVER = {"name": "lists", "version": "2"}
MODERN_MEMBERS = {
    "ttlMs": 60_000,
    "cacheScope": "private",
    "resultType": "complete",
    "_meta": {SERVER_INFO_KEY: SERVER},
}


@pytest.mark.requirement("legacy-results-bare")
@pytest.mark.parametrize(
    ("version", "tool"),
    [
        ("2024-11-05", OLDEST),
        ("2025-03-26", ANNOTATED),
        ("2025-06-18", COMPLETE),
        ("2025-11-25", COMPLETE),
    ],
)
def test_a_session_s_list_has_the_members_that_its_version_knows_and_nothing_of_the_modern_era(
    wire: Wire, version: str, tool: dict[str, Any]
) -> None:
    wire.send(initialize(version))

    assert wire.send(legacy("tools/list")) == result(1, {"tools": [tool, STAY]})


@pytest.mark.requirement("result-type", "cache-hint")
def test_a_modern_list_says_how_long_it_may_be_kept_and_who_answered(wire: Wire) -> None:
    assert wire.send(modern("tools/list")) == result(1, {"tools": [COMPLETE, STAY], **MODERN_MEMBERS})


@pytest.mark.requirement("discover")
def test_discover_names_every_version_and_the_capabilities(wire: Wire) -> None:
    members = {"supportedVersions": SUPPORTED, "capabilities": {"tools": {}}, **MODERN_MEMBERS}

    assert wire.send(modern("server/discover")) == result(1, members)


@pytest.mark.requirement("discover-cached")
def test_discover_has_instructions_where_there_are_some_and_the_usual_cache_hint() -> None:
    server_info = {
        "name": "fixture",
        "version": "1.0",
        "title": "Fixture",
        "description": "A server for tests",
        "websiteUrl": "https://fixture.example",
    }
    members = {
        "supportedVersions": SUPPORTED,
        "capabilities": {"tools": {}},
        "instructions": "Call echo.",
        "ttlMs": 300_000,
        "cacheScope": "public",
        "resultType": "complete",
        "_meta": {SERVER_INFO_KEY: server_info},
    }

    assert Wire(fixture_server()).send(modern("server/discover")) == result(1, members)


@pytest.mark.requirement("ping")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_ping_is_answered_by_exactly_an_empty_object(wire: Wire, version: str) -> None:
    wire.send(initialize(version))

    assert wire.send(legacy("ping")).body == b'{"jsonrpc":"2.0","id":1,"result":{}}'


NO_SUCH_PAGE = error(
    200,
    1,
    -32602,
    "Invalid cursor: it was not given out for this list; ask again without a cursor",
)


@pytest.mark.requirement("cursor-invalid")
@pytest.mark.parametrize("cursor", ["", "x", "0", None, 1])
@pytest.mark.parametrize("ask", [legacy, modern])
def test_a_cursor_that_was_never_given_out_is_invalid(
    wire: Wire, ask: Callable[..., HttpRequest], cursor: object
) -> None:
    wire.send(initialize())

    assert wire.send(ask("tools/list", {"cursor": cursor})) == NO_SUCH_PAGE
