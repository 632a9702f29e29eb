"""Registration: the decorators of `Server`, and the names and descriptions that they take from functions."""

from typing import Any

import pytest

from mcpcore import DefinitionError, PromptArgument, Server
from mcpcore.definitions.built import tool_to_wire
from mcpcore.testing import Client


def plain(text: str = "x") -> str:
    """Say it.

    More of it.
    """
    return text


def completing(value: str, arguments: object) -> list[str]:
    return [value, str(arguments)]


def test_decorators_return_the_function_unchanged() -> None:
    server = Server("s", version="1")

    assert server.tool(plain) is plain
    assert server.tool("other")(plain) is plain
    assert server.prompt(plain) is plain
    assert server.prompt("other")(plain) is plain
    assert server.resource("a:{text}")(plain) is plain
    assert server.completion("text", prompt="plain")(completing) is completing


def test_a_tool_and_a_prompt_can_be_decorated_without_parentheses() -> None:
    server = Server("s", version="1")

    @server.tool
    def shout(text: str) -> str:
        """Say it louder."""
        return text.upper()

    @server.prompt
    def greet(name: str) -> str:
        """Greet somebody."""
        return f"Hello, {name}"

    client = Client(server)
    assert client.call_tool("shout", text="a").text == "A"
    assert client.get_prompt("greet", name="Ada")[0]["content"]["text"] == "Hello, Ada"


def test_options_beside_the_function_itself_are_applied() -> None:
    server: Any = Server("s", version="1")
    server.tool(plain, title="T", read_only=True)
    server.prompt(plain, title="P")
    client = Client(server)

    (tool,), (prompt,) = client.list_tools(), client.list_prompts()
    assert (tool["name"], tool["title"], tool["annotations"]) == ("plain", "T", {"readOnlyHint": True})
    assert (prompt["name"], prompt["title"]) == ("plain", "P")


def test_a_resource_without_parentheses_is_refused_with_the_line_to_write() -> None:
    server: Any = Server("s", version="1")

    with pytest.raises(DefinitionError) as refused:
        server.resource(plain)

    assert str(refused.value) == 'plain: a resource needs a URI: write @server.resource("notes://today")'


def test_a_completion_without_parentheses_is_refused_with_the_line_to_write() -> None:
    server: Any = Server("s", version="1")

    with pytest.raises(DefinitionError) as refused:
        server.completion(completing)

    assert str(refused.value) == (
        'completing: a completion needs an argument: write @server.completion("city", prompt="plan")'
    )


@pytest.mark.parametrize(("prompt", "resource"), [(None, None), ("p", "a:{x}")])
def test_a_completion_is_for_either_a_prompt_or_a_template(prompt: str | None, resource: str | None) -> None:
    with pytest.raises(DefinitionError) as refused:
        Server("s", version="1").completion("x", prompt=prompt, resource=resource)

    assert str(refused.value) == "x: a completion is either for a prompt or for a resource template"


def test_names_and_descriptions_come_from_the_function_unless_they_are_passed() -> None:
    server = Server("s", version="1")
    for register in (server.tool, server.prompt):
        register()(plain)
        register("second", description="Another.")(plain)
        register(name="third", description="Another.")(plain)
    server.resource("a:1")(lambda_free)
    server.resource("a:2", name="second", description="Another.")(lambda_free)
    client = Client(server)

    names = [("plain", "Say it.\n\nMore of it."), ("second", "Another."), ("third", "Another.")]
    assert [(tool["name"], tool["description"]) for tool in client.list_tools()] == names
    assert [(prompt["name"], prompt["description"]) for prompt in client.list_prompts()] == names
    assert [(each["name"], each.get("description")) for each in client.list_resources()] == [
        ("lambda_free", None),
        ("second", "Another."),
    ]


def lambda_free() -> str:
    return ""


class Speaker:
    def say(self) -> str:
        """Say it."""
        return "it"


class QuietSpeaker(Speaker):
    def say(self) -> str:
        return "it again"


def test_a_method_does_not_inherit_the_docstring_of_the_method_it_overrides() -> None:
    server, other = Server("s", version="1"), Server("s", version="1")
    server.tool()(Speaker().say)
    other.tool()(QuietSpeaker().say)

    assert server.build().tools["say"].description == "Say it."
    with pytest.raises(DefinitionError, match="say: a tool needs a description or a docstring"):
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
def test_only_the_hints_that_are_passed_are_listed(
    hints: dict[str, bool], annotations: dict[str, bool]
) -> None:
    server: Any = Server("s", version="1")
    server.tool(**hints)(plain)

    assert tool_to_wire(server.build().tools["plain"], "2025-11-25")["annotations"] == annotations


def test_two_servers_share_nothing_and_a_build_does_not_change_later() -> None:
    first, second = Server("a", version="1"), Server("b", version="1")
    before = first.build()
    first.tool(plain)

    assert (list(before.tools), list(first.build().tools)) == ([], ["plain"])
    assert list(second.build().tools) == []


def test_arguments_of_a_prompt_can_be_declared_in_another_order() -> None:
    def two(x: str, y: str = "") -> str:
        return x + y

    declared = (PromptArgument("y", "The y.", True), PromptArgument("x", "The x.", True))
    server = Server("s", version="1")
    server.prompt(arguments=declared)(two)

    assert server.build().prompts["two"].arguments == declared
