"""`python -m threegood report`, and the warnings of `python -m threegood bake`, over small registries."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.registries import a_category, content_of, fixture
from threegood.commands.command import run

QUARREL = {
    "cooking": a_category("Cooking", "how to cook pasta", "soups", "knife skills"),
    "pasta": a_category("Rotini", "cooking pasta", "al dente", "knot theory", keywords=["soups"]),
}


def desk(folder: Path, categories: dict[str, Any], outside: Sequence[dict[str, Any]] = ()) -> Path:
    """A registry of those categories and topics outside, under its usual name in `folder`."""
    content = {
        **content_of("valid"),
        "endorsements": [],
        "categories": categories,
        "outside": list(outside),
    }
    (folder / "registry.json").write_text(json.dumps(content))
    return folder / "registry.json"


def without_scores(text: str) -> str:
    """`text` with a # for each score, since these are the strategy's business."""
    return re.sub(r"\d\.\d\d", "#", text)


WARNINGS = (
    'The pattern "how to cook pasta" of cooking and the pattern "cooking pasta" of pasta '
    "are the same to the matching.",
    'The pattern "soups" of cooking (#) speaks more for pasta (#).',
)
REPORT = f"""\
Patterns that collide with another category or topic: 2
  {WARNINGS[0]}
  {WARNINGS[1]}

Categories that no pattern of their own finds when it is left out: 1
  pasta: 0 of 3
    "cooking pasta" finds cooking
    "al dente" finds nothing
    "knot theory" finds nothing
Patterns that find their category when they are left out: 1 of 6
The weakest of the other categories:
  cooking: 1 of 3
    "soups" finds pasta
    "knife skills" finds nothing

Words that no topic has, in the 2 queries of log: 2
     2  giraffe, as in "giraffe soup"
     1  zqxwv, as in "giraffes\\x9b zqxwv"
"""


def test_the_report_tells_collisions_what_patterns_find_and_missing_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk(tmp_path, QUARREL)
    (tmp_path / "log").write_text("giraffe soup\ngiraffes\x9b zqxwv\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert run(["report", "--no-matches", "log"]) == 0

    told = capsys.readouterr()
    assert told.err == "registry.json: baking it in memory four times, which may take half a minute\n"
    assert without_scores(told.out) == REPORT


def test_without_a_log_nothing_is_said_of_missing_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = desk(tmp_path, {"pasta": a_category("Pasta")})

    assert run(["report", str(file)]) == 0

    assert capsys.readouterr().out == (
        "Patterns that collide with another category or topic: none\n"
        "\n"
        "Categories that no pattern of their own finds when it is left out: none\n"
        "Patterns that find their category when they are left out: 3 of 3\n"
    )


def test_at_most_fifty_missing_words_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = desk(tmp_path, {"pasta": a_category("Pasta")})
    (tmp_path / "log").write_text(" ".join(f"zq{chr(97 + i // 26)}x{chr(97 + i % 26)}w" for i in range(60)))

    assert run(["report", str(file), "--no-matches", str(tmp_path / "log")]) == 0

    told = capsys.readouterr().out
    assert told.count(", as in ") == 50
    assert told.endswith("\n  and 10 more, of no more queries\n")


def test_a_faulty_registry_gets_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "registry.json").write_bytes(fixture("version"))

    assert run(["report", str(tmp_path / "registry.json")]) == 1

    told = capsys.readouterr()
    assert (told.out, told.err.endswith("registry.json: 1 fault\n")) == ("", True)


@pytest.mark.parametrize("missing", ["registry.json", "log"])
def test_a_file_that_is_not_there_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    (tmp_path / "registry.json").write_bytes(fixture("valid"))
    (tmp_path / "log").touch()
    (tmp_path / missing).unlink()

    assert run(["report", str(tmp_path / "registry.json"), "--no-matches", str(tmp_path / "log")]) == 2

    told = capsys.readouterr()
    assert told == ("", f"{tmp_path / missing}: No such file or directory.\n")


def test_baking_warns_of_collisions_and_bakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk(tmp_path, QUARREL)
    monkeypatch.chdir(tmp_path)

    assert run(["bake", "--out", "baked"]) == 0

    told = capsys.readouterr()
    assert told.out == "baked: baked, not signed; categories: 2\n"
    assert without_scores(told.err) == "".join(f"registry.json: {warning}\n" for warning in WARNINGS)


def test_baking_warns_of_a_topic_outside_that_takes_a_pattern(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = [{"name": "Forestry", "keywords": ["wood drying"]}]
    file = desk(tmp_path, {"music": a_category("Music", "wood drying", "scales", "chords")}, outside)

    assert run(["bake", str(file), "--out", str(tmp_path / "baked")]) == 0

    assert without_scores(capsys.readouterr().err) == (
        f'{file}: The pattern "wood drying" of music (#) speaks more for the topic outside "Forestry".\n'
    )


def test_baking_warns_ten_times_and_then_says_how_many_more_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patterns = [f"zqxw{chr(97 + i)}" for i in range(12)]
    file = desk(tmp_path, {"one": a_category("One", *patterns), "two": a_category("Two", *patterns)})

    assert run(["bake", str(file), "--out", str(tmp_path / "baked")]) == 0

    told = capsys.readouterr().err.splitlines()
    assert len(told) == 11
    assert told[-1] == f"{file}: 2 more like these; python -m threegood report tells all."
