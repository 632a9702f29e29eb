"""fastmcp's client, from an environment of its own, against the served Lambda."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.offered import CATEGORY, FOUND, RESOURCES, TOOLS
from tests.clients.programs import FOLDER, json_output
from tests.support.serving import Served

VERSIONS: Final = {"legacy": "2025-11-25", "auto": "2026-07-28"}

in_every_mode = pytest.mark.parametrize("mode", VERSIONS)


def run(python: Path, mode: str, scenario: str, url: str) -> dict[str, Any]:
    document: dict[str, Any] = json_output(python, FOLDER / "fastmcp_client.py", mode, scenario, url)
    return document


@in_every_mode
def test_it_lists_reads_gets_completes_and_calls(fastmcp_python: Path, served: Served, mode: str) -> None:
    found = run(fastmcp_python, mode, "product", served.url)
    (contents,) = found.pop("contents")
    assert json.loads(contents) == CATEGORY
    assert found == {
        "version": VERSIONS[mode],
        "tools": TOOLS,
        "prompts": ["research_topic"],
        "resources": RESOURCES,
        "prompt": ["text"],
        "completed": ["rust-learning"],
        "structured": FOUND,
    }


@in_every_mode
def test_it_is_asked_in_several_ways_and_told_of_progress(
    fastmcp_python: Path, asking_url: str, mode: str
) -> None:
    assert run(fastmcp_python, mode, "asks", asking_url) == {
        "texts": [
            'User response: action=accept, content={"username": "ada", "email": "ada@example.com"}',
            "LLM response: Paris",
            "The client works on: file:///home/ada/engine",
            "All answered: user_name, greeting, client_roots",
            "Ada likes blue",
        ],
        "progress": [[done, 100.0, f"Completed step {done:.0f} of 100"] for done in (0.0, 50.0, 100.0)],
    }
