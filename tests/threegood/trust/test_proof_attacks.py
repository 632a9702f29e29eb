"""Answers with proofs: those of an honest node pass, and each forgery is caught by checks that are named."""

import copy
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.forged_answers import (
    CURATOR,
    FORGERIES,
    NOW,
    REGISTRY,
    Forgery,
    answer,
    bake_signed,
    signed,
)
from threegood.trust.answer import CHECKS, NoProof, checked, result_in


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bake_signed(tmp_path_factory.mktemp("node") / "baked")


@pytest.fixture(scope="module")
def genuine(node: Path) -> dict[str, Any]:
    return answer(node)


def caught(result: dict[str, Any]) -> list[str]:
    """The names of the checks that fail."""
    try:
        return [failure.check for failure in checked(result, key=CURATOR.public, now=NOW).failures]
    except NoProof:
        return ["proof"]


@pytest.mark.parametrize("slug", sorted(REGISTRY.categories))
@pytest.mark.parametrize("text", ["json", "own", "both"])
def test_every_answer_of_an_honest_node_passes(node: Path, slug: str, text: str) -> None:
    assert caught(answer(node, slug, text=text, alternatives=2)) == []


def test_a_verdict_names_what_is_signed(genuine: dict[str, Any]) -> None:
    facts = checked(genuine, key=CURATOR.public, now=NOW).facts

    assert (facts.slug, facts.name) == ("piano", "Piano")
    assert facts.statement == json.loads(signed(REGISTRY, CURATOR)["statement"])


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forged_answer_is_caught_by_the_check_of_what_was_forged(
    genuine: dict[str, Any], forgery: Forgery
) -> None:
    forged = copy.deepcopy(genuine)
    forgery.forge(forged)
    if forged["content"] == genuine["content"]:  # a text that models read says the same as what was forged
        forged["content"][0]["text"] = json.dumps(forged["structuredContent"])

    assert tuple(caught(forged)) == forgery.caught_by


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every member and element of a JSON value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*at, step)
        yield from places(inner, (*at, step))


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


@given(st.data())
def test_any_value_in_any_place_that_is_signed_is_refused_and_never_crashes(
    genuine: dict[str, Any], data: st.DataObject
) -> None:
    forged = copy.deepcopy(genuine)
    place = data.draw(st.sampled_from([each for each in places(genuine) if set(each) & {"proof", "sources"}]))
    parent = functools.reduce(lambda value, step: value[step], place[:-1], forged)
    before = parent[place[-1]]
    parent[place[-1]] = data.draw(junk)
    forged["content"] = []

    assert bool(caught(forged)) == (
        parent[place[-1]] != before or type(parent[place[-1]]) is not type(before)
    )


def test_every_check_catches_a_forgery() -> None:
    assert {check for forgery in FORGERIES for check in forgery.caught_by} == {*CHECKS, "proof"}


def test_a_response_and_its_result_are_the_same_answer(genuine: dict[str, Any]) -> None:
    response = {"jsonrpc": "2.0", "id": 1, "result": genuine}

    assert result_in(json.dumps(response)) == result_in(json.dumps(genuine)) == genuine


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "7", "\ufeff", '{"jsonrpc": "2.0", "error": {}}', '{"structuredContent": []}']
)
def test_what_is_no_result_of_a_tool_is_refused(text: str) -> None:
    with pytest.raises(NoProof):
        result_in(text)


def test_a_member_that_stands_twice_is_caught_because_readers_differ_in_which_they_take(
    genuine: dict[str, Any],
) -> None:
    forged = copy.deepcopy(genuine)
    text = forged["content"][0]["text"]
    forged["content"][0]["text"] = '{"sources": [{"url": "https://evil.example"}], ' + text[1:]

    assert caught(forged) == ["text"]
    with pytest.raises(NoProof):
        result_in('{"structuredContent": {"sources": []}, ' + json.dumps(genuine)[1:])
