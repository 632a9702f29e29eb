"""Registering functions as tools."""

import pytest

from mcpcore import CacheHint, DefinitionError, Server
from mcpcore.definitions.built import tool_to_wire


def plain(text: str) -> str:
    """Say it.

    More of it.
    """
    return text


def test_registering_leaves_the_function_as_it_was() -> None:
    server = Server("s", version="1")

    @server.tool()
    def shout(text: str) -> str:
        """Say it louder."""
        return text.upper()

    assert (shout("a"), server.tool()(plain)) == ("A", plain)


def test_name_and_description_are_the_function_s_own_unless_given() -> None:
    server = Server("s", version="1")
    server.tool()(plain)
    server.tool(name="other", description="Another.")(plain)

    found = [(tool.name, tool.description) for tool in server.build().tools.values()]
    assert found == [("plain", "Say it.\n\nMore of it."), ("other", "Another.")]


class Said:
    """One with a method."""

    def say(self) -> str:
        """Say it."""
        return "it"


class SaidAnew(Said):
    """One that overrides it."""

    def say(self) -> str:
        return "it anew"


def test_a_method_describes_itself_and_not_what_overrides_it() -> None:
    server, other = Server("s", version="1"), Server("s", version="1")
    server.tool()(Said().say)
    other.tool()(SaidAnew().say)

    assert server.build().tools["say"].description == "Say it."
    with pytest.raises(DefinitionError, match="say: a tool needs a description"):
        other.build()


@pytest.mark.requirement("tool-annotations")
@pytest.mark.parametrize(
    ("hints", "annotations"),
    [
        ({"read_only": True}, {"readOnlyHint": True}),
        ({"destructive": False}, {"destructiveHint": False}),
        ({"idempotent": True}, {"idempotentHint": True}),
        ({"open_world": False}, {"openWorldHint": False}),
    ],
)
def test_a_hint_that_is_given_is_shown_whether_true_or_false(
    hints: dict[str, bool], annotations: dict[str, bool]
) -> None:
    server = Server("s", version="1")
    server.tool(
        read_only=hints.get("read_only"),
        destructive=hints.get("destructive"),
        idempotent=hints.get("idempotent"),
        open_world=hints.get("open_world"),
    )(plain)

    wire = tool_to_wire(server.build().tools["plain"], "2025-11-25")

    assert wire["annotations"] == annotations


def test_a_server_that_says_nothing_of_caching_lets_answers_be_shared_for_five_minutes() -> None:
    assert CacheHint() == (300_000, "public")


def test_two_servers_share_nothing() -> None:
    first, second = Server("a", version="1"), Server("b", version="1")
    first.tool()(plain)

    assert (list(first.build().tools), list(second.build().tools)) == (["plain"], [])


def test_a_tool_added_after_a_build_is_in_the_next_build_only() -> None:
    server = Server("s", version="1")
    before = server.build()
    server.tool()(plain)

    assert (list(before.tools), list(server.build().tools)) == ([], ["plain"])
