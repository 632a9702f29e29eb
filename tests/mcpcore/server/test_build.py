"""A server is checked when it is built, and built the same every time."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import CacheHint, DefinitionError, Server, ToolResult
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from tests.support.messages import SUPPORTED
from tests.support.servers import fixture_server, full_server, greet, motto, page

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


def tool(text: str) -> str:
    """A good tool."""
    return text


def no_docstring(text: str) -> str:
    return text


def taking(hint: object) -> Callable[..., Any]:
    """A tool whose parameter has this hint."""

    def tool(x: object) -> str:
        """Take x."""
        return str(x)

    tool.__annotations__["x"] = hint
    return tool


def defaulting(default: object) -> Callable[..., Any]:
    """A tool whose parameter has this default."""

    def tool(x: int) -> str:
        """Take x."""
        return str(x)

    tool.__defaults__ = (default,)
    return tool


def without_hint() -> Callable[..., Any]:
    made = taking(int)
    del made.__annotations__["x"]
    return made


def by_position(x: int, /) -> str:
    """Take x."""
    return str(x)


def any_number(*x: int) -> str:
    """Take x."""
    return str(x)


def any_name(**x: int) -> str:
    """Take x."""
    return str(x)


def returns_anything() -> ToolResult:  # type: ignore[type-arg]  # the fault under test
    """Give some structure or other."""
    return ToolResult({}, "")


def returns_callable() -> ToolResult[dict[str, Callable[[], int]]]:
    """Give what has no schema."""
    return ToolResult({}, "")


NAME_RULE = "a tool's name has 1 to 128 letters, digits, and _ . - only"
BY_NAME = "parameter x cannot be given by name"
NO_SCHEMA = "a type has no JSON Schema: "

FAULTY: dict[str, tuple[Callable[..., Any], dict[str, Any], str]] = {
    "a name with a space": (tool, {"name": "a b"}, NAME_RULE),
    "a name with a slash": (tool, {"name": "a/b"}, NAME_RULE),
    "a name beyond ASCII": (tool, {"name": "é"}, NAME_RULE),
    "a name with a line break": (tool, {"name": "a\n"}, NAME_RULE),
    "a name of 129 letters": (tool, {"name": "a" * 129}, NAME_RULE),
    "no description": (
        no_docstring,
        {},
        "a tool needs a description, or a docstring that serves as one",
    ),
    "an empty description": (
        tool,
        {"description": ""},
        "a tool needs a description, or a docstring that serves as one",
    ),
    "no hint": (without_hint(), {}, "parameter x has no type hint"),
    "a hint that nobody knows": (
        taking("Nope"),
        {},
        "a type hint cannot be resolved: name 'Nope' is not defined",
    ),
    "a hint that is no Python": (taking("int |"), {}, "a type hint cannot be resolved: "),
    "a hint that is no type of JSON": (taking(Server), {}, NO_SCHEMA),
    "a hint that has no schema": (taking(Callable[[], int]), {}, NO_SCHEMA),
    "a default that is no JSON": (defaulting(object()), {}, "the default of parameter x is not JSON"),
    "a default that is not a number": (
        defaulting(float("nan")),
        {},
        "the default of parameter x is not JSON",
    ),
    "by position only": (by_position, {}, BY_NAME),
    "any number": (any_number, {}, BY_NAME),
    "any name": (any_name, {}, BY_NAME),
    "a result of nobody knows what": (
        returns_anything,
        {},
        "say what is structured: annotate the result as ToolResult[T]",
    ),
    "a result without a schema": (returns_callable, {}, NO_SCHEMA),
}


@pytest.mark.requirement("tool-name")
@pytest.mark.parametrize(("function", "options", "problem"), FAULTY.values(), ids=FAULTY.keys())
def test_a_faulty_tool_is_named_with_its_fault_when_the_server_is_built(
    function: Callable[..., Any], options: dict[str, Any], problem: str
) -> None:
    server = Server("s", version="1")
    server.tool(name="good")(tool)
    server.tool(**options)(function)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    found = refused.value
    assert found.where == options.get("name", function.__name__)
    assert found.problem[: len(problem)] == problem
    assert str(found) == f"{found.where}: {found.problem}"


@pytest.mark.requirement("tool-name-unique")
def test_two_tools_of_one_name_are_refused() -> None:
    server = Server("s", version="1")
    server.tool()(tool)
    server.tool(name="tool", description="Another.")(no_docstring)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == "tool: two tools have this name"


@pytest.mark.parametrize(
    ("server", "problem"),
    [
        (Server("", version="1"), "server: it needs a name and a version"),
        (Server("s", version=""), "server: it needs a name and a version"),
        (
            Server("s", version="1", cache=CacheHint(ttl_ms=-1)),
            "server: the cache's ttl_ms must not be negative, and is -1",
        ),
        (Server("s", version="1", page_size=0), "server: page_size must be at least 1, and is 0"),
    ],
)
def test_a_faulty_server_is_refused(server: Server, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == problem


@pytest.mark.requirement("tool-name")
@pytest.mark.parametrize("name", ["a", "A-z_0.9", "a" * 128])
def test_a_name_of_letters_digits_and_three_signs_is_good(name: str) -> None:
    server = Server("s", version="1")
    server.tool(name=name)(tool)

    assert list(server.build().tools) == [name]


def test_two_builds_make_the_same_bytes() -> None:
    assert fixture_server().build().constants == fixture_server().build().constants


def test_building_twice_makes_the_same_bytes() -> None:
    server = fixture_server()

    assert server.build().constants == server.build().constants


def test_the_constants_are_every_answer_that_never_changes() -> None:
    legacy = {(version, "initialize") for version in HANDSHAKE_VERSIONS}
    modern = {("2026-07-28", "server/discover")}
    lists = {(version, method) for version in SUPPORTED for method in LISTS}

    assert fixture_server().build().constants.keys() == legacy | modern | lists


def test_a_list_with_instances_of_a_template_is_put_together_for_each_request() -> None:
    server = full_server()
    server.resource("book://notes/{number}", instances=list)(page)

    constants = server.build().constants

    assert not [key for key in constants if key[1] == "resources/list"]
    assert ("2026-07-28", "resources/templates/list") in constants


def test_no_constant_has_a_line_break_in_it() -> None:
    assert b"\n" not in b"".join(fixture_server().build().constants.values())


@pytest.mark.requirement("tools-order")
def test_tools_keep_the_order_of_their_registration() -> None:
    assert list(fixture_server().build().tools) == ["echo", "add", "refuse", "sample"]


FULL: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "logging": {}}
SUBSCRIBING = {**FULL, "resources": {"subscribe": True}}


@pytest.mark.requirement("capabilities-derived")
@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2024-11-05", SUBSCRIBING),
        ("2025-03-26", {**SUBSCRIBING, "completions": {}}),
        ("2025-06-18", {**SUBSCRIBING, "completions": {}}),
        ("2025-11-25", {**SUBSCRIBING, "completions": {}}),
        ("2026-07-28", {**FULL, "completions": {}}),
    ],
)
def test_capabilities_are_what_is_registered_as_each_version_knows_it(
    version: str, expected: dict[str, Any]
) -> None:
    assert full_server().build().capabilities[version] == expected


def with_one(feature: str) -> Server:
    """A server that has only this, and wants subscriptions."""
    server = Server("one", version="1", logging=feature == "logging", subscriptions=True)
    register: dict[str, Callable[[], object]] = {
        "tools": lambda: server.tool()(tool),
        "resources": lambda: server.resource("x:y")(motto),
        "templates": lambda: server.resource("x:{number}")(page),
        "prompts": lambda: server.prompt()(greet),
    }
    register.get(feature, list)()
    return server


@pytest.mark.requirement("capabilities-not-offered")
@pytest.mark.parametrize(
    ("feature", "legacy", "modern"),
    [
        ("nothing", {}, {}),
        ("tools", {"tools": {}}, {"tools": {}}),
        ("resources", {"resources": {"subscribe": True}}, {"resources": {}}),
        ("templates", {"resources": {"subscribe": True}}, {"resources": {}}),
        ("prompts", {"prompts": {}}, {"prompts": {}}),
        ("logging", {"logging": {}}, {"logging": {}}),
    ],
)
def test_what_is_not_registered_is_not_offered(
    feature: str, legacy: dict[str, Any], modern: dict[str, Any]
) -> None:
    offered = with_one(feature).build().capabilities

    assert (offered["2025-11-25"], offered["2026-07-28"]) == (legacy, modern)


@pytest.mark.requirement("no-changes-promised")
@pytest.mark.parametrize("version", SUPPORTED)
def test_no_version_is_promised_news_of_changed_lists(version: str) -> None:
    assert "listChanged" not in json.dumps(full_server().build().capabilities[version])


@pytest.mark.requirement("cache-zero")
def test_an_answer_may_be_stale_at_once() -> None:
    built = Server("s", version="1", cache=CacheHint(ttl_ms=0)).build()

    assert b'"ttlMs":0,' in built.constants["2026-07-28", "tools/list"]
