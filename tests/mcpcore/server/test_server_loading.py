"""Tools, resources and prompts from JSON definitions: as they are written, with a handler for each."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import DefinitionError, Server
from tests.support.messages import SERVER_INFO_KEY, modern, result
from tests.support.servers import Wire

TAIL = {
    "ttlMs": 300_000,
    "cacheScope": "public",
    "resultType": "complete",
    "_meta": {SERVER_INFO_KEY: {"name": "loaded", "version": "1"}},
}
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
    "greet": greet,
    "bare": rest,
    "unused": say,
}


def loaded() -> Server:
    """A server that was put together from definitions."""
    server = Server("loaded", version="1")
    server.load_tools(json.dumps(TOOLS), HANDLERS)
    server.load_resources(json.dumps(RESOURCES + TEMPLATES).encode(), HANDLERS)
    server.load_prompts(json.dumps(PROMPTS), HANDLERS)
    return server


@pytest.mark.parametrize(
    ("method", "member", "expected"),
    [
        ("tools/list", "tools", TOOLS),
        ("resources/list", "resources", RESOURCES),
        ("resources/templates/list", "resourceTemplates", TEMPLATES),
        ("prompts/list", "prompts", PROMPTS),
    ],
)
def test_what_was_defined_is_listed_as_it_was_written(
    method: str, member: str, expected: list[dict[str, Any]]
) -> None:
    assert Wire(loaded()).send(modern(method)) == result(1, {member: expected, **TAIL})


@pytest.mark.parametrize(
    ("method", "params", "headers", "expected"),
    [
        (
            "tools/call",
            {"name": "say", "arguments": {"word": "hi"}},
            {"mcp-param-word": "hi"},
            b'"text":"hi"',
        ),
        ("resources/read", {"uri": "book://pages/3"}, {}, b'"text":"Page 3"'),
        ("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}, {}, b'"text":"warm Ada"'),
    ],
)
def test_what_was_defined_is_answered_by_its_handler(
    method: str, params: dict[str, Any], headers: dict[str, str], expected: bytes
) -> None:
    assert expected in Wire(loaded()).send(modern(method, params, headers=headers)).body


@pytest.mark.parametrize("hint", HINTS)
def test_hints_that_are_not_given_are_not_made_up(hint: str) -> None:
    server = Server("loaded", version="1")
    server.load_tools(json.dumps([{**BARE_TOOL, "annotations": {hint: HINTS[hint]}}]), HANDLERS)

    assert server.build().tools["rest"].annotations == {hint: HINTS[hint]}


@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
@pytest.mark.parametrize("definitions", ["[]", b"[]"])
def test_no_definitions_are_no_offers(kind: str, definitions: str | bytes) -> None:
    server = Server("loaded", version="1")
    getattr(server, f"load_{kind}")(definitions, {})

    assert server.build().capabilities["2026-07-28"] == {}


NO_JSON = "the definitions are not JSON: "
NO_ARRAY = "the definitions must be an array of objects"
NO_HANDLER = "no handler was given for this definition"


@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
@pytest.mark.parametrize(
    ("definitions", "where", "problem"),
    [
        ("", None, NO_JSON),
        ("{", None, NO_JSON),
        (b"\xff", None, NO_JSON),
        ("{}", None, NO_ARRAY),
        ("null", None, NO_ARRAY),
        ('["say"]', None, NO_ARRAY),
        ("[null]", None, NO_ARRAY),
        ("[{}]", "None", NO_HANDLER),
        ('[{"name":"nope","uri":"nope"}]', "nope", NO_HANDLER),
        ('[{"name":["say"],"uri":["say"]}]', "['say']", NO_HANDLER),
        ('[{"name":"say","uri":"say","icons":5}]', "say", "icons must be an array of objects with a src"),
        (
            '[{"name":"say","uri":"say","icons":[{"mimeType":"x"}]}]',
            "say",
            "icons must be an array of objects with a src",
        ),
    ],
)
def test_definitions_that_cannot_be_read_or_have_no_handler_are_refused(
    kind: str, definitions: str | bytes, where: str | None, problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        getattr(Server("loaded", version="1"), f"load_{kind}")(definitions, HANDLERS)

    found = refused.value
    assert (found.where, found.problem[: len(problem)]) == (where or kind, problem)


@pytest.mark.parametrize(
    ("kind", "definition", "problem"),
    [
        ("tools", {**BARE_TOOL, "annotations": []}, "rest: annotations must be an object"),
        (
            "prompts",
            {"name": "greet", "arguments": [{"description": "x"}]},
            "greet: arguments must be an array of objects with a name",
        ),
        (
            "prompts",
            {"name": "greet", "arguments": {"name": "x"}},
            "greet: arguments must be an array of objects with a name",
        ),
        (
            "tools",
            {"name": "rest", "description": "x"},
            "rest: an input schema must have the type object at its root",
        ),
        (
            "tools",
            {**BARE_TOOL, "description": ""},
            "rest: a tool needs a description, or a docstring that serves as one",
        ),
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
def test_a_definition_that_is_wrong_is_named(kind: str, definition: dict[str, Any], problem: str) -> None:
    server = Server("loaded", version="1")
    handlers = {**HANDLERS, "book://{x}": rest}

    with pytest.raises(DefinitionError) as refused:
        build_of(server, kind, definition, handlers)

    assert str(refused.value) == problem


def build_of(server: Server, kind: str, definition: dict[str, Any], handlers: dict[str, Any]) -> None:
    """Load one definition, then build."""
    getattr(server, f"load_{kind}")(json.dumps([definition]), handlers)
    server.build()
