"""The official SDK's client and the served Lambda, in every revision of the protocol."""

import json
import re
from typing import Any, Final

import anyio
import httpx2
import mcp_types
import pytest
from mcp.client import Client
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.support import sdk
from tests.support.exchanges import error, legacy, over_http
from tests.support.published import REGISTRY
from tests.support.sdk import REVISIONS, text_of
from tests.support.serving import Served

pytestmark = pytest.mark.anyio

QUERY: Final = {"query": "how do I get started with rust"}
RUST: Final[dict[str, Any]] = REGISTRY["categories"]["rust-learning"]

WITH_STRUCTURE: Final = REVISIONS[REVISIONS.index("2025-06-18") :]
WITH_TOOL_ERRORS: Final = REVISIONS[REVISIONS.index("2025-11-25") :]
BEFORE_STRUCTURE: Final = tuple(revision for revision in REVISIONS if revision not in WITH_STRUCTURE)
BEFORE_TOOL_ERRORS: Final = tuple(revision for revision in REVISIONS if revision not in WITH_TOOL_ERRORS)


@pytest.mark.parametrize(
    ("mode", "revision"), [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")]
)
async def test_a_client_connects_and_agrees_on_its_newest_revision(
    served: Served, mode: str, revision: str
) -> None:
    async with Client(served.url, mode=mode) as client:
        assert client.protocol_version == revision
        result = await client.call_tool("get_sources", QUERY)
    assert "The Rust Programming Language" in text_of(result)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_server_reports_its_name_and_version(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        info, instructions = session.server_info, session.instructions
    assert info is not None
    assert instructions is not None
    assert (info.name, info.version) == ("three-good-sources", "0.1.0")
    assert "get_sources" in instructions


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_tools_are_listed_in_their_order(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        listed = await session.list_tools()
    assert [tool.name for tool in listed.tools] == [
        "get_sources",
        "list_categories",
        "search_categories",
        "get_provenance",
        "get_endorsements",
        "get_audit_log",
    ]
    assert [tool.input_schema["additionalProperties"] for tool in listed.tools] == [False] * 6


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_question_about_rust_is_answered_with_the_three_sources_in_order(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        result = await session.call_tool("get_sources", QUERY)
    assert not result.is_error
    found = json.loads(text_of(result))
    assert found["sources"] == RUST["sources"]
    assert result.structured_content == (found if revision in WITH_STRUCTURE else None)


@pytest.mark.parametrize("revision", WITH_STRUCTURE)
async def test_the_sources_come_as_structured_content_too(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        result = await session.call_tool("get_sources", QUERY)
    assert result.structured_content is not None
    match = result.structured_content.pop("match")
    assert result.structured_content == {
        "category": {"slug": "rust-learning", "name": RUST["name"], "description": RUST["description"]},
        "sources": RUST["sources"],
        "alternatives": [],
    }
    assert set(match) == {"score", "strategy", "terms", "runner_up"}


@pytest.mark.parametrize("revision", BEFORE_STRUCTURE)
async def test_a_client_without_structured_content_in_its_revision_gets_none(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        result = await session.call_tool("get_sources", QUERY)
    assert result.structured_content is None


@pytest.mark.parametrize("revision", WITH_STRUCTURE)
async def test_every_tool_answers(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        await session.list_tools()  # from here on the client checks every answer against its output schema
        categories = await structured(session, "list_categories")
        found = await structured(session, "search_categories", {**QUERY, "limit": 1})
        provenance = await structured(session, "get_provenance")
        endorsements = await structured(session, "get_endorsements")
        log = await structured(session, "get_audit_log", {"category": "rust-learning", "proof": True})
    assert [category["slug"] for category in categories["categories"]] == sorted(REGISTRY["categories"])
    assert [category["slug"] for category in found["categories"]] == ["rust-learning"]
    assert {name: provenance["curator"][name] for name in REGISTRY["curator"]} == REGISTRY["curator"]
    assert provenance["categories"] == len(REGISTRY["categories"]) == categories["count"]
    assert [entry["action"] for entry in log["entries"]] == ["category_added", *["source_added"] * 3]
    assert endorsements == {
        "count": len(REGISTRY["endorsements"]),
        "endorsements": REGISTRY["endorsements"],
    }


@pytest.mark.parametrize("revision", REVISIONS[:-1])
async def test_every_tool_uses_the_same_words_in_every_revision(served: Served, revision: str) -> None:
    async with (
        sdk.over_http(served.url, revision) as older,
        sdk.over_http(served.url, REVISIONS[-1]) as newest,
    ):
        schemas = {tool.name: tool.input_schema for tool in (await newest.list_tools()).tools}
        calls = [(name, QUERY if "query" in schema["properties"] else {}) for name, schema in schemas.items()]
        expected = [text_of(await newest.call_tool(*call)) for call in calls]
        assert [text_of(await older.call_tool(*call)) for call in calls] == expected


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_query_without_a_match_is_a_tool_error_that_names_usable_slugs(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        refused = await session.call_tool("get_sources", {"query": "rust zzzz qqqq", "threshold": 1})
        *_, slug = re.findall(r"^- .+ \((.+)\): \d\.\d\d$", text_of(refused), re.MULTILINE)[:1]
        found = await session.call_tool("get_sources", {"query": slug})
    assert (refused.is_error, refused.structured_content) == (True, None)
    assert text_of(refused).startswith("No category matches this query")
    assert "list_categories" in text_of(refused)
    assert (slug, json.loads(text_of(found))["category"]["name"]) == ("rust-learning", RUST["name"])


@pytest.mark.parametrize("revision", WITH_STRUCTURE)
async def test_alternatives_come_with_the_answer_when_they_are_asked_for(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        await session.list_tools()  # from here on the client checks every answer against its output schema
        answer = await structured(session, "get_sources", {"query": "postgres", "alternatives": 1})
    (other,) = answer["alternatives"]
    assert answer["match"]["runner_up"] == {key: other[key] for key in ("slug", "name", "score")}


WRONG: Final = {"query": 5, "limit": 3}
COMPLAINT: Final = (
    "Invalid arguments for tool get_sources: query: input should be a valid string; "
    "limit: no such argument (known: query, threshold, alternatives, proof). Correct them and call again."
)


@pytest.mark.parametrize("revision", WITH_TOOL_ERRORS)
async def test_wrong_arguments_are_a_tool_error_that_a_model_can_learn_from(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        result = await session.call_tool("get_sources", WRONG)
    assert (result.is_error, text_of(result)) == (True, COMPLAINT)


@pytest.mark.parametrize("revision", BEFORE_TOOL_ERRORS)
async def test_wrong_arguments_were_a_protocol_error_before(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        with pytest.raises(MCPError) as caught:
            await session.call_tool("get_sources", WRONG)
    assert (caught.value.code, caught.value.message) == (-32602, COMPLAINT)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_an_unknown_tool_is_a_protocol_error(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        with pytest.raises(MCPError) as caught:
            await session.call_tool("get_everything")
    assert (caught.value.code, caught.value.message) == (
        -32602,
        "Unknown tool: get_everything. tools/list names the tools there are",
    )


@pytest.mark.parametrize("revision", REVISIONS[:-1])
async def test_a_client_of_the_handshake_era_can_ping(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        assert await session.send_ping() == mcp_types.EmptyResult()


async def test_many_clients_of_all_revisions_are_answered_at_once(served: Served) -> None:
    topics = sorted(REGISTRY["categories"])[:10]
    answers: dict[str, dict[str, Any]] = {}

    async def ask(revision: str, slug: str) -> None:
        async with sdk.over_http(served.url, revision) as session:
            name = REGISTRY["categories"][slug]["name"]
            answers[slug] = await structured(session, "get_sources", {"query": name})

    async with anyio.create_task_group() as clients:
        for number, slug in enumerate(topics):
            clients.start_soon(ask, WITH_STRUCTURE[number % len(WITH_STRUCTURE)], slug)
    assert {slug: answer["category"]["slug"] for slug, answer in answers.items()} == {
        slug: slug for slug in topics
    }


async def test_a_client_that_leaves_ends_its_session(served: Served) -> None:
    sessions: list[str] = []

    async def notice(response: httpx2.Response) -> None:
        sessions.extend(response.headers.get_list("mcp-session-id"))

    async with (
        httpx2.AsyncClient(event_hooks={"response": [notice]}) as http,
        streamable_http_client(served.url, http_client=http) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        await session.list_tools()
    (session_id,) = sessions
    reply = over_http(served.url)(legacy("ping", 7, session=session_id))
    reason = "The session is unknown, expired or ended; initialize again without a session id"
    assert (reply.status, reply.message()) == (
        404,
        error(7, -32002, "Server not initialized. Call initialize first.", {"reason": reason}),
    )


async def structured(
    session: ClientSession, tool: str, arguments: dict[str, Any] | None = None
) -> dict[str, Any]:
    result = await session.call_tool(tool, arguments)
    assert not result.is_error
    assert isinstance(result.structured_content, dict)
    return result.structured_content
