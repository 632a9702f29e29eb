"""Lists by pages: every item once, in order, whatever the size of a page."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mcpcore import ResourceInfo, Server
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.methods.pagination import Chain, Page, page_at
from mcpcore.protocol.errors import InvalidParams
from tests.support.messages import SUPPORTED, initialize, legacy, modern
from tests.support.servers import Wire


def walk(items: Sequence[Any], size: int) -> list[list[Any]]:
    """The pages of a list, as a client finds them that follows its cursors."""
    page = page_at(items, None, first=True, size=size, name="list")
    pages = [[*page.items]]
    while page.next_cursor is not None:
        page = page_at(items, page.next_cursor, first=False, size=size, name="list")
        pages.append([*page.items])
    return pages


@pytest.mark.requirement("pages")
@pytest.mark.parametrize(
    ("length", "size", "expected"),
    [
        (0, 2, [[]]),
        (1, 2, [[0]]),
        (2, 2, [[0, 1]]),
        (3, 2, [[0, 1], [2]]),
        (4, 2, [[0, 1], [2, 3]]),
        (5, 1, [[0], [1], [2], [3], [4]]),
        (3, 50, [[0, 1, 2]]),
    ],
)
def test_following_the_cursors_gives_every_item_once_and_no_empty_page_at_the_end(
    length: int, size: int, expected: list[list[int]]
) -> None:
    assert walk(range(length), size) == expected


@pytest.mark.requirement("cursor-empty")
@pytest.mark.parametrize("cursor", ["", None, 0, "x"])
def test_a_cursor_that_was_sent_counts_even_when_it_is_empty(cursor: object) -> None:
    with pytest.raises(InvalidParams):
        page_at(range(3), cursor, first=False, size=2, name="list")


NEXT = page_at(range(5), None, first=True, size=2, name="list").next_cursor


@pytest.mark.parametrize(("length", "size", "name"), [(6, 2, "list"), (5, 3, "list"), (5, 2, "other")])
def test_a_cursor_holds_for_one_list_of_one_length(length: int, size: int, name: str) -> None:
    with pytest.raises(InvalidParams):
        page_at(range(length), NEXT, first=False, size=size, name=name)


def test_a_cursor_can_be_used_again() -> None:
    pages = [page_at(range(5), NEXT, first=False, size=2, name="list") for _ in range(2)]

    assert pages[0] == pages[1] == Page(range(2, 4), pages[0].next_cursor)


CHAIN = Chain(([1, 2], [], (3,), [4, 5]))


def test_a_chain_is_its_parts_one_after_the_other() -> None:
    assert ([*CHAIN], len(CHAIN), CHAIN[1:4], CHAIN[2], CHAIN[-1]) == ([1, 2, 3, 4, 5], 5, [2, 3, 4], 3, 5)


@pytest.mark.parametrize("place", [5, -6])
def test_there_is_nothing_beyond_the_ends_of_a_chain(place: int) -> None:
    with pytest.raises(IndexError):
        CHAIN[place]


KINDS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


def say(word: str = "x") -> str:
    """Say a word."""
    return word


def fixed() -> str:
    """Say nothing else."""
    return "x"


def of_word(word: str) -> str:
    """Say the word."""
    return word


def numbered(page_size: int) -> Wire:
    """A server with three of each kind, and a session."""
    server = Server("numbered", version="1", page_size=page_size)
    for number in "123":
        server.tool(f"n{number}")(say)
        server.prompt(f"n{number}")(say)
        server.resource(f"n:{number}", name=f"n{number}")(fixed)
        server.resource(f"n:{number}/{{word}}", name=f"n{number}")(of_word)
    wire = Wire(server)
    wire.send(initialize())
    return wire


def listed(response: HttpResponse, member: str) -> tuple[list[str], Any]:
    """The names on a page, and the cursor of the next one."""
    found = json.loads(response.body)["result"]
    return [item["name"] for item in found[member]], found.get("nextCursor")


@pytest.mark.requirement("pages")
@pytest.mark.parametrize("ask", [legacy, modern])
@pytest.mark.parametrize(("method", "member"), KINDS.items())
def test_every_list_of_the_protocol_is_paged(
    ask: Callable[..., HttpRequest], method: str, member: str
) -> None:
    wire = numbered(page_size=2)
    first, cursor = listed(wire.send(ask(method)), member)
    second, end = listed(wire.send(ask(method, {"cursor": cursor})), member)

    assert (first, second, end) == (["n1", "n2"], ["n3"], None)


@pytest.mark.requirement("pages-end")
@pytest.mark.parametrize(("method", "member"), KINDS.items())
def test_a_list_that_fits_on_one_page_has_no_cursor(method: str, member: str) -> None:
    assert listed(numbered(page_size=3).send(modern(method)), member) == (["n1", "n2", "n3"], None)


@pytest.mark.requirement("cache-hint")
def test_every_page_says_how_long_it_may_be_kept() -> None:
    wire = numbered(page_size=2)
    cursor = json.loads(wire.send(modern("tools/list")).body)["result"]["nextCursor"]

    found = json.loads(wire.send(modern("tools/list", {"cursor": cursor})).body)["result"]

    assert (found["ttlMs"], found["cacheScope"], found["resultType"]) == (300_000, "public", "complete")


@pytest.mark.requirement("cursor-of-another-list")
def test_a_cursor_of_one_list_is_none_of_another() -> None:
    wire = numbered(page_size=2)
    cursor = json.loads(wire.send(modern("tools/list")).body)["result"]["nextCursor"]

    assert b'"code":-32602' in wire.send(modern("prompts/list", {"cursor": cursor})).body


@pytest.mark.requirement("list-empty")
@pytest.mark.parametrize(
    ("uri", "function", "method", "member"),
    [
        ("n:1", fixed, "resources/templates/list", "resourceTemplates"),
        ("n:{word}", of_word, "resources/list", "resources"),
    ],
)
def test_a_list_is_an_array_even_when_it_is_empty(
    uri: str, function: Callable[..., str], method: str, member: str
) -> None:
    server = Server("one", version="1")
    server.resource(uri)(function)

    assert listed(Wire(server).send(modern(method)), member) == ([], None)


def counting(fixed: bool) -> tuple[Server, list[int]]:
    """A server with a template of one instance, and how often its instances were asked for."""
    asked: list[int] = []

    def instances() -> list[ResourceInfo]:
        asked.append(1)
        return [ResourceInfo("n:a", "a")]

    server = Server("one", version="1")
    server.resource("n:{word}", instances=instances, fixed=fixed)(of_word)
    return server, asked


@pytest.mark.parametrize(("fixed", "times"), [(True, 0), (False, 2)])
def test_fixed_instances_are_asked_for_when_the_server_is_built_and_no_more(fixed: bool, times: int) -> None:
    server, asked = counting(fixed)
    wire = Wire(server)
    asked.clear()

    for _ in range(2):
        assert listed(wire.send(modern("resources/list")), "resources") == (["a"], None)

    assert len(asked) == times


def test_a_server_that_was_prepared_does_not_even_ask_when_it_is_built() -> None:
    prepared = counting(fixed=True)[0].prebuild()
    server, asked = counting(fixed=True)

    assert listed(Wire(server.build(prepared)).send(modern("resources/list")), "resources") == (["a"], None)
    assert asked == []


def test_one_template_whose_instances_change_makes_the_whole_list_anew() -> None:
    server, asked = counting(fixed=True)
    server.resource("m:{word}", instances=lambda: [ResourceInfo(f"m:{len(asked)}", "b")])(of_word)

    assert (SUPPORTED[0], "resources/list") not in server.build().constants
