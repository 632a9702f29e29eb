"""The list methods: the members of each version, pages, and cursors that cannot be forged."""

import base64
import string
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from mcpcore import CacheHint, ResourceInfo, Server, ToolResult
from mcpcore.protocol.errors import InvalidParams
from mcpcore.testing import Client
from tests.support.messages import (
    LEGACY_VERSIONS,
    MODERN,
    SERVER_INFO_KEY,
    error,
    result,
)
from tests.support.servers import Wire
from tests.support.versions import ask


class Reply(TypedDict):
    text: str


def say(
    text: Annotated[str, Field(description="What to say.", max_length=9)], times: int = 1
) -> ToolResult[Reply]:
    """Say it."""
    return ToolResult({"text": text * times}, text * times)


def fixed() -> str:
    """Say nothing."""
    return ""


def of_word(word: str = "x") -> str:
    """Say the word."""
    return word


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
FIXED = {
    "name": "fixed",
    "description": "Say nothing.",
    "inputSchema": {"additionalProperties": False, "properties": {}, "type": "object"},
}
OLDEST = {"name": "say", "description": "Say it.", "inputSchema": SAY_INPUT}
COMPLETE = {
    "name": "say",
    "description": "Say it.",
    "title": "Say",
    "inputSchema": SAY_INPUT,
    "outputSchema": SAY_OUTPUT,
    "annotations": HINTS,
}
MODERN_MEMBERS = {
    "ttlMs": 60_000,
    "cacheScope": "private",
    "resultType": "complete",
    "_meta": {SERVER_INFO_KEY: {"name": "lists", "version": "2"}},
}


@pytest.mark.requirement("legacy-results-bare", "result-type", "cache-hint")
@pytest.mark.parametrize(
    ("version", "tool", "members"),
    [
        ("2024-11-05", OLDEST, {}),
        ("2025-03-26", {**OLDEST, "annotations": HINTS}, {}),
        ("2025-06-18", COMPLETE, {}),
        ("2025-11-25", COMPLETE, {}),
        (MODERN, COMPLETE, MODERN_MEMBERS),
    ],
)
def test_a_list_has_the_members_that_its_version_knows(
    version: str, tool: dict[str, Any], members: dict[str, Any]
) -> None:
    server = Server("lists", version="2", cache=CacheHint(60_000, "private"))
    server.tool(title="Say", read_only=True, destructive=False, idempotent=True, open_world=False)(say)
    server.tool(fixed)

    assert ask(Wire(server), version, "tools/list") == result(1, {"tools": [tool, FIXED], **members})


LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


def numbered(length: int, page_size: int, version: str = MODERN) -> Client:
    """A client of a server with so many items in each list."""
    server = Server("numbered", version="1", page_size=page_size)
    for number in range(length):
        server.tool(f"n{number}")(of_word)
        server.prompt(f"n{number}")(of_word)
        server.resource(f"n:{number}", name=f"n{number}")(fixed)
        server.resource(f"n:{number}/{{word}}", name=f"n{number}")(of_word)
    server.prompt("one")(fixed)
    server.resource("one:1", name="one")(fixed)
    server.resource("one:{word}", name="one")(of_word)
    server.tool("one")(of_word)
    return Client(server, protocol_version=version)


def pages(client: Client, method: str) -> list[list[str]]:
    """The names on each page of a list."""
    found = client.request(method)
    names = [[item["name"] for item in found[LISTS[method]]]]
    while "nextCursor" in found:
        found = client.request(method, {"cursor": found["nextCursor"]})
        names.append([item["name"] for item in found[LISTS[method]]])
    return names


@pytest.mark.requirement("pages", "pages-end")
@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize(
    ("length", "page_size", "expected"),
    [
        (0, 2, [["one"]]),
        (1, 2, [["n0", "one"]]),
        (2, 2, [["n0", "n1"], ["one"]]),
        (3, 2, [["n0", "n1"], ["n2", "one"]]),
        (2, 1, [["n0"], ["n1"], ["one"]]),
        (2, 50, [["n0", "n1", "one"]]),
    ],
)
def test_the_pages_of_every_list_have_each_item_once_in_order_and_none_is_empty(
    version: str, method: str, length: int, page_size: int, expected: list[list[str]]
) -> None:
    assert pages(numbered(length, page_size, version), method) == expected


@pytest.mark.requirement("list-empty")
@pytest.mark.parametrize(
    ("uri", "function", "method"),
    [("n:1", fixed, "resources/templates/list"), ("n:{word}", of_word, "resources/list")],
)
def test_a_list_is_an_array_even_when_it_is_empty(
    uri: str, function: Callable[..., str], method: str
) -> None:
    server = Server("one", version="1")
    server.resource(uri)(function)

    assert pages(Client(server), method) == [[]]


