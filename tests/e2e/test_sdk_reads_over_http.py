"""The official SDK's client lists, reads, gets and completes: resources and prompts, in every revision."""

import hashlib
import json
from typing import Any, Final

import mcp_types
import pytest
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError

from tests.support import sdk
from tests.support.published import REGISTRY, canonical_text
from tests.support.sdk import REVISIONS
from tests.support.serving import Served

pytestmark = pytest.mark.anyio

SLUGS: Final = sorted(REGISTRY["categories"])
RUST: Final[dict[str, Any]] = REGISTRY["categories"]["rust-learning"]
TEMPLATE: Final = "registry://categories/{slug}"

WITH_TITLES: Final = REVISIONS[REVISIONS.index("2025-06-18") :]
WITH_COMPLETIONS: Final = REVISIONS[REVISIONS.index("2025-03-26") :]
NOT_FOUND: Final = dict.fromkeys(REVISIONS[:-1], -32002) | {REVISIONS[-1]: -32602}


async def text_under(session: ClientSession, uri: str) -> str:
    (contents,) = (await session.read_resource(uri)).contents
    assert isinstance(contents, mcp_types.TextResourceContents)
    assert (contents.uri, contents.mime_type) == (uri, "application/json")
    return contents.text


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_list_of_resources_is_one_page(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        listed = await session.list_resources()
    assert [str(resource.uri) for resource in listed.resources] == [
        "registry://registry",
        *(TEMPLATE.replace("{slug}", slug) for slug in SLUGS),
    ]
    assert {resource.mime_type for resource in listed.resources} == {"application/json"}
    assert listed.next_cursor is None


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_resource_has_a_title_where_there_are_titles(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        first = (await session.list_resources()).resources[0]
    assert (first.name, first.title) == (
        "registry",
        "The registry" if revision in WITH_TITLES else None,
    )


@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_category_that_is_listed_can_be_read(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        listed = (await session.list_resources()).resources[-11:]
        read = [json.loads(await text_under(session, str(each.uri))) for each in listed]
    assert [found["category"]["slug"] for found in read] == SLUGS[-len(read) :]
    assert [len(found["sources"]) for found in read] == [3] * len(read)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_category_is_read_by_its_template(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        (template,) = (await session.list_resource_templates()).resource_templates
        uri = template.uri_template.replace("{slug}", "rust-learning")
        found = json.loads(await text_under(session, uri))
    assert template.uri_template == TEMPLATE
    assert found == {
        "category": {"slug": "rust-learning", "name": RUST["name"], "description": RUST["description"]},
        "sources": RUST["sources"],
    }


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_resource_of_the_registry_names_the_digest_and_the_address_of_what_is_digested(
    served: Served, revision: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        facts = json.loads(await text_under(session, "registry://registry"))
        (provenance,) = (await session.call_tool("get_provenance")).content
    assert facts["document"] == "/registry"
    assert facts["category_uris"] == [TEMPLATE.replace("{slug}", slug) for slug in SLUGS]
    assert isinstance(provenance, mcp_types.TextContent)
    digest = f"sha256:{hashlib.sha256(canonical_text().encode()).hexdigest()}"
    assert [each["digest"] for each in (facts, json.loads(provenance.text))] == [digest] * 2


@pytest.mark.parametrize(
    "uri", [TEMPLATE.replace("{slug}", "unheard-of"), "registry://nothing", "file:///etc"]
)
@pytest.mark.parametrize("revision", REVISIONS)
async def test_an_unknown_uri_is_not_found(served: Served, revision: str, uri: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        with pytest.raises(MCPError) as caught:
            await session.read_resource(uri)
    assert (caught.value.code, caught.value.message, caught.value.data) == (
        NOT_FOUND[revision],
        f"Resource not found: {uri}",
        {"uri": uri},
    )


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_topic_is_researched_from_its_sources(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        (prompt,) = (await session.list_prompts()).prompts
        got = await session.get_prompt(prompt.name, {"topic": "how do I get started with rust"})
    (task,) = got.messages
    assert isinstance(task.content, mcp_types.TextContent)
    assert "how do I get started with rust" in task.content.text
    assert [source["url"] in task.content.text for source in RUST["sources"]] == [True] * 3


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_topic_without_sources_is_a_prompt_too(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        got = await session.get_prompt("research_topic", {"topic": "zzzz qqqq"})
    (only,) = got.messages
    assert isinstance(only.content, mcp_types.TextContent)
    assert "No category matches this query" in only.content.text


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("rm", {}, "Unknown prompt: rm. prompts/list names the prompts there are"),
        ("research_topic", {}, "Invalid arguments for prompt research_topic: topic is missing"),
        (
            "research_topic",
            {"topic": "rust", "depth": "9"},
            "Invalid arguments for prompt research_topic: there is no depth",
        ),
    ],
)
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_prompt_must_exist_and_have_what_it_needs(
    served: Served, revision: str, name: str, arguments: dict[str, str], complaint: str
) -> None:
    async with sdk.over_http(served.url, revision) as session:
        with pytest.raises(MCPError) as caught:
            await session.get_prompt(name, arguments)
    assert (caught.value.code, caught.value.message) == (-32602, complaint)


SLUG: Final = mcp_types.ResourceTemplateReference(uri=TEMPLATE)
TOPIC: Final = mcp_types.PromptReference(name="research_topic")


@pytest.mark.parametrize("revision", WITH_COMPLETIONS)
async def test_slugs_and_topics_are_completed(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        slugs = (await session.complete(SLUG, {"name": "slug", "value": "rust"})).completion
        topics = (await session.complete(TOPIC, {"name": "topic", "value": "rust"})).completion
        all_of_them = (await session.complete(SLUG, {"name": "slug", "value": ""})).completion
        none = (await session.complete(TOPIC, {"name": "topic", "value": "zzzz"})).completion
    assert slugs.values[0] == "rust-learning"
    assert topics.values == [slug.replace("-", " ") for slug in slugs.values]
    assert (all_of_them.values, all_of_them.total, all_of_them.has_more) == (SLUGS, len(SLUGS), False)
    assert (none.values, none.total) == ([], 0)


@pytest.mark.parametrize("revision", WITH_COMPLETIONS)
async def test_an_invalid_completion_request_is_refused(served: Served, revision: str) -> None:
    async with sdk.over_http(served.url, revision) as session:
        with pytest.raises(MCPError) as unknown:
            await session.complete(mcp_types.PromptReference(name="rm"), {"name": "topic", "value": ""})
        with pytest.raises(MCPError) as other:
            await session.complete(SLUG, {"name": "topic", "value": ""})
    assert (unknown.value.code, other.value.code) == (-32602, -32602)
