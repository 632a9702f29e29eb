"""The official SDK's client and `make stdio`, in every revision of the protocol."""

import json
from typing import Any, Final

import mcp_types
import pytest
from mcp.client import Client

from tests.support import sdk
from tests.support.published import CATEGORIES
from tests.support.sdk import REVISIONS, stdio_parameters, text_of

pytestmark = pytest.mark.anyio

QUERY: Final = {"query": "how do I get started with rust"}
RUST: Final[dict[str, Any]] = CATEGORIES["rust-learning"]


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
async def test_a_client_connects_and_agrees_on_its_newest_revision(mode: str, revision: str) -> None:
    async with Client(stdio_parameters(), mode=mode) as client:
        assert client.protocol_version == revision
        tools = await client.list_tools()
    assert [tool.name for tool in tools.tools][:1] == ["get_sources"]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_question_about_rust_is_answered_with_the_three_sources_in_order(revision: str) -> None:
    async with sdk.over_stdio(revision) as session:
        text = text_of(await session.call_tool("get_sources", QUERY))
    assert json.loads(text)["sources"] == RUST["sources"]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_resources_and_prompts_are_read_as_over_http(revision: str) -> None:
    async with sdk.over_stdio(revision) as session:
        first = (await session.list_resources()).resources[0]
        (contents,) = (await session.read_resource("registry://categories/rust-learning")).contents
        (prompt,) = (await session.list_prompts()).prompts
        (task,) = (await session.get_prompt(prompt.name, {"topic": "learn rust"})).messages
    assert str(first.uri) == "registry://registry"
    assert isinstance(contents, mcp_types.TextResourceContents)
    assert json.loads(contents.text)["sources"] == RUST["sources"]
    assert isinstance(task.content, mcp_types.TextContent)
    assert [source["url"] in task.content.text for source in RUST["sources"]] == [True] * 3
