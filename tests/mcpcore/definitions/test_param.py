"""`Param` makes the same schemas and the same refusals as pydantic's `Field`."""

import math
import subprocess
import sys
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import BuiltServer, DefinitionError, Param, Server
from mcpcore.protocol.errors import InvalidArguments
from tests.support.functions import arguments_of, taking
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


def offering(hint: object) -> BuiltServer:
    server = Server("one", version="1")
    server.tool(taking(hint))
    return server.build()


@pytest.mark.parametrize(("kind", "options"), TYPES)
def test_param_is_listed_as_field_is(kind: Any, options: dict[str, Any]) -> None:
    ours, fields = offering(Annotated[kind, Param(**options)]), offering(Annotated[kind, Field(**options)])

    assert ours.constants == fields.constants


@pytest.mark.parametrize(("kind", "options"), TYPES)
@pytest.mark.parametrize(
    "value",
    ["", "abcde", "abcdef", 0, 5, 10, 11, 0.0, 0.5, 1.0, 2.0, None, [], [1], [1] * 4, ["a"], ["a"] * 4],
)
def test_param_accepts_and_refuses_what_field_does(kind: Any, options: dict[str, Any], value: object) -> None:
    assert outcome(Annotated[kind, Param(**options)], value) == outcome(
        Annotated[kind, Field(**options)], value
    )


def outcome(hint: object, value: object) -> object:
    try:
        return arguments_of(taking(hint)).checked("tool", {"value": value})
    except InvalidArguments as refused:
        return refused.faults


@pytest.mark.parametrize(
    ("kind", "options", "problem"),
    [
        (str, {"ge": 1}, "Param's ge does not apply to str; pydantic's Field may"),
        (int, {"max_length": 1}, "Param's max_length does not apply to int; pydantic's Field may"),
        (int | float, {"le": 1}, "Param's le does not apply to union; pydantic's Field may"),
        (bool | None, {"lt": 1}, "Param's lt does not apply to bool; pydantic's Field may"),
        (int, {"ge": 0.5}, "Param's ge of int cannot be 0.5"),
        (int, {"lt": "9"}, "Param's lt of int cannot be '9'"),
        (float, {"le": math.nan}, "Param's le of float cannot be nan"),
        (float, {"gt": -math.inf}, "Param's gt of float cannot be -inf"),
        (str, {"min_length": -1}, "Param's min_length of str cannot be -1"),
        (str, {"max_length": 1.5}, "Param's max_length of str cannot be 1.5"),
        (list[int] | None, {"max_length": True}, "Param's max_length of list cannot be True"),
        (int, {"description": 5}, "Param's description must be a string, not 5"),
    ],
)
def test_a_limit_that_does_not_fit_its_type_is_refused_at_build(
    kind: Any, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        offering(Annotated[kind, Param(**options)])

    assert str(refused.value) == f"tool: invalid type hint: {problem}"


@pytest.mark.parametrize(
    ("hint", "problem"),
    [
        (Annotated[int, Field(ge=0.5)], "'ge' must be coercible to an integer"),
        (Annotated[str, Field(min_length=-1)], "can't convert negative int to unsigned"),
        (Annotated[str, Param(max_length=10**30)], "int too big to convert"),
    ],
)
def test_a_limit_that_pydantic_refuses_is_refused_at_build(hint: Any, problem: str) -> None:
    with pytest.raises(DefinitionError, match=f"^tool: invalid type hint: .*{problem}$"):
        offering(hint)


def test_a_limit_of_an_integer_may_be_a_float_without_a_fraction() -> None:
    schema = arguments_of(taking(Annotated[int, Param(ge=1.0, le=10**400)]))

    assert schema.checked("tool", {"value": 10**400}) == {"value": 10**400}


def test_a_description_alone_goes_with_any_type() -> None:
    schema = arguments_of(taking(Annotated[dict[str, int], Param("Any.")]))

    assert schema.json["properties"]["value"]["description"] == "Any."


def test_a_module_that_uses_param_does_not_import_pydantic() -> None:
    program = (
        "import sys; from typing import Annotated; from mcpcore import Param; "
        "Annotated[str, Param('Words.', max_length=3)]; sys.exit('pydantic' in sys.modules)"
    )

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment(), check=True)
