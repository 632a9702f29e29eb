"""Words that no topic has, and the queries that they come from."""

import json

import pytest

from sources.baked import Lexicon
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import bake_lexicon
from threegood.reports.missing_words import MissingWord, logged_queries, missing_words

REGISTRY = a_registry(
    {"piano": a_category("Piano")}, outside=[{"name": "Forestry", "keywords": ["wood drying"]}]
)


def test_missing_words_are_sorted_by_their_number_of_queries_and_inflections_are_one_word() -> None:
    queries = ["best zqxwv for giraffes", "piano zqxwv zqxwv", "learn forestry", "giraffe", "giraffes", ""]

    assert missing_words(queries, Lexicon(bake_lexicon(REGISTRY))) == [
        MissingWord("giraffes", 3, "best zqxwv for giraffes"),
        MissingWord("zqxwv", 2, "best zqxwv for giraffes"),
    ]


def noted(query: object) -> str:
    return json.dumps({"message": "request", "fields": {"no_match": query}})


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("", []),
        ("knit sweater\n\n  c{ompilers \r\n[1]\nknit\n", ["knit sweater", "c{ompilers", "[1]", "knit"]),
        (f"START of it\n{noted('knit sweater')}\nEND of it", ["knit sweater"]),
        (f"2026-11-22T01:02:03 main[1] {noted('strick pullover')}", ["strick pullover"]),
        (noted("подводный хоккей"), ["подводный хоккей"]),
        ('{"message": "request"}\nEND', []),
        ('{"fields": null}\n{"fields": {"other": "x"}}\n' + noted(7) + "\n" + noted(""), []),
        ('{"a":' * 100_000, ['{"a":' * 100_000]),
    ],
)
def test_queries_are_read_from_a_list_or_from_the_fields_of_a_log(text: str, queries: list[str]) -> None:
    assert logged_queries(text) == queries