@pytest.mark.requirement("cache-hint", "cursor-stateless")
def test_a_later_page_has_the_members_of_the_first_and_every_instance_makes_the_same_cursor() -> None:
    first, second = numbered(8, 2).request("tools/list"), numbered(8, 2).request("tools/list")
    later = numbered(8, 2).request("tools/list", {"cursor": first["nextCursor"]})

    assert first["nextCursor"] == second["nextCursor"] == CURSOR
    assert (later["ttlMs"], later["cacheScope"], later["resultType"]) == (300_000, "public", "complete")


CURSOR = "AAAAAoMNmI0u07iRePIuYQ=="
INVALID = "Invalid cursor: it was not given out for this list; ask again without a cursor"
NOT_CURSORS: list[object] = [
    *("", "x", "0", " ", "é", "\ud800", "\0", "A" * 100_000),
    *(CURSOR + "x", CURSOR + "\n", CURSOR + "-TAMPERED", " " + CURSOR, CURSOR + CURSOR, CURSOR.upper()),
    *(CURSOR[:-1], CURSOR[:8], CURSOR.rstrip("="), base64.urlsafe_b64encode(b"\0\0\0\2").decode()),
    *(True, 0, 2.5, [], {}),
]


@pytest.mark.requirement("cursor-invalid", "cursor-empty")
@pytest.mark.parametrize("version", [*LEGACY_VERSIONS[-1:], MODERN])
@pytest.mark.parametrize("cursor", NOT_CURSORS)
def test_a_cursor_that_was_never_given_out_is_invalid(version: str, cursor: object) -> None:
    server = Server("one", version="1")
    server.tool(of_word)

    assert ask(Wire(server), version, "tools/list", {"cursor": cursor}) == error(200, 1, -32602, INVALID)


@pytest.mark.requirement("page-bytes")
@pytest.mark.parametrize("version", [*LEGACY_VERSIONS[-1:], MODERN])
def test_a_page_ends_before_a_megabyte_but_has_at_least_one_item(version: str) -> None:
    server = Server("large", version="1")
    for name, length in [("a", 400_000), ("b", 400_000), ("c", 400_000), ("d", 2_000_000), ("e", 1)]:
        server.tool(name, description="x" * length)(of_word)

    found = pages(Client(server, protocol_version=version), "tools/list")

    assert found == [["a", "b"], ["c"], ["d"], ["e"]]


@pytest.mark.requirement("cursor-invalid")
def test_a_cursor_that_differs_in_any_one_character_is_invalid() -> None:
    client = numbered(8, 2)
    letters = string.ascii_letters + string.digits + "-_+/="
    changed = {
        CURSOR[:place] + letter + CURSOR[place + 1 :] for place in range(len(CURSOR)) for letter in letters
    }

    assert [cursor for cursor in changed if accepted(client, cursor)] == [CURSOR]


def accepted(client: Client, cursor: str, method: str = "tools/list") -> bool:
    try:
        client.request(method, {"cursor": cursor})
    except InvalidParams:
        return False
    return True


@pytest.mark.requirement("cursor-of-another-list")
@pytest.mark.parametrize(
    ("length", "page_size", "method", "expected"),
    [
        (8, 2, "tools/list", True),
        (9, 2, "tools/list", False),
        (8, 3, "tools/list", False),
        (8, 2, "prompts/list", False),
    ],
)
def test_a_cursor_is_valid_for_one_list_of_one_length_and_can_be_used_again(
    length: int, page_size: int, method: str, expected: bool
) -> None:
    client = numbered(length, page_size)

    assert [accepted(client, CURSOR, method) for _ in range(2)] == [expected, expected]


def with_instances(fixed_instances: bool) -> tuple[Server, list[int]]:
    """A server with a template of three instances, and a list that grows when they are asked for."""
    asked: list[int] = []

    def instances() -> list[ResourceInfo]:
        asked.append(1)
        return [ResourceInfo(f"n:{name}", name) for name in "abc"]

    server = Server("one", version="1", page_size=2)
    server.resource("n:0", name="fixed")(fixed)
    server.resource("n:{word}", instances=instances, fixed=fixed_instances)(of_word)
    server.resource("m:{word}", instances=list, fixed=True)(of_word)
    return server, asked


@pytest.mark.parametrize(("fixed_instances", "times"), [(True, 0), (False, 2)])
@pytest.mark.parametrize("prebuilt", [False, True])
def test_fixed_instances_are_listed_when_the_server_is_built_and_others_for_each_request(
    fixed_instances: bool, times: int, prebuilt: bool
) -> None:
    file = with_instances(fixed_instances)[0].prebuild() if prebuilt else None
    server, asked = with_instances(fixed_instances)
    client = Client(server.build(file))
    built = len(asked)

    first = [[item["name"] for item in client.request("resources/list")["resources"]] for _ in range(2)]

    assert first == [["fixed", "a"], ["fixed", "a"]]
    assert (len(asked) - built, bool(built)) == (times, fixed_instances and not prebuilt)


def test_pages_go_on_through_the_instances_of_templates() -> None:
    assert pages(Client(with_instances(True)[0]), "resources/list") == [["fixed", "a"], ["b", "c"]]
