"""What the server offers, as a client sees it."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mcpcore import BuiltServer
from sources.catalog import INSTRUCTIONS, SERVER_VERSION, build_server
from sources.matching import build_strategy
from tests.support.registries import baked, fixture
from threegood.registry.validate import validate

NEWEST = "2026-07-28"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> BuiltServer:
    registry = baked(tmp_path_factory.mktemp("valid"), validate(fixture("valid")))
    return build_server(registry, build_strategy("reference", registry)).build()


def constant(server: BuiltServer, method: str) -> Any:
    return json.loads(server.constants[NEWEST, method])


def test_the_tools_are_offered_in_this_order_under_these_titles(server: BuiltServer) -> None:
    offered = [(tool["name"], tool["title"]) for tool in constant(server, "tools/list")["tools"]]

    assert offered == [
        ("get_sources", "Get three sources"),
        ("list_categories", "List categories"),
        ("search_categories", "Search categories"),
        ("get_provenance", "Get provenance"),
        ("get_endorsements", "Get endorsements"),
    ]


def test_every_tool_only_reads_what_does_not_change(server: BuiltServer) -> None:
    assert [tool["annotations"] for tool in constant(server, "tools/list")["tools"]] == [
        {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
    ] * 5


def inputs(server: BuiltServer) -> dict[str, Any]:
    return {tool["name"]: tool["inputSchema"] for tool in constant(server, "tools/list")["tools"]}


def test_a_query_is_all_that_is_needed(server: BuiltServer) -> None:
    taken = {
        name: (list(schema["properties"]), schema.get("required")) for name, schema in inputs(server).items()
    }

    assert taken == {
        "get_sources": (["query", "threshold", "alternatives"], ["query"]),
        "list_categories": ([], None),
        "search_categories": (["query", "limit"], ["query"]),
        "get_provenance": ([], None),
        "get_endorsements": ([], None),
    }


def test_no_tool_takes_anything_else(server: BuiltServer) -> None:
    assert {schema["additionalProperties"] for schema in inputs(server).values()} == {False}


def test_everything_that_is_taken_has_its_bounds(server: BuiltServer) -> None:
    asked, searched = (inputs(server)[name]["properties"] for name in ("get_sources", "search_categories"))
    number, _ = asked["threshold"]["anyOf"]

    assert asked["query"] == searched["query"]
    assert (asked["query"]["minLength"], asked["query"]["maxLength"]) == (1, 500)
    assert (number["type"], number["minimum"], number["maximum"]) == ("number", 0, 1)
    assert bounds_of(asked["alternatives"]) == ("integer", 0, 10, 0)
    assert bounds_of(searched["limit"]) == ("integer", 1, 50, 10)


def bounds_of(schema: dict[str, Any]) -> tuple[object, ...]:
    return schema["type"], schema["minimum"], schema["maximum"], schema["default"]


def test_every_tool_says_what_its_answer_looks_like(server: BuiltServer) -> None:
    fields = {
        tool["name"]: list(tool["outputSchema"]["properties"])
        for tool in constant(server, "tools/list")["tools"]
    }

    assert fields == {
        "get_sources": ["category", "sources", "match", "alternatives"],
        "list_categories": ["count", "categories"],
        "search_categories": ["categories", "threshold", "outside"],
        "get_provenance": [
            "curator",
            "version",
            "updated",
            "digest",
            "signature",
            "categories",
            "endorsements",
            "verification",
        ],
        "get_endorsements": ["count", "endorsements"],
    }


def test_the_instructions_name_every_tool_and_nothing_that_is_none(server: BuiltServer) -> None:
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


def test_one_prompt_is_offered_and_needs_a_topic(server: BuiltServer) -> None:
    (prompt,) = constant(server, "prompts/list")["prompts"]

    assert (prompt["name"], prompt["title"]) == ("research_topic", "Research a topic")
    assert [(argument["name"], argument["required"]) for argument in prompt["arguments"]] == [("topic", True)]


def test_all_that_has_a_blank_can_be_completed(server: BuiltServer) -> None:
    assert set(server.completers) == {
        ("ref/prompt", "research_topic", "topic"),
        ("ref/resource", "registry://categories/{slug}", "slug"),
    }


def test_the_capabilities_are_those_of_what_is_offered(server: BuiltServer) -> None:
    assert set(server.capabilities[NEWEST]) == {"tools", "resources", "prompts", "completions"}
    assert set(server.capabilities["2024-11-05"]) == {"tools", "resources", "prompts"}
