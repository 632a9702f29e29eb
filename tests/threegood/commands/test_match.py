"""`threegood match` over a small registry: the ranking, and the explanation of the best score."""

import re
from math import exp
from pathlib import Path

import pytest

from sources.matching import build_strategy
from tests.support.commands import threegood
from tests.support.registries import a_category, a_registry, write_registry
from tests.support.registries import baked as opened
from threegood.baking.bake import bake

CATEGORIES = {
    "chess": a_category("Chess", keywords=["endgame", "clock"]),
    "pasta": a_category("Pasta", keywords=["tagliatelle", "semolina"]),
}
OUTSIDE = [{"name": "Sewing", "keywords": ["bobbin", "semolina"]}]
REGISTRY = a_registry(CATEGORIES, outside=OUTSIDE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match") / "baked"
    bake(REGISTRY, folder)
    return folder


def shown(*arguments: str | Path) -> str:
    """The output of the command, which must succeed without remarks."""
    code, out, err = threegood("match", *arguments)
    assert (code, err) == (0, "")
    return out


QUERY = "best taglitelle pasta semolina for the clock zqxwv"

# Without the numbers, which the tests of the strategy check.
SHOWN = """\
Answered: pasta.
Compared: best, taglitelle, pasta, semolina, clock, zqxwv.

 1. pasta  #
    "pasta": name
    "taglitelle" read as "tagliatelle": keyword
    "semolina": keyword

 2. chess  #  (below #)
    "clock": keyword

Why pasta scores #:
    word        weight  evidence  source
    best          #      #  -
    taglitelle    #      #  "taglitelle" read as "tagliatelle": keyword
    pasta         #      #  "pasta": name
    semolina      #      #  "semolina": keyword
    clock         #      #  -
    zqxwv         #      #  -
    strength   #  the logarithm of the evidence, #
    coverage   #  of the weight of the query, #
    lead       #  over the nearest out-of-scope topic, with #
    score = logistic(-4 + # * # + # * # + # * # + # * #) = #

Nearest out-of-scope topic: Sewing
    word      weight  evidence  source
    semolina    #      #  "semolina": keyword

Not in the vocabulary: zqxwv.
Almost no weight: best.
"""


def test_the_ranking_is_shown_with_an_explanation_of_the_best_score(folder: Path) -> None:
    out = shown("--baked", folder, QUERY)

    assert re.sub(r"-?\d\.\d+|(?<=[(*+] )-?\d+(?=[ )])", "#", out) == SHOWN


def test_the_numbers_add_up_to_the_score(folder: Path) -> None:
    out = shown("--baked", folder, QUERY).partition("Nearest")[0]

    words = [tuple(map(float, found)) for found in re.findall(r"  +(\d\.\d\d) +(\d\.\d\d)  ", out)]
    evidence, total = number(out, "the evidence, "), number(out, "weight of the query, ")
    against = number(out, "topic, with ")
    assert sum(weight for weight, _ in words) == pytest.approx(total, abs=0.03)
    assert sum(each for _, each in words) == pytest.approx(evidence, abs=0.03)
    assert number(out, "coverage +") == pytest.approx(evidence / total, abs=0.01)
    assert number(out, "lead +") == pytest.approx((evidence - against) / (evidence + against), abs=0.03)
    terms = re.findall(r"-?[\d.]+(?: \* -?[\d.]+)?", out.partition("logistic(")[2].partition(")")[0])
    factors = [[float(factor) for factor in term.split(" * ")] for term in terms]
    logit = factors[0][0] + sum(factor * feature for factor, feature in factors[1:])
    assert 1 / (1 + exp(-logit)) == pytest.approx(number(out, "\\) = "), abs=0.02)


def number(text: str, before: str) -> float:
    """The number that follows `before`."""
    found = re.search(f"{before}(-?[0-9.]+)", text)
    assert found is not None
    return float(found[1])


def test_a_refused_query_is_shown_with_its_out_of_scope_topic(folder: Path) -> None:
    out = shown("--baked", folder, "bobbin")

    assert out.splitlines()[0] == "Refused: no category reaches 0.5."
    assert "Nearest out-of-scope topic: Sewing, nearer than every category\n" in out
    assert '"bobbin": keyword' in out


@pytest.mark.parametrize("query", ["", "how to the", "?!"])
def test_a_query_without_words_is_refused(folder: Path, query: str) -> None:
    assert shown("--baked", folder, query) == (
        "Refused: without stop words, punctuation and symbols nothing is left to compare.\n"
    )


def test_an_exact_match_has_no_sum_behind_its_score(folder: Path) -> None:
    out = shown("--baked", folder, "Pasta")

    assert " 1. pasta  1.000\n" in out
    assert "an alias or a pattern, word for word: that scores 1 at least.\n" in out
    assert "logistic" not in out


def test_threshold_and_limit_are_options(folder: Path) -> None:
    out = shown("--baked", folder, "--threshold", "1", "--limit", "1", "learn pasta and chess today")

    assert out.splitlines()[0] == "Refused: no category reaches 1."
    assert "  (below 1)\n" in out
    assert "\n 2. " not in out


@pytest.mark.parametrize("value", ["nan", "1.01", "-0.1", "high"])
def test_a_threshold_outside_0_to_1_is_refused(folder: Path, value: str) -> None:
    ended = threegood("match", "--baked", folder, "--threshold", value, "pasta")

    assert (ended.code, ended.out) == (2, "")
    assert "--threshold" in ended.err


def test_the_reference_strategy_is_shown_with_its_phrases_and_no_explanation(folder: Path) -> None:
    assert shown("--baked", folder, "--strategy", "reference", "pasta tow") == (
        "Answered: pasta.\n"
        "Compared: pasta, tow.\n"
        "\n"
        " 1. pasta  0.844\n"
        '    "pasta tow" read as "pasta two": phrase\n'
        '    "pasta": slug\n'
        "\n"
        " 2. chess  0.156  (below 0.4)\n"
        '    "pasta tow" read as "chess two": phrase\n'
    )


@pytest.mark.parametrize("strategy", ["lexicon", "reference"])
def test_a_registry_file_is_baked_in_memory_and_gets_the_same_score(tmp_path: Path, strategy: str) -> None:
    file = write_registry(tmp_path, CATEGORIES, outside=OUTSIDE)
    query = "fresh tagliatelle"
    best = build_strategy(strategy, opened(tmp_path, REGISTRY)).rank(query, limit=1).matches[0]

    ended = threegood("match", "--registry", file, "--strategy", strategy, query)

    assert ended.code == 0
    assert ended.err.startswith(f"{file}: baking it in memory; ")
    assert f" 1. {best.slug}  {best.score:.3f}" in ended.out


def test_control_characters_of_a_query_are_escaped(folder: Path) -> None:
    assert "\x9b" not in shown("--baked", folder, "pasta \x9b2J \u202e zqxwv\x1b[2J")


def test_a_folder_without_a_baked_registry_is_named(tmp_path: Path) -> None:
    ended = threegood("match", "--baked", tmp_path / "none", "pasta")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{tmp_path / 'none'}: there is no baked registry here.")
