"""Fast validation accepts only values that pydantic accepts unchanged; pydantic decides on the others."""

import json
import math
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

from mcpcore import Param
from mcpcore.definitions.fast_validation import fast_validator
from mcpcore.definitions.schemas import ArgumentsSchema
from mcpcore.protocol.jsonrpc import encode
from tests.support.functions import arguments_of, taking


class Shape(NamedTuple):
    """A type hint, and values that fit it."""

    hint: Any
    fitting: st.SearchStrategy[Any]


LETTERS = st.characters(exclude_categories=["Cs"])
NAMES = st.sampled_from(["a", "b", "title", "properties", "ü"])


def one_of(draw: st.DrawFn, *shapes: Shape) -> Shape:
    shape: Shape = draw(st.sampled_from(shapes))
    return shape


@st.composite
def texts(draw: st.DrawFn) -> Shape:
    least, most = sorted(draw(st.tuples(st.integers(0, 4), st.integers(0, 9))))
    limited = Annotated[str, Param("Words.", min_length=least, max_length=most)]
    fitting = st.text(LETTERS, min_size=least, max_size=most)
    return one_of(draw, Shape(str, st.text(LETTERS)), Shape(limited, fitting))


@st.composite
def numbers(draw: st.DrawFn) -> Shape:
    least, most = sorted(draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9))))
    floats = st.floats(allow_nan=False, allow_infinity=False)
    return one_of(
        draw,
        Shape(int, st.integers()),
        Shape(Annotated[int, Param(ge=least, le=most)], st.integers(least, most)),
        Shape(Annotated[int, Param(gt=least)], st.integers(least + 1)),
        Shape(float, floats),
        Shape(Annotated[float, Param(ge=least, le=most)], st.floats(least, most)),
        Shape(Annotated[float, Param(lt=most)], st.floats(max_value=most - 1, allow_infinity=False)),
        Shape(int | float, st.one_of(st.integers(), floats)),
    )


@st.composite
def choices(draw: st.DrawFn) -> Shape:
    values = draw(st.lists(st.sampled_from(["x", "y", 0, 1, True, None]), min_size=1, unique_by=repr))
    return Shape(Literal[tuple(values)], st.sampled_from(values))


def plain_shapes() -> st.SearchStrategy[Shape]:
    return st.one_of(texts(), numbers(), choices(), st.just(Shape(bool, st.booleans())))


@st.composite
def lists_of(draw: st.DrawFn, inner: st.SearchStrategy[Shape]) -> Shape:
    shape, most = draw(inner), draw(st.integers(0, 3))
    hint: Any = list.__class_getitem__(shape.hint)
    limited = Annotated[hint, Param(max_length=most)]
    fitting = st.lists(shape.fitting, max_size=3)
    return one_of(draw, Shape(hint, fitting), Shape(limited, st.lists(shape.fitting, max_size=most)))


@st.composite
def records_of(draw: st.DrawFn, inner: st.SearchStrategy[Shape]) -> Shape:
    fields = draw(st.dictionaries(NAMES, st.tuples(inner, st.booleans()), max_size=3))
    hints = {
        name: shape.hint if always else NotRequired[shape.hint] for name, (shape, always) in fields.items()
    }
    record = TypedDict(f"Record{len(hints)}", hints)  # type: ignore[misc]  # its fields are made up here
    wanted = {name: shape.fitting for name, (shape, always) in fields.items() if always}
    left = {name: shape.fitting for name, (shape, always) in fields.items() if not always}
    return Shape(record, st.fixed_dictionaries(wanted, optional=left))


def or_none(shape: Shape) -> Shape:
    return Shape(shape.hint | None, st.one_of(st.none(), shape.fitting))


@st.composite
def unions_of(draw: st.DrawFn, inner: st.SearchStrategy[Shape]) -> Shape:
    shapes = draw(st.lists(inner, min_size=2, max_size=3))
    hint: Any = reduce(or_, [shape.hint for shape in shapes])
    return Shape(hint, st.one_of([shape.fitting for shape in shapes]))


# 1, 1.0 and True are equal in Python, and so are 0, 0.0 and False.
ALIKE = [
    Shape(int, st.sampled_from([0, 1])),
    Shape(float, st.sampled_from([0.0, 1.0])),
    Shape(bool, st.booleans()),
    *(Shape(Literal[value], st.just(value)) for value in (0, 1, False, True, "a")),
]


