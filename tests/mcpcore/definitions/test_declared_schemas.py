"""Schemas that were written by hand: kept to the letter, and enforced as JSON Schema 2020-12."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from mcpcore import Context, DefinitionError, Server
from mcpcore.definitions.schemas import declared_schema, json_schema_faults
from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import InvalidArguments
from mcpcore_aws.timeouts import run_within
from tests.support.messages import LEGACY_VERSIONS, MODERN, initialize, legacy, modern
from tests.support.servers import Wire

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
def test_arguments_that_fit_are_given_as_they_came(arguments: dict[str, Any]) -> None:
    assert declared_schema(CONTACT, "tool").checked("tool", arguments) == arguments


NEITHER = "is not valid under any of the given schemas"


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
        (
            {"name": "Ada", "email": "x", "method": "phone"},
            ["$: 'phone' is a required property"],
        ),
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
def test_arguments_that_do_not_fit_are_named_by_place_and_fault(
    arguments: dict[str, Any], faults: list[str]
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        declared_schema(CONTACT, "tool").checked("tool", arguments)

    assert refused.value.faults == tuple(faults)


def test_no_more_than_ten_faults_are_told_and_each_is_cut() -> None:
    faults = json_schema_faults({"items": {"type": "integer"}}, ["x" * 500] * 20)

    assert len(faults) == 10
    assert max(map(len, faults)) < 250


@pytest.mark.requirement("schema-dialect-and-references")
@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (None, "an input schema must have the type object at its root"),
        (True, "an input schema must have the type object at its root"),
        ([], "an input schema must have the type object at its root"),
        ({}, "an input schema must have the type object at its root"),
        ({"type": "string"}, "an input schema must have the type object at its root"),
        ({"type": ["object"]}, "an input schema must have the type object at its root"),
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
            "$ref https://a.example/b leaves the schema; only local references are followed",
        ),
        (
            {"type": "object", "anyOf": [{"$dynamicRef": "other.json#a"}]},
            "$ref other.json#a leaves the schema; only local references are followed",
        ),
    ],
)
def test_a_schema_that_cannot_be_enforced_is_refused(schema: object, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        declared_schema(schema, "tool")

    assert (refused.value.where, refused.value.problem) == ("tool", problem)


def test_a_property_may_be_called_as_a_reference_is() -> None:
    schema = {"type": "object", "properties": {"$ref": {"type": "string"}}}

    assert declared_schema(schema, "tool").checked("tool", {"$ref": "x"}) == {"$ref": "x"}


ASK: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}


@pytest.mark.requirement("schema-verbatim")
@pytest.mark.parametrize("version", [*LEGACY_VERSIONS, MODERN])
def test_a_declared_schema_is_listed_to_the_letter_in_every_version(version: str) -> None:
    server = Server("s", version="1")
    server.tool(input_schema=CONTACT)(contact)
    wire = Wire(server)
    wire.send(initialize(version))

    (tool,) = json.loads(wire.send(ASK.get(version, legacy)("tools/list")).body)["result"]["tools"]

    assert json.dumps(tool["inputSchema"]) == json.dumps(CONTACT)


def seeing(*, context: Context, **arguments: Any) -> str:
    """See the request, whatever the arguments say."""
    return f"{context.envelope.version} {sorted(arguments)}"


def test_an_open_schema_does_not_let_a_client_be_the_context() -> None:
    server = Server("s", version="1")
    server.tool(input_schema={"type": "object"})(seeing)
    params = {"name": "seeing", "arguments": {"context": {}, "other": 1}}

    body = Wire(server).send(modern("tools/call", params)).body

    assert json.loads(body)["result"]["content"][0]["text"] == "2026-07-28 ['other']"


@pytest.mark.parametrize(
    ("version", "member"),
    [("2024-11-05", "error"), ("2025-06-18", "error"), ("2025-11-25", "result"), (MODERN, "result")],
)
def test_breaking_a_declared_schema_is_answered_as_breaking_a_derived_one(version: str, member: str) -> None:
    server = Server("s", version="1")
    server.tool(input_schema=CONTACT)(contact)
    wire = Wire(server)
    wire.send(initialize(version))

    answer = json.loads(wire.send(ASK.get(version, legacy)("tools/call", {"name": "contact"})).body)

    assert member in answer
    assert "Invalid arguments for tool contact: " in json.dumps(answer)


LENGTHS: Final = (
    '[{"name": "lengths", "description": "d", "inputSchema": {"type": "object"}, "outputSchema": %s}]'
)
OUTPUT: Final = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]}


def lengths(found: object, output: object = OUTPUT) -> Wire:
    """A server whose one tool was declared with an output schema, and gives `found`."""
    server = Server("declared", version="1")
    server.load_tools(LENGTHS % json.dumps(output), {"lengths": lambda: found})
    return Wire(server)


def test_a_declared_output_schema_is_kept_to_the_letter_and_its_content_sent() -> None:
    wire = lengths({"n": 5})

    listed = json.loads(wire.send(modern("tools/list")).body)["result"]["tools"][0]
    result = json.loads(wire.send(modern("tools/call", {"name": "lengths"})).body)["result"]

    assert listed["outputSchema"] == OUTPUT
    assert (result["structuredContent"], result["content"]) == (
        {"n": 5},
        [{"type": "text", "text": '{"n":5}'}],
    )


@pytest.mark.parametrize("found", [{"n": 10}, {}, {"n": "5"}, "5", None])
def test_content_that_breaks_a_declared_output_schema_is_not_sent(found: object) -> None:
    answer = json.loads(lengths(found).send(modern("tools/call", {"name": "lengths"})).body)

    assert answer["error"] == {"code": -32603, "message": "Internal error"}


@pytest.mark.parametrize("output", [5, [], {"type": "nothing"}, {"$ref": "https://example.com/schema.json"}])
def test_an_output_schema_that_cannot_be_enforced_is_found_at_build(output: object) -> None:
    with pytest.raises(DefinitionError, match="lengths"):
        lengths(None, output)


def referring(**definitions: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": definitions}


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (referring(), "$ref #/$defs/a leads nowhere"),
        ({"type": "object", "not": {"$ref": "#name"}}, "$ref #name leads nowhere"),
        (
            referring(a={"$ref": "#/$defs/a"}),
            "$ref #/$defs/a leads in a circle and checks nothing",
        ),
        (
            {"type": "object", "allOf": [{"$ref": "#"}]},
            "$ref # leads in a circle and checks nothing",
        ),
        (
            referring(a={"anyOf": [True, {"if": {"$ref": "#/$defs/b"}}]}, b={"$ref": "#/$defs/a"}),
            "$ref #/$defs/a, #/$defs/b leads in a circle and checks nothing",
        ),
    ],
)
def test_a_reference_that_cannot_be_followed_to_an_end_is_found_at_build(
    schema: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        declared_schema(schema, "tool")

    assert refused.value.problem == problem


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
        referring(a={"$ref": "#b"}, b={"$anchor": "b", "items": {"$ref": "#/$defs/a"}}),
    ],
)
def test_a_reference_that_ends_or_consumes_something_may_stand(schema: dict[str, Any]) -> None:
    assert declared_schema(schema, "tool").checked("tool", {"child": {}}) == {"child": {}}


def test_a_large_value_with_a_fault_in_every_place_is_not_searched_to_its_end() -> None:
    class Endless(list[str]):
        """Items that must not be looked at beyond the first few."""

        def __len__(self) -> int:
            return 30_000

        def __getitem__(self, index: Any) -> Any:
            assert index < 10
            return "x"

    assert len(json_schema_faults({"items": {"type": "integer"}}, Endless())) == 10


UNIQUE: Final = {"type": "object", "properties": {"a": {"uniqueItems": True}}}
MANY: Final = {"a": [{"n": n} for n in range(30_000)]}
LATE: Final = "Not done within 0.2 seconds; try again, or ask for less"


def in_time(work: Callable[[], Any], _seconds: float) -> Any:
    """As the door over Lambda runs work, with little time."""
    return run_within(work, 0.2)


@pytest.mark.parametrize("part", ["input_schema", "output"])
def test_checking_a_declared_schema_ends_at_the_deadline(part: str) -> None:
    declared = {"name": "late", "description": "d", "inputSchema": {"type": "object"}}
    if_output = {"output": {"outputSchema": UNIQUE}, "input_schema": {"inputSchema": UNIQUE}}[part]
    server = Server("s", version="1")
    server.load_tools(json.dumps([{**declared, **if_output}]), {"late": lambda **_: MANY})
    wire = Wire(server, run=in_time)

    answer = json.loads(wire.send(modern("tools/call", {"name": "late", "arguments": MANY})).body)

    assert answer["error"] == {"code": -32603, "message": LATE}
