"""The words of queries without a match that no topic of the registry has."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from sources.baked import Lexicon
from sources.matching.analysis import analyse, phrase_key
from sources.matching.parsed_query import parse_query
from threegood.reports.score_breakdown import uncovered_words


class MissingWord(NamedTuple):
    """A word that no topic has in its vocabulary, the number of queries with it, and the first of them."""

    word: str
    queries: int
    example: str


def missing_words(queries: Iterable[str], vocabulary: Lexicon) -> list[MissingWord]:
    """The words of `queries` that no topic has, the most frequent first; inflections count as one word.

    Words with almost no weight are left out: "guide", "make", a number.
    """
    counts: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for query in queries:
        for word in uncovered_words(parse_query(query, vocabulary), vocabulary):
            key = phrase_key(analyse(word)) if analyse(word) else word
            counts[key] += 1
            first.setdefault(key, (word, query))
    missing = [MissingWord(word, counts[key], query) for key, (word, query) in first.items()]
    return sorted(missing, key=lambda each: (-each.queries, each.word))


def logged_queries(text: str) -> list[str]:
    """The queries without a match in a log of the function, or in a list of one query a line.

    It is a log if any line begins with a JSON object, or has a JSON object with a query after a time stamp.
    In a log only the lines with a query count: `{"fields": {"no_match": "…"}, …}`.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    entries = [(line, entry) for line in lines if (entry := _entry(line)) is not None]
    queries = [query for _, entry in entries if (query := _query(entry))]
    is_log = bool(queries) or any(line.startswith("{") for line, _ in entries)
    return queries if is_log else lines


def _entry(line: str) -> dict[str, Any] | None:
    """The JSON object that `line` ends with, if there is one."""
    try:
        found = json.loads(line[line.index("{") :])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _query(entry: dict[str, Any]) -> str:
    """The query of a log entry; empty if it has none."""
    fields = entry.get("fields")
    query = fields.get("no_match") if isinstance(fields, dict) else None
    return query if isinstance(query, str) else ""
