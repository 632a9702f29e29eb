"""Words that no topic has, and the queries that they come from."""

import json
from pathlib import Path

import pytest

from mcpcore_aws import LambdaAdapter
from sources.baked import Lexicon
from sources.catalog import build_server
from sources.matching import build_strategy
from tests.support.adapters import fresh_log
from tests.support.exchanges import modern, through_handler
from tests.support.registries import a_category, a_registry, baked
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


def test_queries_are_read_from_the_log_that_the_function_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh_log(monkeypatch)
    registry = baked(tmp_path, REGISTRY)
    server = build_server(registry, build_strategy("reference", registry), log_no_matches=True)
    send = through_handler(LambdaAdapter(server))

    for query in ("How do I train a zebra?", "piano"):
        send(modern("tools/call", name="get_sources", arguments={"query": query}))

    assert logged_queries(capsys.readouterr().out) == ["train zebra"]


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
