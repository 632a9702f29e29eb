"""Definitions from JSON: they are listed as written, and each has a handler."""

import functools
import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import Context, DefinitionError, Server
from mcpcore.testing import Client

ICONS = [{"src": "a:b", "mimeType": "image/png", "sizes": ["any"], "theme": "dark"}, {"src": "a:c"}]
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"word": {"type": "string", "x-mcp-header": "Word"}},
    "required": ["word"],
}
HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
FULL_TOOL = {
    "name": "say",
    "description": "Say a word.",
    "title": "Say",
    "inputSchema": SCHEMA,
    "annotations": HINTS,
    "icons": ICONS,
}
BARE_TOOL = {"name": "rest", "description": "Say nothing.", "inputSchema": {"type": "object"}}
TOOLS = [FULL_TOOL, BARE_TOOL]
RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "book://motto",
        "name": "motto",
        "title": "Motto",
        "description": "What we live by.",
        "mimeType": "text/plain",
        "annotations": {"priority": 1},
        "icons": ICONS,
        "size": 3,
    },
    {"uri": "book://bare", "name": "bare"},
]
TEMPLATES = [{"uriTemplate": "book://pages/{number}", "name": "page", "description": "A page."}]
PROMPTS: list[dict[str, Any]] = [
    {
        "name": "greet",
        "title": "Greet",
        "description": "Greet somebody.",
        "arguments": [
            {"name": "name", "required": True, "description": "Whom."},
            {"name": "tone", "required": False},
        ],
        "icons": ICONS,
    },
    {"name": "bare"},
]


def say(word: str) -> str:
    return word


def rest() -> str:
    return ""


def page(number: str) -> str:
    return f"Page {number}"


def greet(name: str, tone: str = "warm") -> str:
    return f"{tone} {name}"


HANDLERS: dict[str, Callable[..., Any]] = {
    "say": say,
    "rest": rest,
    "book://motto": rest,
    "book://bare": rest,
    "book://pages/{number}": page,
    "book://{x}": rest,
    "greet": greet,
    "bare": rest,
    "unused": say,
}


@pytest.fixture(scope="module")
def client() -> Client:
    """A client of a server that was loaded from definitions."""
    server = Server("loaded", version="1")
    server.load_tools(json.dumps(TOOLS), HANDLERS)
    server.load_resources(json.dumps(RESOURCES + TEMPLATES).encode(), HANDLERS)
    server.load_prompts(json.dumps(PROMPTS), HANDLERS)
    return Client(server)


def test_definitions_are_listed_as_they_were_written(client: Client) -> None:
    assert client.list_tools() == TOOLS
    assert client.list_resources() == RESOURCES
    assert client.list_resource_templates() == TEMPLATES
    assert client.list_prompts() == PROMPTS


def test_definitions_are_answered_by_their_handlers(client: Client) -> None:
    assert client.call_tool("say", word="hi").text == "hi"
    assert client.read_resource("book://pages/3") == [{"uri": "book://pages/3", "text": "Page 3"}]
    assert client.get_prompt("greet", name="Ada")[0]["content"]["text"] == "warm Ada"


@pytest.mark.parametrize("hint", HINTS)
def test_only_the_hints_of_a_definition_are_listed(hint: str) -> None:
    server = Server("loaded", version="1")
    server.load_tools(json.dumps([{**BARE_TOOL, "annotations": {hint: HINTS[hint]}}]), HANDLERS)

    assert server.build().tools["rest"].annotations == {hint: HINTS[hint]}


class Counter:
    """An object that can be called."""

    def __call__(self, *, context: Context, **arguments: Any) -> dict[str, Any]:
        return {"version": context.protocol_version, **arguments}


def count(start: int, *, context: Context, **arguments: Any) -> dict[str, Any]:
    return {"version": context.protocol_version, "start": start, **arguments}


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (Counter(), {"version": "2026-07-28", "other": 1}),
        (functools.partial(functools.partial(count, 3)), {"version": "2026-07-28", "start": 3, "other": 1}),
    ],
)
def test_a_handler_may_be_a_partial_or_a_callable_object_and_clients_cannot_pass_the_context(
    handler: Callable[..., Any], expected: dict[str, Any]
) -> None:
    schema = {"type": "object"}
    definition = {"name": "count", "description": "d", "inputSchema": schema, "outputSchema": schema}
    server = Server("loaded", version="1")
    server.load_tools(json.dumps([definition]), {"count": handler})

    assert Client(server).call_tool("count", {"context": {}, "other": 1}).structured == expected


NOT_JSON = "the definitions are not JSON: "
NOT_ARRAY = "the definitions must be an array of objects"
NO_HANDLER = "no handler was given for this definition"
BAD_ICONS = "icons must be an array of objects with a src"


@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
@pytest.mark.parametrize(
    ("definitions", "where", "problem"),
    [
        *((text, None, NOT_JSON) for text in ("", "{", b"\xff")),
        *((text, None, NOT_ARRAY) for text in ("{}", "null", '["say"]', "[null]")),
        ("[{}]", "None", NO_HANDLER),
        ('[{"name":"nope","uri":"nope"}]', "nope", NO_HANDLER),
        ('[{"name":["say"],"uri":["say"]}]', "['say']", NO_HANDLER),
        ('[{"name":"say","uri":"say","icons":5}]', "say", BAD_ICONS),
        ('[{"name":"say","uri":"say","icons":[{"mimeType":"x"}]}]', "say", BAD_ICONS),
    ],
)
def test_definitions_that_cannot_be_read_or_have_no_handler_are_refused(
    kind: str, definitions: str | bytes, where: str | None, problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        getattr(Server("loaded", version="1"), f"load_{kind}")(definitions, HANDLERS)

    found = refused.value
    assert (found.where, found.problem[: len(problem)]) == (where or kind, problem)


BAD_ARGUMENTS = "greet: arguments must be an array of objects with a name"


@pytest.mark.parametrize(
    ("kind", "definition", "problem"),
    [
        ("tools", {**BARE_TOOL, "annotations": []}, "rest: annotations must be an object"),
        ("tools", {"name": "rest", "description": "x"}, "rest: an input schema must have the type object"),
        ("tools", {**BARE_TOOL, "description": ""}, "rest: a tool needs a description or a docstring"),
        ("prompts", {"name": "greet", "arguments": [{"description": "x"}]}, BAD_ARGUMENTS),
        ("prompts", {"name": "greet", "arguments": {"name": "x"}}, BAD_ARGUMENTS),
        (
            "prompts",
            {"name": "greet", "arguments": [{"name": "other"}]},
            "greet: its function takes ['name', 'tone'], but must take ['other']",
        ),
        (
            "resources",
            {"uri": "book://{x}", "name": "x"},
            "book://{x}: its function takes nothing, but must take ['x']",
        ),
    ],
)
def test_a_faulty_definition_is_refused_under_its_name(
    kind: str, definition: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        load_and_build(kind, definition)

    assert str(refused.value).startswith(problem)


def load_and_build(kind: str, definition: dict[str, Any]) -> None:
    server = Server("loaded", version="1")
    getattr(server, f"load_{kind}")(json.dumps([definition]), HANDLERS)
    server.build()
