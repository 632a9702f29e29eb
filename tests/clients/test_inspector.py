"""The Inspector's command line, against the served Lambda."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.offered import CATEGORY, FOUND, RESOURCES, SERVER, TEMPLATE, TEXT, TOOLS, URI
from tests.clients.programs import inspect
from tests.support.node import Node
from tests.support.serving import Served

every_era = pytest.mark.parametrize("era", ["legacy", "modern"])


def result_of(node: Node, home: Path, url: str, era: str, method: str, *arguments: str) -> dict[str, Any]:
    """The result that the Inspector shows; it has to end well."""
    status, document = inspect(node, home, url, "--protocol-era", era, "--method", method, *arguments)
    result: dict[str, Any] = document.pop("result")
    assert (status, document) == (0, {})
    return result


@pytest.mark.parametrize(
    ("era", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("modern", "2026-07-28")]
)
def test_it_shows_who_the_server_is(
    node: Node, served: Served, tmp_path: Path, era: str, version: str
) -> None:
    result = result_of(node, tmp_path, served.url, era, "initialize")
    server = result["serverInfo"]
    assert "get_sources" in result["instructions"]
    assert ([server["name"], server["title"]], result["protocolVersion"]) == (SERVER, version)
    assert result["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}


LISTS: Final = [
    ("tools/list", "tools", "name", TOOLS),
    ("prompts/list", "prompts", "name", ["research_topic"]),
    ("resources/templates/list", "resourceTemplates", "uriTemplate", [TEMPLATE]),
    ("resources/list", "resources", "uri", RESOURCES),
]


@every_era
@pytest.mark.parametrize(("method", "member", "key", "expected"), LISTS)
def test_it_walks_every_list_to_its_end(
    node: Node,
    served: Served,
    tmp_path: Path,
    era: str,
    method: str,
    member: str,
    key: str,
    expected: list[str],
) -> None:
    result = result_of(node, tmp_path, served.url, era, method)
    assert [item[key] for item in result.pop(member)] == expected
    assert "nextCursor" not in result


@every_era
def test_it_calls_a_tool(node: Node, served: Served, tmp_path: Path, era: str) -> None:
    arguments = ["--tool-name", "get_sources", "--tool-arg", "query=learning rust"]
    result = result_of(node, tmp_path, served.url, era, "tools/call", *arguments)
    result.pop("_meta", None)  # it names the server in the stateless era
    assert result == {
        "content": [{"type": "text", "text": TEXT}],
        "structuredContent": FOUND,
        "isError": False,
    }


@every_era
def test_it_reads_a_resource(node: Node, served: Served, tmp_path: Path, era: str) -> None:
    (content,) = result_of(node, tmp_path, served.url, era, "resources/read", "--uri", URI)["contents"]
    assert json.loads(content.pop("text")) == CATEGORY
    assert content == {"uri": URI, "mimeType": "application/json"}


@every_era
def test_it_gets_a_prompt(node: Node, served: Served, tmp_path: Path, era: str) -> None:
    arguments = ["--prompt-name", "research_topic", "--prompt-args", "topic=rust"]
    (task,) = result_of(node, tmp_path, served.url, era, "prompts/get", *arguments)["messages"]
    assert task["content"]["text"].startswith("Research this topic for me: rust\n\n")


@every_era
def test_it_tells_that_a_resource_is_missing(node: Node, served: Served, tmp_path: Path, era: str) -> None:
    uri = "registry://categories/none"
    reading = ["--protocol-era", era, "--method", "resources/read", "--uri", uri]
    assert inspect(node, tmp_path, served.url, *reading) == (
        1,
        {"error": {"code": "error", "message": f"Resource not found: {uri}"}},
    )


@every_era
def test_it_answers_that_it_has_no_roots(node: Node, asking_url: str, tmp_path: Path, era: str) -> None:
    asking = ["--tool-name", "test_input_required_result_list_roots"]
    result = result_of(node, tmp_path, asking_url, era, "tools/call", *asking)
    assert result["content"] == [{"type": "text", "text": "The client works on: "}]


NEEDED: Final = "This needs a client that declares the capability elicitation"
REFUSALS: Final = {
    "legacy": (5, {"result": {"content": [{"type": "text", "text": NEEDED}], "isError": True}}),
    "modern": (1, {"error": {"code": "error", "message": NEEDED}}),
}


@every_era
def test_it_asks_nobody_and_says_so_beforehand(node: Node, asking_url: str, tmp_path: Path, era: str) -> None:
    asking = ["--tool-name", "test_elicitation", "--tool-arg", "message=Who are you?"]
    method = ["--protocol-era", era, "--method", "tools/call"]
    assert inspect(node, tmp_path, asking_url, *method, *asking) == REFUSALS[era]
