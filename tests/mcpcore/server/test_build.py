"""Build: every definition is checked, and constant results are encoded once."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from mcpcore import CacheHint, DefinitionError, PromptArgument, ResourceInfo, Server, ToolResult
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from tests.support.functions import returning, taking
from tests.support.messages import SUPPORTED
from tests.support.servers import fixture_server, full_server, greet, motto, page

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


def tool(text: str) -> str:
    """A good tool."""
    return text


def no_docstring(text: str) -> str:
    return text


def nothing() -> str:
    return ""


def one(x: str) -> str:
    """Take x."""
    return x


def two(x: str, y: str = "") -> str:
    return x + y


def number(x: int) -> str:
    return str(x)


def unannotated(x) -> str:  # type: ignore[no-untyped-def]  # the fault under test
    """Take x."""
    return str(x)


def positional(x: str, /) -> str:
    """Take x."""
    return x


def variadic(*x: str) -> str:
    """Take x."""
    return str(x)


def keywords(**x: str) -> str:
    """Take x."""
    return str(x)


def defaulting(default: object) -> Callable[..., Any]:
    """A tool whose parameter has this default."""
    function = taking(int)
    function.__defaults__ = (default,)
    return function


def no_instances() -> list[ResourceInfo]:
    return []


def named(name: str) -> Callable[[Server], object]:
    return lambda server: server.tool(name)(tool)


def completing_of(argument: str, **place: str) -> Callable[[Server], object]:
    """Register a prompt, a resource and a template, and a completion for `place`."""

    def register(server: Server) -> None:
        server.prompt(one)
        server.resource("a:b")(nothing)
        server.resource("a:{x}")(one)
        server.completion(argument, **place)(lambda value, _others: [value])

    return register


NO_NAME = "needs a name; its function has none of its own, so give name="
NAME_RULE = "a tool's name has 1 to 128 letters, digits, and _ . - only"
NOT_BY_NAME = "parameter x cannot be passed by name"
NO_HINT = "parameter x has no type hint"
NO_SCHEMA = "a type has no JSON Schema: "
NO_DESCRIPTION = "a tool needs a description or a docstring"
NOT_JSON = "the default of parameter value is not JSON"

FAULTY: list[tuple[Callable[[Server], object], str, str]] = [
    *((named(name), name, NAME_RULE) for name in ("a b", "a/b", "é", "a\n", "a" * 129)),
    (lambda server: server.tool(partial(tool)), "tool", f"a tool {NO_NAME}"),
    (lambda server: server.prompt(partial(one)), "prompt", f"a prompt {NO_NAME}"),
    (lambda server: server.resource("a:{x}")(partial(one)), "a:{x}", f"a resource {NO_NAME}"),
    (lambda server: server.tool(no_docstring), "no_docstring", NO_DESCRIPTION),
    (lambda server: server.tool(description="")(tool), "tool", NO_DESCRIPTION),
    (lambda server: server.tool(unannotated), "unannotated", NO_HINT),
    (lambda server: server.tool(positional), "positional", NOT_BY_NAME),
    (lambda server: server.tool(variadic), "variadic", NOT_BY_NAME),
    (lambda server: server.tool(keywords), "keywords", NOT_BY_NAME),
    (
        lambda server: server.tool(taking("Nope")),
        "tool",
        "a type hint cannot be resolved: name 'Nope' is not",
    ),
    (lambda server: server.tool(taking("json.Nope")), "tool", "a type hint cannot be resolved: "),
    (lambda server: server.tool(taking("int |")), "tool", "a type hint cannot be resolved: "),
    (lambda server: server.tool(taking(Server)), "tool", NO_SCHEMA),
    (lambda server: server.tool(taking(Callable[[], int])), "tool", NO_SCHEMA),
    (lambda server: server.tool(defaulting(object())), "tool", NOT_JSON),
    (lambda server: server.tool(defaulting(float("nan"))), "tool", NOT_JSON),
    (lambda server: server.tool(returning(ToolResult)), "tool", "annotate the result as ToolResult[T], "),
    (lambda server: server.tool(returning(ToolResult[Callable[[], int]])), "tool", NO_SCHEMA),
    (lambda server: [server.tool("t")(one), server.tool("t")(tool)], "t", "two tools have this name"),
    (lambda server: server.resource("a:b")(one), "a:b", "its function takes ['x'], but must take []"),
    (
        lambda server: server.resource("a:{x}")(nothing),
        "a:{x}",
        "its function takes nothing, but must take ['x']",
    ),
    (lambda server: server.resource("a:{y}")(one), "a:{y}", "its function takes ['x'], but must take ['y']"),
    (lambda server: server.resource("a:{x}")(number), "a:{x}", "parameter x must be a string"),
    (lambda server: server.resource("a:{x}")(unannotated), "a:{x}", NO_HINT),
    (lambda server: server.resource("a:{x}")(positional), "a:{x}", NOT_BY_NAME),
    (lambda server: server.resource("a:{?x}")(one), "a:{?x}", "{?x} is not supported; use {name} or {+name}"),
    (lambda server: server.resource("notes")(nothing), "notes", "a resource needs a URI with a scheme, "),
    (
        lambda server: server.resource("a:b", instances=no_instances)(nothing),
        "a:b",
        "only a template has instances; this URI has no variables",
    ),
    (
        lambda server: [server.resource("a:b", name=name)(nothing) for name in "cd"],
        "a:b",
        "two resources have this URI",
    ),
    (lambda server: server.prompt("p")(number), "p", "parameter x must be a string"),
    (lambda server: server.prompt("p")(unannotated), "p", NO_HINT),
    (lambda server: server.prompt("p")(positional), "p", NOT_BY_NAME),
    (
        lambda server: server.prompt("p", arguments=[PromptArgument("x", "", True)])(nothing),
        "p",
        "its function takes nothing, but must take ['x']",
    ),
    (
        lambda server: server.prompt("p", arguments=[PromptArgument("x", "", True)])(two),
        "p",
        "its function takes ['x', 'y'], but must take ['x']",
    ),
    (
        lambda server: [server.prompt("p")(nothing), server.prompt("p")(one)],
        "p",
        "two prompts have this name",
    ),
    (completing_of("x", prompt="nope"), "nope", "no prompt of this name has an argument x to complete"),
    (completing_of("y", prompt="one"), "one", "no prompt of this name has an argument y to complete"),
    *(
        (
            completing_of(argument, resource=uri),
            uri,
            f"no resource template of this name has an argument {argument} to complete",
        )
        for argument, uri in (("x", "one"), ("x", "a:b"), ("y", "a:{x}"))
    ),
]


@pytest.mark.requirement("tool-name", "tool-name-unique")
@pytest.mark.parametrize(("register", "where", "problem"), FAULTY)
def test_a_faulty_definition_is_refused_at_build_under_its_name(
    register: Callable[[Server], object], where: str, problem: str
) -> None:
    server = Server("s", version="1")
    server.tool("good")(tool)
    register(server)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert (refused.value.where, refused.value.problem[: len(problem)]) == (where, problem)
    assert str(refused.value) == f"{where}: {refused.value.problem}"
    assert "\n" not in refused.value.problem


@pytest.mark.parametrize(
    ("server", "problem"),
    [
        (Server("", version="1"), "a server needs a name and a version"),
        (Server("s", version=""), "a server needs a name and a version"),
        (
            Server("s", version="1", cache=CacheHint(ttl_ms=-1)),
            "the cache's ttl_ms must not be negative, and is -1",
        ),
        (Server("s", version="1", page_size=0), "page_size must be at least 1, and is 0"),
    ],
)
def test_a_faulty_server_is_refused(server: Server, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == f"server: {problem}"


@pytest.mark.requirement("tool-name")
@pytest.mark.parametrize("name", ["a", "A-z_0.9", "a" * 128])
def test_a_name_of_letters_digits_and_three_signs_is_valid(name: str) -> None:
    server = Server("s", version="1")
    server.tool(name)(tool)

    assert list(server.build().tools) == [name]


def test_every_build_makes_the_same_bytes() -> None:
    server = fixture_server()
    constants = server.build().constants

    assert constants == server.build().constants == fixture_server().build().constants
    assert b"\n" not in b"".join(constants.values())


def test_every_result_that_never_changes_is_a_constant() -> None:
    legacy = {(version, "initialize") for version in HANDSHAKE_VERSIONS}
    modern = {("2026-07-28", "server/discover")}
    lists = {(version, method) for version in SUPPORTED for method in LISTS}

    assert fixture_server().build().constants.keys() == legacy | modern | lists


def test_a_list_with_instances_that_may_change_is_not_a_constant() -> None:
    server = full_server()
    server.resource("book://chapters/{number}", instances=no_instances, fixed=True)(page)
    server.resource("book://notes/{number}", instances=no_instances)(page)

    constants = server.build().constants

    assert not [key for key in constants if key[1] == "resources/list"]
    assert ("2026-07-28", "resources/templates/list") in constants


@pytest.mark.requirement("tools-order")
def test_tools_keep_the_order_of_their_registration() -> None:
    assert list(fixture_server().build().tools) == ["echo", "add", "refuse", "sample"]


FULL: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "logging": {}}
SUBSCRIBING = {**FULL, "resources": {"subscribe": True}}


@pytest.mark.requirement("capabilities-derived", "no-changes-promised")
@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2024-11-05", SUBSCRIBING),
        *(
            (version, {**SUBSCRIBING, "completions": {}})
            for version in HANDSHAKE_VERSIONS
            if version > "2025"
        ),
        ("2026-07-28", {**FULL, "completions": {}}),
    ],
)
def test_capabilities_are_those_of_what_is_registered_and_promise_no_list_changes(
    version: str, expected: dict[str, Any]
) -> None:
    capabilities = full_server().build().capabilities[version]

    assert capabilities == expected
    assert "listChanged" not in json.dumps(capabilities)


@pytest.mark.requirement("capabilities-not-offered")
@pytest.mark.parametrize(
    ("register", "legacy", "modern"),
    [
        (lambda _: None, {}, {}),
        (lambda server: server.tool(tool), {"tools": {}}, {"tools": {}}),
        (lambda server: server.resource("x:y")(motto), {"resources": {"subscribe": True}}, {"resources": {}}),
        (
            lambda server: server.resource("x:{number}")(page),
            {"resources": {"subscribe": True}},
            {"resources": {}},
        ),
        (lambda server: server.prompt(greet), {"prompts": {}}, {"prompts": {}}),
    ],
)
def test_a_capability_without_definitions_is_not_offered(
    register: Callable[[Server], object], legacy: dict[str, Any], modern: dict[str, Any]
) -> None:
    server = Server("one", version="1", subscriptions=True)
    register(server)
    offered = server.build().capabilities

    assert (offered["2025-11-25"], offered["2026-07-28"]) == (legacy, modern)


@pytest.mark.requirement("cache-zero")
def test_results_may_be_declared_stale_at_once() -> None:
    built = Server("s", version="1", cache=CacheHint(ttl_ms=0)).build()

    assert b'"ttlMs":0,' in built.constants["2026-07-28", "tools/list"]
