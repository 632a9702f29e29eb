"""`threegood report`, and the warnings of `threegood bake`, over small registries."""

import re
from pathlib import Path

import pytest

from tests.support.commands import Ended, threegood
from tests.support.registries import a_category, fixture, write_registry

COLLIDING = {
    "zorbing": a_category("Zorbing", "how to zorb zwibble", "snarks", "zorbing course"),
    "zwibble": a_category("Fleem", "zorbing zwibble", "flim flam", "brillig toves", keywords=["snarks"]),
}


def pattern_warnings(text: str) -> str:
    """The lines of `text` that are no warnings about the file, without scores."""
    lines = (line for line in text.splitlines(keepends=True) if ": warning: " not in line)
    return without_scores("".join(lines))


def without_scores(text: str) -> str:
    """`text` with a # for each score, which the tests of the strategy check."""
    return re.sub(r"\d\.\d\d", "#", text)


WARNINGS = (
    'The pattern "how to zorb zwibble" of zorbing and the pattern "zorbing zwibble" of zwibble '
    "are the same to the matching.",
    'The pattern "snarks" of zorbing (#) matches zwibble better (#).',
)
REPORT = f"""\
Patterns that collide with another category or topic: 2
  {WARNINGS[0]}
  {WARNINGS[1]}

Categories that none of their own patterns finds when held out: 1
  zwibble: 0 of 3
    "zorbing zwibble" finds zorbing
    "flim flam" finds nothing
    "brillig toves" finds nothing
Patterns that find their category when held out: 2 of 6
The weakest of the other categories:
  zorbing: 2 of 3
    "snarks" finds zwibble

Words that no topic has, in the 2 queries of log: 2
     2  gruffle, as in "gruffle zwibble"
     1  zqxwv, as in "gruffles\\x9b zqxwv"
"""


def test_the_report_has_collisions_held_out_patterns_and_missing_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_registry(tmp_path, COLLIDING)
    (tmp_path / "log").write_text("gruffle zwibble\ngruffles\x9b zqxwv\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    ended = threegood("report", "--no-matches", "log")

    assert (ended.code, without_scores(ended.out)) == (0, REPORT)
    assert ended.err == "registry.json: baking it in memory 4 times, which may take half a minute\n"


def test_a_report_without_a_log_has_no_missing_words(tmp_path: Path) -> None:
    assert threegood("report", write_registry(tmp_path, {"zwibble": a_category("Zwibble")})).out == (
        "Patterns that collide with another category or topic: none\n"
        "\n"
        "Categories that none of their own patterns finds when held out: none\n"
        "Patterns that find their category when held out: 3 of 3\n"
    )


def test_a_report_has_at_most_fifty_missing_words(tmp_path: Path) -> None:
    file = write_registry(tmp_path, {"zwibble": a_category("Zwibble")})
    (tmp_path / "log").write_text(" ".join(f"zq{chr(97 + i // 26)}x{chr(97 + i % 26)}w" for i in range(60)))

    out = threegood("report", file, "--no-matches", tmp_path / "log").out

    assert out.count(", as in ") == 50
    assert out.endswith("\n  and 10 more, in as many queries or fewer\n")


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    (tmp_path / "registry.json").write_bytes(fixture("valid"))

    assert threegood("report", tmp_path / "registry.json", "--no-matches", tmp_path / "log") == Ended(
        2, "", f"{tmp_path / 'log'}: No such file or directory.\n"
    )


def test_baking_warns_of_collisions_and_bakes(tmp_path: Path) -> None:
    file = write_registry(tmp_path, COLLIDING)

    ended = threegood("bake", file, "--out", tmp_path / "baked")

    assert (ended.code, ended.out) == (0, f"{tmp_path / 'baked'}: baked, not signed; categories: 2\n")
    assert pattern_warnings(ended.err) == "".join(f"{file}: {warning}\n" for warning in WARNINGS)


def test_baking_warns_of_an_out_of_scope_topic_that_a_pattern_matches_better(tmp_path: Path) -> None:
    outside = [{"name": "Sawing", "keywords": ["timber", "drying", "timber drying"]}]
    file = write_registry(
        tmp_path, {"music": a_category("Music", "timber drying", "scales", "chords")}, outside=outside
    )

    assert pattern_warnings(threegood("bake", file, "--out", tmp_path / "baked").err) == (
        f'{file}: The pattern "timber drying" of music (#) matches the out-of-scope topic "Sawing" better.\n'
    )


def test_baking_prints_ten_warnings_and_how_many_more_there_are(tmp_path: Path) -> None:
    patterns = [f"zqxw{chr(97 + i)}" for i in range(12)]
    file = write_registry(
        tmp_path, {"one": a_category("One", *patterns), "two": a_category("Two", *patterns)}
    )

    lines = threegood("bake", file, "--out", tmp_path / "baked").err.splitlines()

    assert len(lines) == 11
    assert lines[-1] == f"{file}: 2 more warnings; threegood report lists all of them."
