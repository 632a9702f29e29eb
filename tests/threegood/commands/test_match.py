"""`python -m threegood match` over a small registry: the ranking, and why."""

import json
import re
from math import exp
from pathlib import Path

import pytest

from sources.matching import Settings, build_strategy
from tests.support.registries import a_category, a_registry, content_of, fixture
from tests.support.registries import baked as opened
from threegood.baking.bake import bake
from threegood.commands.command import run

CATEGORIES = {
    "chess": a_category("Chess", keywords=["endgame", "clock"]),
    "pasta": a_category("Pasta", keywords=["tagliatelle", "semolina"]),
}
OUTSIDE = [{"name": "Sewing", "keywords": ["bobbin", "semolina"]}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match") / "baked"
    bake(a_registry(CATEGORIES, outside=OUTSIDE), folder)
    return folder


def shown(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command shows when it ends well and has nothing to remark."""
    assert run(["match", *map(str, arguments)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


QUERY = "best taglitelle pasta semolina for the clock zqxwv"

# Its numbers are the strategy's business.
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
    word        weight  tells  by
    best          #   #  -
    taglitelle    #   #  "taglitelle" read as "tagliatelle": keyword
    pasta         #   #  "pasta": name
    semolina      #   #  "semolina": keyword
    clock         #   #  -
    zqxwv         #   #  -
    strength   #  the logarithm of its evidence, #
    covered    #  of the weight of the query, #
    lead       #  over the nearest topic outside, with #
    score = logistic(# + # * # + # * # + # * #) = #

Nearest topic outside: Sewing
    word      weight  tells  by
    semolina    #   #  "semolina": keyword

In no vocabulary: zqxwv.
Telling next to nothing: best.
"""


def test_a_query_is_shown_with_its_ranking_and_what_the_best_score_is_made_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(capsys, "--baked", folder, QUERY)

    assert re.sub(r"-?\d\.\d+|(?<=[(*+] )-?\d+(?= )", "#", told) == SHOWN


def test_the_numbers_add_up_to_the_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, "--baked", folder, QUERY).partition("Nearest")[0]

    words = [tuple(map(float, found)) for found in re.findall(r"  +(\d\.\d\d)   (\d\.\d\d)  ", told)]
    evidence = number(told, "its evidence, ")
    total = number(told, "weight of the query, ")
    against = number(told, "outside, with ")
    assert sum(weight for weight, _ in words) == pytest.approx(total, abs=0.03)
    assert sum(tells for _, tells in words) == pytest.approx(evidence, abs=0.03)
    assert number(told, "covered +") == pytest.approx(evidence / total, abs=0.01)
    assert number(told, "lead +") == pytest.approx((evidence - against) / (evidence + against), abs=0.03)
    terms = re.findall(r"-?[\d.]+(?: \* -?[\d.]+)?", told.partition("logistic(")[2].partition(")")[0])
    factors = [[float(factor) for factor in term.split(" * ")] for term in terms]
    logit = factors[0][0] + sum(factor * measure for factor, measure in factors[1:])
    assert 1 / (1 + exp(-logit)) == pytest.approx(number(told, "\\) = "), abs=0.02)


def number(text: str, before: str) -> float:
    """The number that follows `before`."""
    found = re.search(f"{before}(-?[0-9.]+)", text)
    assert found is not None
    return float(found[1])


def test_a_query_that_nobody_answers_is_told_refused_with_the_topic_outside(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(capsys, "--baked", folder, "bobbin")

    assert told.splitlines()[0] == "Refused: no category reaches 0.4."
    assert "Nearest topic outside: Sewing, nearer than any category\n" in told
    assert '"bobbin": keyword' in told


@pytest.mark.parametrize("query", ["", "how to the", "?!"])
def test_a_query_of_which_nothing_is_left_is_told_so(
    folder: Path, capsys: pytest.CaptureFixture[str], query: str
) -> None:
    assert shown(capsys, "--baked", folder, query) == (
        "Refused: without stop words, punctuation and symbols nothing is left to compare.\n"
    )


def test_a_query_word_for_word_is_told_why_it_scores_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(capsys, "--baked", folder, "Pasta")

    assert " 1. pasta  1.000\n" in told
    assert "an alias or a pattern, word for word: that scores 1.\n" in told
    assert "logistic" not in told


def test_threshold_and_limit_can_be_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, "--baked", folder, "--threshold", "1", "--limit", "1", "learn pasta and chess today")

    assert told.splitlines()[0] == "Refused: no category reaches 1."
    assert "  (below 1)\n" in told
    assert "\n 2. " not in told


def test_the_reference_strategy_is_shown_by_its_phrases(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(capsys, "--baked", folder, "--strategy", "reference", "pasta tow")
    assert told == (
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


def test_an_edited_registry_is_seen_at_once_and_its_score_is_the_strategys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = {**content_of("valid"), "categories": CATEGORIES, "outside": OUTSIDE}
    (tmp_path / "registry.json").write_text(json.dumps(content))
    monkeypatch.chdir(tmp_path)
    registry = a_registry(CATEGORIES, outside=OUTSIDE)
    query = "fresh tagliatelle"
    best = build_strategy("lexicon", opened(tmp_path, registry), Settings()).rank(query, limit=1).matches[0]

    assert run(["match", query]) == 0

    told = capsys.readouterr()
    assert told.err.startswith("registry.json: baking it in memory; ")
    assert f" 1. {best.slug}  {best.score:.3f}" in told.out
    assert f"= {best.score:.3f}\n" in told.out


def test_the_reference_strategy_reads_a_registry_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "registry.json"
    file.write_bytes(fixture("valid"))

    assert run(["match", "--registry", str(file), "--strategy", "reference", "bake sourdough"]) == 0

    assert '"bake sourdough": phrase\n' in capsys.readouterr().out


def test_what_a_query_holds_cannot_command_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "\x9b" not in shown(capsys, "--baked", folder, "pasta \x9b2J \u202e zqxwv\x1b[2J")


def test_a_faulty_registry_is_told_its_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "registry.json"
    file.write_bytes(fixture("version"))

    assert run(["match", "--registry", str(file), "pasta"]) == 1

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(f"[version]\n{file}: 1 fault\n")


@pytest.mark.parametrize(
    ("option", "reason"),
    [("--registry", "No such file or directory."), ("--baked", "there is no baked registry here.")],
)
def test_a_registry_that_is_not_there_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, reason: str
) -> None:
    assert run(["match", option, str(tmp_path / "none"), "pasta"]) == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{tmp_path / 'none'}: {reason}")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--limit", "pasta"],
        ["--strategy", "guess", "pasta"],
        ["--baked", "a", "--registry", "b", "pasta"],
        *(["--threshold", value, "pasta"] for value in ("nan", "1.01", "-0.1", "high")),
        *(["--limit", value, "pasta"] for value in ("0", "2.5")),
    ],
)
def test_wrong_arguments_are_answered_with_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(["match", *arguments])

    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m threegood match")
