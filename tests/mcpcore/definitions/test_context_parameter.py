"""The context is found by the type of a parameter, whatever its name and place."""

import functools
from collections.abc import Callable
from typing import Annotated, Any, Optional, TypeVar

import pytest

from mcpcore import Context, DefinitionError, Server
from mcpcore.testing import Client

AnyContext = TypeVar("AnyContext", bound=Context)


def keyword_only(word: str, *, context: Context) -> str:
    """Return the word and the version."""
    return f"{word} {context.protocol_version}"


def first(ctx: Context, word: str) -> str:
    """Return the word and the version."""
    return keyword_only(word, context=ctx)


def last(word: str, request: Context) -> str:
    """Return the word and the version."""
    return keyword_only(word, context=request)


def optional(word: str, ctx: Context | None = None) -> str:
    """Return the word and the version."""
    return "" if ctx is None else keyword_only(word, context=ctx)


def old_optional(word: str, *, ctx: Optional[Context] = None) -> str:  # noqa: UP045  # both spellings
    """Return the word and the version."""
    return optional(word, ctx)


def annotated(word: str, ctx: Annotated[Context | None, "the request"] = None) -> str:
    """Return the word and the version."""
    return optional(word, ctx)


def nested(word: str, ctx: Optional[Annotated[Context, "the request"]] = None) -> str:  # noqa: UP045  # as above
    """Return the word and the version."""
    return optional(word, ctx)


def as_text(word: str, ctx: "Context") -> str:
    """Return the word and the version."""
    return keyword_only(word, context=ctx)


@pytest.mark.parametrize(
    "function", [keyword_only, first, last, optional, old_optional, annotated, nested, as_text]
)
@pytest.mark.parametrize("prebuilt", [False, True])
def test_a_parameter_of_type_context_gets_the_context_and_clients_do_not_see_it(
    function: Callable[..., str], prebuilt: bool
) -> None:
    server = Server("s", version="1")
    server.tool("tool")(function)
    server.prompt("prompt")(function)
    server.resource("a:{word}")(function)
    client = Client(server.build(server.prebuild() if prebuilt else None))
    (tool,), (prompt,) = client.list_tools(), client.list_prompts()

    assert list(tool["inputSchema"]["properties"]) == ["word"]
    assert [argument["name"] for argument in prompt["arguments"]] == ["word"]
    assert client.call_tool("tool", word="a").text == "a 2026-07-28"
    assert client.get_prompt("prompt", word="a")[0]["content"]["text"] == "a 2026-07-28"
    assert client.read_resource("a:b")[0]["text"] == "b 2026-07-28"


def test_an_argument_may_be_called_context() -> None:
    def tool(context: str, ctx: int = 1) -> str:
        """Take two arguments."""
        return f"{context} {ctx}"

    server = Server("s", version="1")
    server.tool(tool)
    client = Client(server)

    assert list(client.list_tools()[0]["inputSchema"]["properties"]) == ["context", "ctx"]
    assert client.call_tool("tool", context="a", ctx=2).text == "a 2"


def two(context: Context, ctx: Context | None = None) -> str:
    return f"{context}{ctx}"


def positional(context: Context, /) -> str:
    return str(context)


def variadic(*context: Context) -> str:
    return str(context)


def unannotated(context) -> str:  # type: ignore[no-untyped-def]  # the fault under test
    return str(context)


def unannotated_short(ctx) -> str:  # type: ignore[no-untyped-def]  # the fault under test
    return str(ctx)


def unannotated_keyword(*, context) -> str:  # type: ignore[no-untyped-def]  # the fault under test
    return str(context)


def many(contexts: list[Context]) -> str:
    return str(contexts)


def either(context: Context | str) -> str:
    return str(context)


class Special(Context):
    """A class of the engineer's own."""


def special(context: Special | None = None) -> str:
    return str(context)


def generic(context: AnyContext) -> str:
    return str(context)


OTHER_TYPE = "the context is passed only to a parameter of its own type; write "
FAULTY: list[tuple[Callable[..., str], str]] = [
    (two, "context and ctx both have the type of the context"),
    (positional, "parameter context cannot be passed by name"),
    (variadic, "parameter context cannot be passed by name"),
    (unannotated, "parameter context has no type hint; write context: Context"),
    (unannotated_short, "parameter ctx has no type hint; write ctx: Context"),
    (unannotated_keyword, "parameter context has no type hint; write context: Context"),
    (many, f"{OTHER_TYPE}contexts: Context"),
    *((function, f"{OTHER_TYPE}context: Context") for function in (either, special, generic)),
]


@pytest.mark.parametrize(("function", "problem"), FAULTY)
@pytest.mark.parametrize("kind", ["tool", "prompt"])
def test_a_context_that_cannot_be_passed_is_refused_at_build(
    kind: str, function: Callable[..., str], problem: str
) -> None:
    server = Server("s", version="1")
    getattr(server, kind)("name", description="d")(function)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert (refused.value.where, refused.value.problem[: len(problem)]) == ("name", problem)


@pytest.mark.parametrize("function", [two, positional, unannotated, unannotated_keyword])
def test_a_handwritten_schema_does_not_hide_a_context_that_cannot_be_passed(
    function: Callable[..., Any],
) -> None:
    server = Server("s", version="1")
    server.tool("name", description="d", input_schema={"type": "object"})(functools.partial(function))

    with pytest.raises(DefinitionError, match="context"):
        server.build()
