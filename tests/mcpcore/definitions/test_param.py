"""`Param` says what pydantic's `Field` says, to the byte of what clients are shown."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import BuiltServer, DefinitionError, Param, Server
from mcpcore.definitions.type_schemas import arguments_schema
from mcpcore.protocol.errors import InvalidArguments
from tests.support.messages import SUPPORTED
from tests.support.processes import ROOT
from tests.support.serving import environment

TYPES: list[tuple[Any, dict[str, Any]]] = [
    (str, {}),
    (str, {"description": "Words."}),
    (str, {"description": "Words.", "min_length": 1, "max_length": 5}),
    (int, {"ge": 0, "le": 10}),
    (int | None, {"gt": 0, "lt": 10, "description": "Some."}),
    (float, {"ge": 0, "le": 1, "description": "A share."}),
    (float, {"gt": 0.5}),
    (list[int], {"min_length": 1, "max_length": 3, "description": "Numbers."}),
    (list[str] | None, {"max_length": 3}),
]


def taking(hint: object) -> Callable[..., str]:
    """A function of one value, which must be as `hint` says."""

    def tool(value: Any) -> str:
        return str(value)

    tool.__annotations__["value"] = hint
    return tool


def offering(hint: object) -> BuiltServer:
    """A server with a tool that takes what `hint` says."""
    server = Server("one", version="1")
    server.tool(description="Take it.")(taking(hint))
    return server.build()


@pytest.mark.parametrize(("kind", "said"), TYPES)
def test_clients_are_shown_what_field_would_show_them(kind: Any, said: dict[str, Any]) -> None:
    ours, fields = offering(Annotated[kind, Param(**said)]), offering(Annotated[kind, Field(**said)])

    for version in SUPPORTED:
        assert ours.constants[version, "tools/list"] == fields.constants[version, "tools/list"]


@pytest.mark.parametrize(("kind", "said"), TYPES)
@pytest.mark.parametrize(
    "value",
    ["", "abcde", "abcdef", 0, 5, 10, 11, 0.0, 0.5, 1.0, 2.0, None, [], [1], [1] * 4, ["a"], ["a"] * 4],
)
def test_what_field_would_refuse_is_refused_in_the_same_words(
    kind: Any, said: dict[str, Any], value: object
) -> None:
    assert outcome(Annotated[kind, Param(**said)], value) == outcome(Annotated[kind, Field(**said)], value)


def outcome(hint: object, value: object) -> object:
    try:
        return arguments_schema(taking(hint), "tool").checked("tool", {"value": value})
    except InvalidArguments as refused:
        return refused.faults


@pytest.mark.parametrize(
    ("kind", "said", "problem"),
    [
        (str, {"ge": 1}, "Param's ge limits no str; pydantic's Field may"),
        (int, {"max_length": 1}, "Param's max_length limits no int; pydantic's Field may"),
        (int | float, {"le": 1}, "Param's le limits no union; pydantic's Field may"),
        (bool | None, {"lt": 1}, "Param's lt limits no bool; pydantic's Field may"),
    ],
)
def test_a_limit_that_limits_nothing_is_refused(kind: Any, said: dict[str, Any], problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        offering(Annotated[kind, Param(**said)])

    assert (refused.value.where, refused.value.problem) == ("tool", f"a type hint makes no sense: {problem}")


@pytest.mark.parametrize(
    ("kind", "said", "problem"),
    [
        (int, {"ge": 0.5}, "Param's ge is 0.5, which limits no int"),
        (int, {"lt": "9"}, "Param's lt is '9', which limits no int"),
        (float, {"le": math.nan}, "Param's le is nan, which limits no float"),
        (float, {"gt": -math.inf}, "Param's gt is -inf, which limits no float"),
        (str, {"min_length": -1}, "Param's min_length is -1, which limits no str"),
        (str, {"max_length": 1.5}, "Param's max_length is 1.5, which limits no str"),
        (list[int] | None, {"max_length": True}, "Param's max_length is True, which limits no list"),
        (int, {"description": 5}, "Param's description is 5, which is no text"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_with_the_name_of_the_tool(
    kind: Any, said: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        offering(Annotated[kind, Param(**said)])

    assert (refused.value.where, refused.value.problem) == ("tool", f"a type hint makes no sense: {problem}")


@pytest.mark.parametrize(
    ("hint", "record"),
    [
        (Annotated[int, Field(ge=0.5)], "'ge' must be coercible to an integer"),
        (Annotated[str, Field(min_length=-1)], "can't convert negative int to unsigned"),
        (Annotated[str, Param(max_length=10**30)], "int too big to convert"),
    ],
)
def test_what_only_pydantic_finds_wrong_is_told_with_the_name_of_the_tool(hint: Any, record: str) -> None:
    with pytest.raises(DefinitionError, match=f"^tool: a type hint makes no sense: .*{record}$"):
        offering(hint)


def test_limits_are_whole_for_whole_numbers_however_they_are_written() -> None:
    schema = arguments_schema(taking(Annotated[int, Param(ge=1.0, le=10**400)]), "tool")

    assert schema.checked("tool", {"value": 10**400}) == {"value": 10**400}


def test_a_description_alone_goes_with_any_type() -> None:
    (tool,) = json.loads(
        offering(Annotated[dict[str, int], Param("Any.")]).constants[SUPPORTED[0], "tools/list"]
    )["tools"]

    assert tool["inputSchema"]["properties"]["value"]["description"] == "Any."


def test_a_module_that_uses_it_imports_no_pydantic() -> None:
    program = (
        "import sys; from typing import Annotated; from mcpcore import Param; "
        "Annotated[str, Param('Words.', max_length=3)]; sys.exit('pydantic' in sys.modules)"
    )

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment(), check=True)
