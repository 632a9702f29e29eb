"""What the server offers, as a client sees it."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mcpcore import BuiltServer
from sources.catalog import INSTRUCTIONS, SERVER_VERSION, build_server
from sources.matching import build_strategy
from tests.support.messages import modern
from tests.support.registries import baked, fixture
from tests.support.servers import Wire
from threegood.registry.validate import validate

NEWEST = "2026-07-28"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> BuiltServer:
    registry = baked(tmp_path_factory.mktemp("valid"), validate(fixture("valid")))
    return build_server(registry, build_strategy("reference", registry)).build()


def constant(server: BuiltServer, method: str) -> Any:
    return json.loads(server.constants[NEWEST, method])


def test_every_tool_is_read_only_and_idempotent(server: BuiltServer) -> None:
    assert [tool["annotations"] for tool in constant(server, "tools/list")["tools"]] == [
        {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
    ] * 6


def inputs(server: BuiltServer) -> dict[str, Any]:
    return {tool["name"]: tool["inputSchema"] for tool in constant(server, "tools/list")["tools"]}


def test_every_argument_has_bounds(server: BuiltServer) -> None:
    asked, searched = (inputs(server)[name]["properties"] for name in ("get_sources", "search_categories"))
    number, _ = asked["threshold"]["anyOf"]

    assert asked["query"] == searched["query"]
    assert (asked["query"]["minLength"], asked["query"]["maxLength"]) == (1, 500)
    assert (number["type"], number["minimum"], number["maximum"]) == ("number", 0, 1)
    assert bounds_of(asked["alternatives"]) == ("integer", 0, 10, 0)
    assert bounds_of(searched["limit"]) == ("integer", 1, 50, 10)


def bounds_of(schema: dict[str, Any]) -> tuple[object, ...]:
    return schema["type"], schema["minimum"], schema["maximum"], schema["default"]


def test_the_instructions_name_all_tools_and_no_others(server: BuiltServer) -> None:
    named = {word.strip(".,;:") for word in INSTRUCTIONS.split() if "_" in word}

    assert named == set(server.tools)
    assert constant(server, "server/discover")["instructions"] == INSTRUCTIONS


def test_the_version_of_the_server_is_that_of_the_project(server: BuiltServer) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]

    assert (server.info.version, SERVER_VERSION) == (project["version"], project["version"])


def test_the_registry_and_its_categories_are_the_resources(server: BuiltServer) -> None:
    assert list(server.resources) == ["registry://registry"]
    assert [
        template["uriTemplate"]
        for template in constant(server, "resources/templates/list")["resourceTemplates"]
    ] == ["registry://categories/{slug}"]
    listed = [each["uri"] for each in constant(server, "resources/list")["resources"]]
    assert listed[0] == "registry://registry"
    assert all(uri.startswith("registry://categories/") for uri in listed[1:])
    assert len(listed) > 1


def test_every_template_variable_and_prompt_argument_has_completion(server: BuiltServer) -> None:
    assert set(server.completers) == {
        ("ref/prompt", "research_topic", "topic"),
        ("ref/resource", "registry://categories/{slug}", "slug"),
    }


@pytest.mark.parametrize(
    ("name", "arguments", "fault"),
    [
        (
            "get_sources",
            {"query": "rust", "threshold": 1.01},
            "threshold: input should be a number from 0 to 1",
        ),
        (
            "get_sources",
            {"query": "rust", "alternatives": 11},
            "alternatives: input should be a whole number",
        ),
        (
            "search_categories",
            {"query": "rust", "limit": 0},
            "limit: input should be a whole number from 1 to 50",
        ),
        ("search_categories", {"query": "x" * 501}, "query: string should have at most 500 characters"),
    ],
)
def test_an_argument_out_of_bounds_is_a_tool_error_with_the_bounds(
    server: BuiltServer, name: str, arguments: dict[str, Any], fault: str
) -> None:
    response = Wire(server).send(modern("tools/call", {"name": name, "arguments": arguments}))

    result = json.loads(response.body)["result"]
    assert result["isError"]
    assert f"Invalid arguments for tool {name}: {fault}" in result["content"][0]["text"]
