"""`x-mcp-header`: which arguments may be repeated in headers, checked when a server is built."""

from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import DefinitionError, Server
from mcpcore.definitions.parameter_headers import declared_headers

REGION = {"type": "string", "x-mcp-header": "Region"}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.requirement("header-nested")
@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object"}, {}),
        (of(), {}),
        (of(region={"type": "string"}, anything=True), {}),
        (of(region=REGION), {"region": ("region",)}),
        (of(n={"type": "integer", "x-mcp-header": "Count"}), {"count": ("n",)}),
        (of(b={"type": "boolean", "x-mcp-header": "!#$%&'*+-.^_`|~09aZ"}), {"!#$%&'*+-.^_`|~09az": ("b",)}),
        (of(where=of(place=of(region=REGION))), {"region": ("where", "place", "region")}),
        (
            of(region=REGION, zone={"type": "string", "x-mcp-header": "Zone"}),
            {"region": ("region",), "zone": ("zone",)},
        ),
        (of(default=REGION), {"region": ("default",)}),
        (of(properties=of(region=REGION)), {"region": ("properties", "region")}),
        (of(**{"x-mcp-header": {"type": "string"}}), {}),
        (of(**{"x-mcp-header": REGION}), {"region": ("x-mcp-header",)}),
        (of(a={"type": "object", "default": {"x-mcp-header": "Data"}}), {}),
        (of(a={"enum": [{"x-mcp-header": "Data"}]}, b={"const": {"x-mcp-header": 1}}), {}),
        ({**of(a={}), "examples": [{"x-mcp-header": "Data"}]}, {}),
    ],
)
def test_a_header_leads_to_the_path_of_its_argument_by_its_name_in_lower_case(
    schema: dict[str, Any], expected: dict[str, tuple[str, ...]]
) -> None:
    assert declared_headers(schema, "tool") == expected


NOT_REACHED = "x-mcp-header is allowed only on properties, at any depth"
NO_TYPE = "x-mcp-header of a needs type string, integer, boolean"
NO_NAME = "x-mcp-header of a is not a header name"


@pytest.mark.requirement("header-declared")
@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        *(
            (of(a={"type": "string", "x-mcp-header": name}), NO_NAME)
            for name in ("", " ", "a b", "a:b", "é", "a\n", "a,b", "(a)", None, 1, ["Region"])
        ),
        *(
            (of(a={"type": kind, "x-mcp-header": "A"}), NO_TYPE)
            for kind in ("number", "object", "array", "null", ["string", "null"], None)
        ),
        (of(a={"x-mcp-header": "A"}), NO_TYPE),
        (
            of(a=REGION, b={"type": "string", "x-mcp-header": "REGION"}),
            "two arguments have the x-mcp-header REGION",
        ),
        (of(a=REGION, b=of(c=REGION)), "two arguments have the x-mcp-header Region"),
        (of(a={"type": "array", "items": REGION}), NOT_REACHED),
        ({**of(), "x-mcp-header": "Root"}, NOT_REACHED),
        *(({**of(), keyword: [REGION]}, NOT_REACHED) for keyword in ("allOf", "anyOf", "oneOf")),
        *(
            ({**of(), keyword: of(a=REGION)}, NOT_REACHED)
            for keyword in ("if", "then", "else", "not", "additionalProperties")
        ),
        ({**of(a={"$ref": "#/$defs/R"}), "$defs": {"R": REGION}}, NOT_REACHED),
        ({**of(), "$defs": {"default": REGION}}, NOT_REACHED),
        ({**of(), "patternProperties": {"^a": REGION}}, NOT_REACHED),
    ],
)
def test_a_header_that_clients_would_not_accept_is_refused(schema: dict[str, Any], problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        declared_headers(schema, "tool")

    assert str(refused.value) == f"tool: {problem}"


def weather(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Tell the weather."""
    return region


def test_a_header_can_be_declared_beside_a_type_hint() -> None:
    server = Server("s", version="1")
    server.tool(weather)

    tool = server.build().tools["weather"]

    assert tool.headers == {"region": ("region",)}
    assert tool.arguments.json["properties"] == {"region": REGION}


@pytest.mark.requirement("header-declared")
def test_a_wrong_header_stops_the_build_and_names_the_tool() -> None:
    server = Server("s", version="1")
    schema = of(a={"type": "number", "x-mcp-header": "A"})
    server.tool("sun", description="d", input_schema=schema)(lambda a: a)

    with pytest.raises(DefinitionError) as refused:
        server.build()

    assert str(refused.value) == f"sun: {NO_TYPE}"
