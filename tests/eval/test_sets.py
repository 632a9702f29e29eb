"""The project's own labelled queries. Tests name files and lines, so no message shows what a query says."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.eval.queries import Query, read_queries
from tests.eval.sets import SETS, set_file
from tests.support.processes import ROOT

FILES: Final = sorted(SETS.glob("*.jsonl"))


def slugs() -> frozenset[str]:
    registry: dict[str, Any] = json.loads((ROOT / "registry.json").read_bytes())
    return frozenset(registry["categories"])


def queries_of(name: str) -> list[Query]:
    return read_queries(set_file(SETS, name), slugs())


def places(files: list[Path]) -> dict[str, list[str]]:
    """The queries, whatever their case and spaces, and where each stands."""
    found: dict[str, list[str]] = {}
    for file in files:
        for query in read_queries(file, slugs()):
            found.setdefault(" ".join(query.text.casefold().split()), []).append(f"{file.name}:{query.line}")
    return found


def test_no_query_is_asked_twice_in_a_set_or_in_two_sets() -> None:
    assert [where for where in places(FILES).values() if len(where) > 1] == []


@pytest.mark.parametrize("name", ["tuning", "development", "unseen", "sealed"])
def test_every_category_is_asked_for(name: str) -> None:
    assert {slug for query in queries_of(name) for slug in query.fair} == slugs()


def test_at_least_300_queries_are_outside_the_registry() -> None:
    assert {query.fair for query in queries_of("outside")} == {()}
    assert len(queries_of("outside")) >= 300


@pytest.mark.parametrize("name", ["development-wishes", "wishes"])
def test_wishes_are_for_listed_and_unlisted_topics_in_fourteen_languages(name: str) -> None:
    styles = {query.style: bool(query.fair) for query in queries_of(name)}
    listed = {style for style, in_scope in styles.items() if in_scope}
    assert len(listed) == 14
    assert set(styles) - listed == {f"{style}-outside" for style in listed}
