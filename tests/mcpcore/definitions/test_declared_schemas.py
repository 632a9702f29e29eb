"""Handwritten schemas: listed unchanged, and enforced as JSON Schema 2020-12."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from mcpcore import DefinitionError, McpError, Server
from mcpcore.definitions.schemas import declared_schema, json_schema_faults
from mcpcore.protocol.errors import InvalidArguments
from mcpcore.testing import Client
from mcpcore_aws.timeouts import run_within
from tests.support.messages import MODERN, modern
from tests.support.servers import Wire
from tests.support.versions import EVERY_VERSION

CONTACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://a.example/contact",
    "type": "object",
    "title": "A contact",
    "$defs": {
        "address": {"$anchor": "addressDef", "type": "object", "properties": {"city": {"type": "string"}}}
    },
    "properties": {
        "name": {"type": "string", "minLength": 1, "title": "Name"},
        "address": {"$ref": "#/$defs/address"},
        "other": {"$ref": "#addressDef"},
        "method": {"enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
        "count": {"type": "integer", "maximum": 3},
    },
    "required": ["name"],
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"method": {"const": "phone"}}, "required": ["method"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def contact(**arguments: Any) -> str:
    """Take a contact."""
    return json.dumps(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "Ada", "email": "a@b.example"},
        {"name": "Ada", "method": "phone", "phone": "1"},
        {"name": "Ada", "email": "x", "address": {"city": "Oslo", "more": 1}, "count": 3.0},
    ],
)
def test_valid_arguments_are_passed_unconverted(arguments: dict[str, Any]) -> None:
    assert declared_schema(CONTACT, "tool").checked("tool", arguments) == arguments


@pytest.mark.requirement("schema-2020-12")
@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        ({"email": "x"}, ["$: 'name' is a required property"]),
        ({"name": "", "email": "x"}, ["$.name: '' should be non-empty"]),
        ({"name": 5, "email": "x"}, ["$.name: 5 is not of type 'string'"]),
        (
            {"name": "Ada", "email": "x", "address": {"city": 5}},
            ["$.address.city: 5 is not of type 'string'"],
        ),
        ({"name": "Ada", "email": "x", "other": {"city": 5}}, ["$.other.city: 5 is not of type 'string'"]),
        ({"name": "Ada", "phone": "1"}, ["$: 'email' is a required property"]),
        ({"name": "Ada", "email": "x", "method": "phone"}, ["$: 'phone' is a required property"]),
        ({"name": "Ada", "email": "x", "count": 4}, ["$.count: 4 is greater than the maximum of 3"]),
        (
            {"name": "Ada", "email": "x", "extra": 1},
            ["$: Additional properties are not allowed ('extra' was unexpected)"],
        ),
        (
            {"email": 1, "name": 2, "method": 3},
            [
                "$.email: 1 is not of type 'string'",
                "$.method: 3 is not one of ['phone', 'email']",
                "$.name: 2 is not of type 'string'",
            ],
        ),
    ],
)
def test_each_fault_of_the_arguments_is_named_with_its_place(
    arguments: dict[str, Any], faults: list[str]
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        declared_schema(CONTACT, "tool").checked("tool", arguments)

    assert refused.value.faults == tuple(faults)


class Endless(list[str]):
    """30,000 long items, of which only the first ten may be looked at."""

    def __len__(self) -> int:
        return 30_000

    def __getitem__(self, index: Any) -> Any:
        assert index < 10
        return "x" * 500


def test_the_search_for_faults_ends_at_ten_and_each_is_truncated() -> None:
    faults = json_schema_faults({"items": {"type": "integer"}}, Endless())

    assert len(faults) == 10
    assert max(map(len, faults)) < 250


def referring(**definitions: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": definitions}


NOT_OBJECTS: list[object] = [None, True, [], {}, {"type": "string"}, {"type": ["object"]}]
NO_OBJECT = "an input schema must have the type object at its root"


@pytest.mark.requirement("schema-dialect-and-references")
@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        *((schema, NO_OBJECT) for schema in NOT_OBJECTS),
        (
            {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"},
            "only the dialect https://json-schema.org/draft/2020-12/schema is supported",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "text"}}},
            "invalid schema at $.properties.a.type: 'text' is not valid under any of the given schemas",
        ),
        ({"type": "object", "required": "a"}, "invalid schema at $.required: 'a' is not of type 'array'"),
        (
            {"type": "object", "properties": {"a": {"$ref": "https://a.example/b"}}},
            "$ref https://a.example/b points outside the schema; only local references are supported",
        ),
        (
            {"type": "object", "anyOf": [{"$dynamicRef": "other.json#a"}]},
            "$ref other.json#a points outside the schema; only local references are supported",
        ),
        (referring(), "$ref #/$defs/a has no target"),
        ({"type": "object", "not": {"$ref": "#name"}}, "$ref #name has no target"),
        (
            referring(a={"$ref": "#/$defs/a"}),
            "$ref #/$defs/a refers back to itself and restricts nothing",
        ),
        ({"type": "object", "allOf": [{"$ref": "#"}]}, "$ref # refers back to itself and restricts nothing"),
        (
            referring(a={"anyOf": [True, {"if": {"$ref": "#/$defs/b"}}]}, b={"$ref": "#/$defs/a"}),
            "$ref #/$defs/a, #/$defs/b refers back to itself and restricts nothing",
        ),
    ],
)
def test_a_schema_that_cannot_be_enforced_is_refused(schema: object, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        declared_schema(schema, "tool")

    assert (refused.value.where, refused.value.problem) == ("tool", problem)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"child": {"$ref": "#"}}},
        {
            "$id": "https://a.example/s",
            "type": "object",
            "items": {"$ref": "#/$defs/a"},
            "$defs": {"a": True},
        },
        {"type": "object", "$dynamicAnchor": "node", "properties": {"child": {"$dynamicRef": "#node"}}},
        {"type": "object", "default": {"$ref": "#/nowhere"}},
        {"type": "object", "properties": {"$ref": {"type": "string"}}},
        referring(a={"$ref": "#b"}, b={"$anchor": "b", "items": {"$ref": "#/$defs/a"}}),
    ],
)
def test_a_reference_to_another_part_of_the_value_and_a_property_called_ref_are_valid(
    schema: dict[str, Any],
) -> None:
    assert declared_schema(schema, "tool").checked("tool", {"child": {}}) == {"child": {}}


@pytest.mark.requirement("schema-verbatim")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_handwritten_schema_is_listed_unchanged_in_every_version(version: str) -> None:
    server = Server("s", version="1")
    server.tool(input_schema=CONTACT)(contact)

    (tool,) = Client(server, protocol_version=version).list_tools()

    assert json.dumps(tool["inputSchema"]) == json.dumps(CONTACT)


def test_a_required_parameter_without_a_property_is_refused_at_build() -> None:
    def say(name: str, city: str, time: str, mood: str = "", *more: str) -> str:
        return f"{name} {city} {time} {mood} {more}"

    server = Server("s", version="1")
    server.tool(description="d", input_schema=CONTACT)(say)

    problem = "say: the input schema has no property for the required parameter time; add one"
    with pytest.raises(DefinitionError, match=problem):
        server.build()


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18"])
def test_arguments_that_break_a_handwritten_schema_are_a_protocol_error_before_2025_11_25(
    version: str,
) -> None:
    server = Server("s", version="1")
    server.tool(input_schema=CONTACT)(contact)

    with pytest.raises(InvalidArguments, match="Invalid arguments for tool contact: "):
        Client(server, protocol_version=version).call_tool("contact")


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_arguments_that_break_a_handwritten_schema_are_a_tool_error_since_2025_11_25(version: str) -> None:
    server = Server("s", version="1")
    server.tool(input_schema=CONTACT)(contact)

    found = Client(server, protocol_version=version).call_tool("contact")

    assert found.is_error
    assert found.text.startswith("Invalid arguments for tool contact: ")


OUTPUT: Final = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]}


def with_output(found: object, schema: Any = OUTPUT) -> Server:
    """A server whose tool `lengths` has a handwritten output schema, and returns `found`."""
    server = Server("declared", version="1")
    server.tool("lengths", description="d", output_schema=schema)(lambda: found)
    return server


def test_a_handwritten_output_schema_is_listed_unchanged_and_its_content_sent() -> None:
    client = Client(with_output({"n": 5}))
    found = client.call_tool("lengths")

    assert client.list_tools()[0]["outputSchema"] == OUTPUT
    assert (found.structured, found.text) == ({"n": 5}, '{"n":5}')


@pytest.mark.parametrize("found", [{"n": 10}, {}, {"n": "5"}, "5", None])
def test_content_that_breaks_a_handwritten_output_schema_is_not_sent(found: object) -> None:
    with pytest.raises(McpError, match=r"^Internal error$"):
        Client(with_output(found)).call_tool("lengths")


@pytest.mark.parametrize("schema", [5, [], {"type": "nothing"}, {"$ref": "https://example.com/schema.json"}])
def test_an_output_schema_that_cannot_be_enforced_is_refused_at_build(schema: object) -> None:
    with pytest.raises(DefinitionError, match="lengths"):
        with_output(None, schema).build()


UNIQUE: Final = {"type": "object", "properties": {"a": {"uniqueItems": True}}}
MANY: Final = {"a": [{"n": n} for n in range(30_000)]}


def run_briefly(work: Callable[[], Any], _seconds: float) -> Any:
    """Run work as on Lambda, with little time."""
    return run_within(work, 0.2)


@pytest.mark.parametrize("schemas", [{"input_schema": UNIQUE}, {"output_schema": UNIQUE}])
def test_validation_by_a_handwritten_schema_ends_at_the_deadline(schemas: dict[str, Any]) -> None:
    server = Server("s", version="1")
    server.tool("late", description="d", **{"input_schema": {"type": "object"}, **schemas})(lambda **_: MANY)
    request = modern("tools/call", {"name": "late", "arguments": MANY})

    answer = json.loads(Wire(server, run=run_briefly).send(request).body)

    assert answer["error"] == {
        "code": -32603,
        "message": "Not done within 0.2 seconds; try again, or ask for less",
    }
