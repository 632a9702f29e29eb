"""The work of every peer's tools: a search through sixty categories, about 30 µs, and three sources."""

from typing import Any, Final

_TOPICS: Final = (
    ("rust", "learn rust programming language systems"),
    ("email", "self hosted email server mail delivery"),
    ("bread", "bake sourdough bread starter flour"),
    ("chess", "chess openings endgames tactics"),
    ("sql", "relational databases sql queries indexes"),
    ("garden", "vegetable garden soil compost seeds"),
)
_COPIES: Final = 10


def _category(topic: str, words: str, number: int) -> dict[str, Any]:
    return {
        "slug": f"{topic}-{number}",
        "name": f"{topic.title()} {number}",
        "description": f"Everything about {words}, part {number}.",
        "words": frozenset(words.split()) | {f"{topic}{number}"},
    }


CATEGORIES: Final = [_category(topic, words, number) for number in range(_COPIES) for topic, words in _TOPICS]

DESCRIPTIONS: Final = {
    "get_sources": "Get the three best sources on a topic, ranked by a curator, each with the reason why.",
    "list_categories": "List every topic that the registry covers.",
    "get_provenance": "Get the curator's name and public key, and how to verify the registry.",
    "get_endorsements": "Get the people and projects that stand for this registry.",
}


def find(query: str) -> dict[str, Any]:
    """The category that shares most words with `query`, with three ranked sources."""
    asked = frozenset(query.lower().split())
    best = max(
        CATEGORIES, key=lambda category: len(asked & category["words"]) / len(asked | category["words"])
    )
    found = {name: best[name] for name in ("slug", "name", "description")}
    return {"category": found, "sources": [_source(best["slug"], rank) for rank in (1, 2, 3)]}


def as_text(answer: dict[str, Any]) -> str:
    """The answer as text, for tools without structured results."""
    lines = [
        f"{source['rank']}. {source['name']}: {source['url']}\n{source['why']}"
        for source in answer["sources"]
    ]
    return "\n\n".join([answer["category"]["name"], *lines])


def slugs() -> list[str]:
    """The slugs of all categories."""
    return [category["slug"] for category in CATEGORIES]


def _source(slug: str, rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "name": f"Source {rank} on {slug}",
        "url": f"https://example.org/{slug}/{rank}",
        "type": "book",
        "why": "It explains the subject from first principles, with exercises, and is kept up to date.",
    }
