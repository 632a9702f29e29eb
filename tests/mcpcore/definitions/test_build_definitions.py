"""What is wrong with resources, prompts and completions is found when the server is built, and named."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import Context, DefinitionError, PromptArgument, ResourceInfo, Server
from mcpcore.definitions.built import Prompt


def nothing() -> str:
    return ""


def one(x: str) -> str:
    return x


def two(x: str, y: str = "") -> str:
    return x + y


def number(x: int) -> str:
    return str(x)


def unhinted(x) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001, RUF100  # the fault under test
    return str(x)


def by_position(x: str, /) -> str:
    return x


def any_number(*x: str) -> str:
    return str(x)


def with_context(x: str, *, context: Context) -> str:
    return f"{x}{context}"


def described(
    x: Annotated[str, Field(description="The x.")], y: str | None = None, *, context: Context
) -> str:
    return f"{x}{y}{context}"


def shown() -> list[ResourceInfo]:
    return []


RESOURCES: dict[str, tuple[str, Callable[..., Any], dict[str, Any], str]] = {
    "too few variables": ("a:b", one, {}, "its function takes ['x'], but must take []"),
    "too many variables": ("a:{x}", nothing, {}, "its function takes nothing, but must take ['x']"),
    "another variable": ("a:{y}", one, {}, "its function takes ['x'], but must take ['y']"),
    "a variable that is no string": ("a:{x}", number, {}, "parameter x must be a string"),
    "no hint": ("a:{x}", unhinted, {}, "parameter x has no type hint"),
    "by position": ("a:{x}", by_position, {}, "parameter x cannot be given by name"),
    "any number": ("a:{x}", any_number, {}, "parameter x cannot be given by name"),
    "an expression of another kind": ("a:{?x}", one, {}, "{?x} is not supported; use {name} or {+name}"),
    "a variable twice": ("a:{x}{x}", one, {}, "the variable x stands in it twice"),
    "instances of no template": (
        "a:b",
        nothing,
        {"instances": shown},
        "only a template has instances; this URI has no variables",
    ),
}


@pytest.mark.parametrize(("uri", "function", "options", "problem"), RESOURCES.values(), ids=RESOURCES.keys())
def test_a_faulty_resource_is_named_with_its_fault(
    uri: str, function: Callable[..., Any], options: dict[str, Any], problem: str
) -> None:
    server = Server("s", version="1")
    server.resource(uri, **options)(function)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert (refused.value.where, refused.value.problem) == (uri, problem)


@pytest.mark.parametrize("uri", ["a:b", "a:{x}"])
def test_two_resources_of_one_uri_are_refused(uri: str) -> None:
    server = Server("s", version="1")
    functions: dict[str, Callable[..., str]] = {"a:b": nothing, "a:{x}": one}
    for name in ("first", "second"):
        server.resource(uri, name=name)(functions[uri])

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == f"{uri}: two resources have this name"


PROMPTS: dict[str, tuple[Callable[..., Any], Sequence[PromptArgument] | None, str]] = {
    "an argument that is no string": (number, None, "p: parameter x must be a string"),
    "no hint": (unhinted, None, "p: parameter x has no type hint"),
    "by position": (by_position, None, "p: parameter x cannot be given by name"),
    "arguments that nobody takes": (
        nothing,
        [PromptArgument("x", "", True)],
        "p: its function takes nothing, but must take ['x']",
    ),
    "arguments that are not given": (
        two,
        [PromptArgument("x", "", True)],
        "p: its function takes ['x', 'y'], but must take ['x']",
    ),
}


@pytest.mark.parametrize(("function", "arguments", "problem"), PROMPTS.values(), ids=PROMPTS.keys())
def test_a_faulty_prompt_is_named_with_its_fault(
    function: Callable[..., Any], arguments: Sequence[PromptArgument] | None, problem: str
) -> None:
    server = Server("s", version="1")
    server.prompt("p", arguments=arguments)(function)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == problem


def test_two_prompts_of_one_name_are_refused() -> None:
    server = Server("s", version="1")
    server.prompt("p")(nothing)
    server.prompt("p")(one)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == "p: two prompts have this name"


def built(function: Callable[..., Any], arguments: Sequence[PromptArgument] | None = None) -> Prompt:
    server = Server("s", version="1")
    server.prompt("p", arguments=arguments)(function)
    return server.build().prompts["p"]


@pytest.mark.parametrize(
    ("function", "arguments", "takes_context"),
    [
        (nothing, (), False),
        (two, (PromptArgument("x", "", True), PromptArgument("y", "", False)), False),
        (with_context, (PromptArgument("x", "", True),), True),
        (described, (PromptArgument("x", "The x.", True), PromptArgument("y", "", False)), True),
    ],
)
def test_the_arguments_of_a_prompt_are_the_parameters_of_its_function(
    function: Callable[..., Any], arguments: tuple[PromptArgument, ...], takes_context: bool
) -> None:
    prompt = built(function)

    assert (prompt.arguments, prompt.takes_context) == (arguments, takes_context)


def test_arguments_may_be_written_by_hand_in_another_order() -> None:
    written = (PromptArgument("y", "The y.", True), PromptArgument("x", "The x.", True))

    assert built(two, written).arguments == written


def completing(value: str, arguments: object) -> list[str]:
    return [value, str(arguments)]


@pytest.mark.parametrize(
    ("argument", "place", "problem"),
    [
        ("x", {"prompt": "nope"}, "nope: there is no x here to complete"),
        ("y", {"prompt": "p"}, "p: there is no y here to complete"),
        ("x", {"resource": "p"}, "p: there is no x here to complete"),
        ("x", {"resource": "a:b"}, "a:b: there is no x here to complete"),
        ("y", {"resource": "a:{x}"}, "a:{x}: there is no y here to complete"),
    ],
)
def test_a_completion_of_what_does_not_exist_is_refused(
    argument: str, place: dict[str, str], problem: str
) -> None:
    server = Server("s", version="1")
    server.prompt("p")(one)
    server.resource("a:b")(nothing)
    server.resource("a:{x}")(one)
    server.completion(argument, prompt=place.get("prompt"), resource=place.get("resource"))(completing)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == problem


@pytest.mark.parametrize(("prompt", "resource"), [(None, None), ("p", "a:{x}")])
def test_a_completion_is_for_a_prompt_or_for_a_template_and_not_for_both(
    prompt: str | None, resource: str | None
) -> None:
    with pytest.raises(DefinitionError) as refused:
        Server("s", version="1").completion("x", prompt=prompt, resource=resource)

    assert str(refused.value) == "x: a completion is either for a prompt or for a resource template"


def test_registering_leaves_every_function_as_it_was() -> None:
    server = Server("s", version="1")

    assert server.resource("a:{x}")(one) is one
    assert server.prompt()(one) is one
    assert server.completion("x", prompt="one")(completing) is completing


@pytest.mark.parametrize(("name", "expected"), [(None, "one"), ("other", "other")])
def test_a_resource_and_a_prompt_are_called_as_their_function_unless_named(
    name: str | None, expected: str
) -> None:
    server = Server("s", version="1")
    server.resource("a:{x}", name=name)(one)
    server.prompt(name)(one)
    found = server.build()

    assert (found.templates[0].about.name, [*found.prompts]) == (expected, [expected])
