"""Ten queries that are hard to match, asked by the official client over HTTP, as an agent would ask them."""

import json
import re
from typing import Any, Final, NamedTuple

import pytest
from mcp.client.session import ClientSession

from tests.support import sdk
from tests.support.processes import ROOT
from tests.support.sdk import REVISIONS, text_of
from tests.support.serving import Served

pytestmark = pytest.mark.anyio


# A score that the default threshold is well below.
CLEARLY_ANSWERED: Final = 0.6


class Hard(NamedTuple):
    """A query, the category that it means, and a word of it that has to be among the evidence."""

    query: str
    slug: str
    word: str


ANSWERED: Final = {
    "a question without the name": Hard(
        "why does the compiler refuse my code because a value was moved while it was still borrowed?",
        "rust-learning",
        "borrowed",
    ),
    "a long sentence of an agent": Hard(
        "The user is on a Mac, prefers short answers and lives in Lisbon. Earlier we spoke about the "
        "weather. Now they ask how several people can work on branches and resolve merge conflicts without "
        "losing commits; find three good sources, no paywalls.",
        "git-version-control",
        "merge conflicts",
    ),
    "jargon": Hard("EXPLAIN ANALYZE shows a seq scan on a big join", "sql-query-tuning", "seq scan"),
    "other words for the same": Hard("mend a puncture and true a wheel", "bicycle-repair", "puncture"),
    "two typos": Hard("sourdugh hydraton", "sourdough-bread", "hydraton"),
    "German": Hard("Wie richte ich einen eigenen Mailserver ein?", "self-hosted-email", "mailserver"),
    "Japanese": Hard("機械学習の入門", "machine-learning-foundations", "機械学習"),
    "abbreviations": Hard("a11y audit WCAG", "web-accessibility", "a11y"),
}


async def asked(session: ClientSession, query: str) -> dict[str, Any]:
    """The answer to a query that has one."""
    result = await session.call_tool("get_sources", {"query": query})
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refused(session: ClientSession, query: str) -> tuple[str, list[tuple[str, float]]]:
    """The text of a refusal, and the slugs and scores of the categories that it names."""
    result = await session.call_tool("get_sources", {"query": query})
    assert result.is_error
    named = re.findall(r"^- .+ \((.+)\): (\d\.\d\d)$", text_of(result), re.MULTILINE)
    return text_of(result), [(slug, float(score)) for slug, score in named]


@pytest.mark.parametrize("kind", ANSWERED)
async def test_a_hard_query_is_answered_with_its_evidence(served: Served, kind: str) -> None:
    query, slug, word = ANSWERED[kind]

    async with sdk.over_http(served.url, REVISIONS[-1]) as session:
        await session.list_tools()  # from here on the client checks every answer against its output schema
        answer = await asked(session, query)

    match = answer["match"]
    assert (answer["category"]["slug"], len(answer["sources"])) == (slug, 3)
    assert match["score"] >= CLEARLY_ANSWERED
    assert word in " ".join(term["words"] for term in match["terms"])


async def test_the_corrected_spelling_of_a_word_is_reported(served: Served) -> None:
    async with sdk.over_http(served.url, REVISIONS[-1]) as session:
        answer = await asked(session, ANSWERED["two typos"].query)

    read_as = {term["words"]: term.get("read_as") for term in answer["match"]["terms"]}
    assert read_as == {"sourdugh": "sourdough", "hydraton": "hydration"}


async def test_a_near_neighbour_is_refused_with_its_name_and_without_categories_far_away(
    served: Served,
) -> None:
    async with sdk.over_http(served.url, REVISIONS[-1]) as session:
        text, closest = await refused(
            session, "my ball python will not eat, what terrarium temperature does the snake need?"
        )

    (name,) = re.findall(r"It seems to be about (.+), a topic that this registry has no sources for", text)
    topics = json.loads((ROOT / "vocabulary/out-of-scope.json").read_bytes())["topics"]
    (topic,) = [topic for topic in topics if topic["name"] == name]
    assert "snake" in " ".join([name, *topic["keywords"]]).lower()
    assert "do not make them up" in text
    assert closest == []


async def test_a_slug_of_the_closest_categories_is_answered(served: Served) -> None:
    """Three letters that several topics share name none of them."""
    async with sdk.over_http(served.url, REVISIONS[-1]) as session:
        _, closest = await refused(session, "vps")
        answers = [await asked(session, slug) for slug, _ in closest]

    assert "linux-hardening" in [slug for slug, _ in closest]
    assert [(answer["category"]["slug"], 1.0) for answer in answers] == [
        (slug, answer["match"]["score"]) for (slug, _), answer in zip(closest, answers, strict=True)
    ]
