"""Odd and hostile input: each case has one answer, for every strategy and both eras."""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import STRATEGIES, Strategy, build_strategy
from tests.support.messages import initialize, legacy, modern
from tests.support.published import CATEGORIES, baked_folder
from tests.support.servers import Wire

RUST: Final = "rust-learning"

INVALID: Final = "Invalid arguments for tool get_sources: "
NOTHING_LEFT: Final = (
    "No category matches this query: without stop words, punctuation and symbols nothing is left"
)
NO_MATCH: Final = "No category matches this query"
NOT_TEXT: Final = f"{INVALID}query: has half of a surrogate pair, which is no character"
TOO_SHORT: Final = f"{INVALID}query: string should have at least 1 character. Correct them and call again."
TOO_LONG: Final = f"{INVALID}query: string should have at most 500 characters. Correct them and call again."

# The answer to a query of a million characters is that to its beginning.
BEGINNING: Final = 10_000


class Case(NamedTuple):
    """A query and what it gets: the slug of a category, or how the refusal begins."""

    query: str
    expected: str
    threshold: float | None = None


QUERIES: Final = {
    "empty": Case("", TOO_SHORT),
    "white space": Case(" \t\r\n\u3000\u00a0", NOTHING_LEFT),
    "stop words": Case("how do I do it, and what is this about?", NOTHING_LEFT),
    "punctuation": Case("?!… — «» ... ;;; ''' \"", NOTHING_LEFT),
    "emoji": Case("🦀🍞 👩🏽‍💻 🏳️‍🌈", NOTHING_LEFT),
    "control characters": Case("\x00\x07\x1b\x7f\x85", NOTHING_LEFT),
    "zero width": Case("\u200b\u2060\ufeff", NOTHING_LEFT),
    "combining marks of nothing": Case("\u0301\u0302\u0336" * 100, NOTHING_LEFT),
    "nothing, whatever is good enough": Case("?!", NOTHING_LEFT, 0),
    "one unknown word of 500 characters": Case("xq" * 250, NO_MATCH),
    "500 characters of unknown words": Case("xqzv " * 100, NO_MATCH),
    "501 characters": Case("x" * 501, TOO_LONG),
    "10,000 characters": Case("rust " * 2_000, TOO_LONG),
    "one word repeated": Case("rust " * 100, RUST, 0),
    "control characters in a word": Case("\x1b[31m rust \x00\x07", RUST, 0),
    "emoji beside a word": Case("🦀 rust 🦀", RUST),
    "zero width within a word": Case("ru\u200bst", RUST),
    "from right to left by force": Case("\u202erust\u202c", RUST),
    "Cyrillic": Case("подводный хоккей", NO_MATCH),
    "Arabic": Case("الصيد بالصقور", NO_MATCH),
    "Chinese": Case("鹰猎", NO_MATCH),
    "Korean": Case("매사냥", NO_MATCH),
    "Devanagari": Case("बाज़ पालन", NO_MATCH),
    "mixed scripts": Case("rust ржа 錆 صدأ", RUST, 0),
    "letters that only look Latin": Case("\u0441\u04bb\u0435\u0445\u0445", NO_MATCH),
    "digits of other scripts": Case("٨٦٧٥٣٠٩ ८६७५३०९", NO_MATCH),
    "SQL round a word": Case("' OR rust = rust; --", RUST, 0),
    "SQL that drops a table": Case("Robert'); DROP TABLE students;--", NO_MATCH, 1),
    "HTML round a word": Case("<b>rust</b>", RUST, 0),
    "a format string": Case("%s%n {0} ${rust} {{rust}}", RUST, 0),
    "a slug with a line break": Case("rust-learning\n", RUST),
    "a lone surrogate": Case("rust \ud800", NOT_TEXT),
}


@pytest.fixture(scope="module")
def registry() -> BakedRegistry:
    return BakedRegistry.open(baked_folder())


@pytest.fixture(scope="module", params=STRATEGIES)
def strategy(request: pytest.FixtureRequest, registry: BakedRegistry) -> Strategy:
    return build_strategy(request.param, registry)


Send = Callable[[bytes], HttpResponse]
"""Sends the JSON of the arguments of `get_sources`, as they are."""


def as_modern(arguments: bytes) -> HttpRequest:
    return spliced(modern("tools/call", {"name": "get_sources", "arguments": "here"}), arguments)


def as_legacy(arguments: bytes) -> HttpRequest:
    return spliced(legacy("tools/call", {"name": "get_sources", "arguments": "here"}), arguments)


def spliced(request: HttpRequest, arguments: bytes) -> HttpRequest:
    assert request.body is not None
    return request._replace(body=request.body.replace(b'"here"', arguments))


@pytest.fixture(scope="module", params=[as_modern, as_legacy], ids=["modern", "legacy"])
def send(request: pytest.FixtureRequest, registry: BakedRegistry, strategy: Strategy) -> Send:
    wire = Wire(build_server(registry, strategy))
    wire.send(initialize())
    return lambda arguments: wire.send(request.param(arguments))


def answer_to(send: Send, **arguments: object) -> dict[str, Any]:
    response = send(json.dumps(arguments).encode("ascii"))
    result: dict[str, Any] = json.loads(response.body)["result"]
    return result


def gist(result: dict[str, Any]) -> str:
    """The slug that was answered, or the refusal: the beginning that tells its kind, else all of it."""
    if result["isError"]:
        text = str(result["content"][0]["text"])
        return next((kind for kind in (NOTHING_LEFT, NO_MATCH, NOT_TEXT) if text.startswith(kind)), text)
    return str(result["structuredContent"]["category"]["slug"])


@pytest.mark.parametrize("name", QUERIES)
def test_every_query_has_its_answer(send: Send, name: str) -> None:
    query, expected, threshold = QUERIES[name]

    result = answer_to(send, query=query, threshold=threshold)

    assert gist(result) == expected


@pytest.mark.parametrize("slug", CATEGORIES)
def test_every_slug_and_every_name_finds_its_category(strategy: Strategy, slug: str) -> None:
    name = CATEGORIES[slug]["name"]
    spellings = (slug, slug.replace("-", " "), slug.upper(), name, name.lower(), f"  {name}?! ")

    matches = [strategy.rank(spelling, limit=2).accepted(strategy.threshold) for spelling in spellings]

    assert [match and match.slug for match in matches] == [slug] * len(spellings)


@pytest.mark.parametrize("text", ["rust ", "xqzv ", "8 ", "錆", "\u0301", "\ufdfa", "a\u0301b ", "🦀", "-"])
def test_only_the_beginning_of_a_long_query_counts(strategy: Strategy, text: str) -> None:
    beginning = (text * BEGINNING)[:BEGINNING]

    assert strategy.rank(beginning + "sourdough bread " * 62_000, limit=3) == strategy.rank(
        beginning, limit=3
    )