def composed(inner: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    return st.one_of(inner.map(or_none), lists_of(inner), records_of(inner))


SHAPES = st.recursive(plain_shapes(), composed, max_leaves=4)
MIXED = st.recursive(plain_shapes(), lambda inner: st.one_of(composed(inner), unions_of(inner)), max_leaves=6)
SCALARS = [st.none(), st.booleans(), st.integers(-9, 9), st.integers(), st.floats(), st.text(st.characters())]
JSON = st.recursive(
    st.one_of(SCALARS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)


def near(value: Any) -> list[Any]:
    """Values that differ little from `value`."""
    if isinstance(value, dict):
        fewer = [{name: value[name] for name in value if name != left} for left in value]
        changed = [{**value, name: other} for name in value for other in near(value[name])]
        return [{**value, "more": 1}, *fewer, *changed]
    if isinstance(value, list):
        others = [[other] for each in value for other in near(each)]
        return [[*value, *value, None], [*value, *value], value[:-1], *others]
    if isinstance(value, str):
        return [f"{value}\ud800", f"{value}{value}xxxxxxxxx", ""]
    if isinstance(value, bool | None):
        return [int(bool(value)), str(value), not value]
    integers = [int(value), float(int(value))] if abs(value) < 1e15 else [10**400]
    return [*integers, bool(value), str(value), -value, value + 99]


def schema_of(hint: object) -> ArgumentsSchema:
    return arguments_of(taking(hint))


def by_pydantic(schema: ArgumentsSchema, arguments: dict[str, Any]) -> Any:
    return schema.adapter().validate_json(encode(arguments), strict=True)


def as_json(value: object) -> str:
    """`value` as JSON, in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


@settings(max_examples=200)
@given(st.data())
def test_pydantic_accepts_every_accepted_value_and_leaves_it_unchanged(data: st.DataObject) -> None:
    shape = data.draw(st.one_of(SHAPES, MIXED, unions_of(st.sampled_from(ALIKE))))
    schema = schema_of(shape.hint)
    similar = shape.fitting.flatmap(lambda value: st.sampled_from([value, *near(value)]))
    arguments = {"value": data.draw(st.one_of(similar, similar, JSON))}

    assume(fast_validator(schema.json)(arguments))

    assert as_json(by_pydantic(schema, arguments)) == as_json(arguments)


@given(st.data())
def test_valid_values_of_plain_types_are_accepted(data: st.DataObject) -> None:
    shape = data.draw(SHAPES)
    schema = schema_of(shape.hint)
    arguments = {"value": data.draw(shape.fitting)}

    assert schema.plain
    assert fast_validator(schema.json)(arguments)
    assert by_pydantic(schema, arguments) == arguments


class Named(TypedDict):
    """A record."""

    name: str


class Known(TypedDict):
    """A record that a name alone fits too."""

    name: str
    year: NotRequired[int]


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (Literal[1] | Literal[True], True),
        (Literal[1] | bool, True),
        (Literal[True, "x"] | int, 1),
        (Literal[0] | float, 0.0),
        (list[Literal[1]] | list[bool], [True]),
        (list[float | str] | list[int | str], [1, "a"]),
        (Named | Known, {"name": "a"}),
        (list[Literal[False] | int] | None, [0]),
    ],
)
def test_a_union_where_another_choice_might_convert_the_value_is_rejected(hint: Any, value: object) -> None:
    assert not fast_validator(schema_of(hint).json)({"value": value})


@pytest.mark.parametrize("value", [1, 0.5, "a", ["a"], [1], {"name": "a"}, True, None])
def test_a_union_of_different_json_types_is_accepted(value: object) -> None:
    schema = schema_of(int | float | Literal["a", "b"] | list[str | int] | Named | bool | None)

    assert fast_validator(schema.json)({"value": value})
    assert as_json(by_pydantic(schema, {"value": value})) == as_json({"value": value})


INTEGERS = {"type": "array", "items": {"type": "integer"}}
ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["city"],
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        *(({"type": "integer"}, value) for value in (True, 1.0)),
        ({"type": "integer", "minimum": 2}, 1),
        ({"type": "integer", "exclusiveMaximum": 2}, 2),
        *(({"type": "number"}, value) for value in (1, math.nan, math.inf, -math.inf)),
        ({"type": "boolean"}, 1),
        ({"type": "null"}, False),
        *(({"type": "string"}, value) for value in ("\ud800", "ü\udfff", b"text")),
        ({"const": 1}, True),
        ({"const": 1, "type": "integer"}, 1.0),
        ({"enum": [0, 1]}, False),
        ({"enum": ["x"]}, ["x"]),
        *((INTEGERS, value) for value in ((1, 2), [1, "2"])),
        ({"type": "array", "items": {}}, [1]),
        ({**INTEGERS, "maxItems": 1}, [1, 2]),
        ({**INTEGERS, "minItems": 1}, []),
        ({"type": "string", "maxLength": 1}, "ab"),
        *((ADDRESS, value) for value in ({"city": "a", "zip": 1}, {"number": 1}, ["city"])),
        (ADDRESS, {"city": "a", "number": None}),
        ({"anyOf": [ADDRESS, {"type": "null"}]}, {}),
    ],
)
def test_a_value_that_is_not_certainly_valid_is_rejected(schema: dict[str, Any], value: object) -> None:
    assert not fast_validator(schema)(value)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": ["string", "null"]},
        *({"type": "string", keyword: "x"} for keyword in ("pattern", "format", "x-mcp-header")),
        {"type": "string", "minLength": 0, "contentEncoding": "base64"},
        {"type": "integer", "multipleOf": 2},
        *({"type": kind, "not": {}} for kind in ("boolean", "null")),
        {"type": "array"},
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {"type": "array", "prefixItems": [{"type": "string"}]},
        *({"type": "object", "additionalProperties": other} for other in (True, {"type": "string"})),
        {"type": "object", "minProperties": 0},
        {"anyOf": [{"type": "string"}], "type": "string"},
        *({keyword: [{"type": "string"}]} for keyword in ("oneOf", "allOf")),
        {"$ref": "#/$defs/nowhere"},
        {"$ref": "#/$defs/loop", "$defs": {"loop": {"$ref": "#/$defs/loop"}}},
    ],
)
@pytest.mark.parametrize("value", ["a", "2026-07-28", 1, 2.5, True, None, [], ["a"], {}, {"a": "a"}])
def test_a_schema_with_an_unknown_keyword_rejects_all(schema: dict[str, Any], value: object) -> None:
    assert not fast_validator(schema)(value)


TREE = {"type": "object", "properties": {"leaf": {"type": "string"}, "next": {"$ref": "#/$defs/Tree"}}}
PARENT = {"type": "object", "properties": {"child": {"$ref": "#/$defs/Child"}}}
CHILD = {"type": "object", "properties": {"parent": {"$ref": "#/$defs/Parent"}}}


@pytest.mark.parametrize(
    ("definitions", "member", "accepted", "rejected"),
    [
        ({"Tree": TREE}, "Tree", {"leaf": "a"}, {"leaf": "a", "next": {"leaf": "b"}}),
        ({"Parent": PARENT, "Child": CHILD}, "Parent", {"child": {}}, {"child": {"parent": {}}}),
        ({"Address": ADDRESS}, "Address", {"city": "b", "number": 1}, {"number": 1}),
    ],
)
def test_a_type_is_accepted_twice_side_by_side_and_rejected_inside_itself(
    definitions: dict[str, Any], member: str, accepted: object, rejected: object
) -> None:
    one = {"$ref": f"#/$defs/{member}"}
    fits = fast_validator({"type": "object", "properties": {"a": one, "b": one}, "$defs": definitions})

    assert fits({"a": accepted, "b": accepted})
    assert not fits({"a": accepted, "b": rejected})


class Counted(dict[str, Any]):
    """Definitions that count how often each is looked up."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        super().__init__(definitions)
        self.looked_up: list[str] = []

    def __getitem__(self, name: str) -> Any:
        self.looked_up.append(name)
        return super().__getitem__(name)


def test_a_definition_is_compiled_once_however_often_it_is_used() -> None:
    levels = [f"Level{number}" for number in range(12)]
    inner = [{"$ref": f"#/$defs/{name}"} for name in levels[1:]] + [{"type": "string"}]
    definitions = Counted(
        {
            name: {"type": "object", "properties": {"left": used, "right": used}}
            for name, used in zip(levels, inner, strict=True)
        }
    )
    fits = fast_validator({"$ref": "#/$defs/Level0", "$defs": definitions})

    assert definitions.looked_up == levels
    assert fits({"left": {"left": {}}, "right": {"right": {}}})
    assert not fits({"left": {"left": {"left": "a"}}})


def test_an_integer_may_have_any_size() -> None:
    large = json.loads("1" + "0" * 400)

    assert fast_validator({"type": "integer", "minimum": 0})(large)
    assert not fast_validator({"type": "integer", "maximum": 0.5})(large)
