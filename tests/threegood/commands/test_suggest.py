"""`threegood suggest`: a newcomer's category, and its three sources on a real web server."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import threegood
from tests.support.processes import ROOT
from tests.support.registries import a_category, a_source, write_registry
from tests.support.websites import Page, Website, website

MILK = """<title>Steaming milk</title><p>Steaming milk is easy: purge the steam wand, then stretch the milk.
Microfoam has no bubbles. <p>Steaming milk again? Microfoam again.
<p>Clean the wand. <a href="art">Latte art</a>"""
SHOT = """# Brew ratio

A brew ratio of 1:2 is usual. A portafilter holds the puck; the puck gets wet, the portafilter hot."""
ROOMS = (".", "layers/core", "functions/mcp")
QUERY = "how do I steam milk"
PAGES = {
    "/milk/": Page(MILK),
    "/milk/art": Page("<h1>Latte art</h1><p>Pour a rosetta."),
    "/shot": Page(SHOT, "text/markdown"),
    "/private": Page("Secret"),
    "/robots.txt": Page("User-agent: *\nDisallow: /private", "text/plain"),
}


@pytest.fixture
def site() -> Iterator[Website]:
    with website(PAGES) as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Website) -> Path:
    """The working folder: a registry of three categories, one of them with few words."""
    monkeypatch.chdir(tmp_path)
    furnish(tmp_path, site)
    return tmp_path


def furnish(folder: Path, site: Website) -> None:
    sources = [
        a_source(rank, url=site.url + path, http_reason="It is a test.")
        for rank, path in ((1, "/milk/"), (2, "/shot"), (3, "/private"))
    ]
    espresso = a_category(
        "Home Espresso", "pull a ristretto shot", "espresso machine", "latte", sources=sources
    )
    tea = a_category(
        "Tea", "green tea", "tea leaves", "brew tea", keywords=["matcha", "ristretto"], aliases=["chai"]
    )
    bicycles = a_category("Bicycles", "flat tyre", "squeaking brakes", "bike chain")
    write_registry(folder, {"home-espresso": espresso, "tea": tea, "bicycles": bicycles})
    (folder / "queries").write_text(f"{QUERY} for a latte\n{QUERY}\nhelicopter licence\n")


def proposals(*options: str) -> dict[str, dict[str, Any]]:
    """The proposals for the category, by word."""
    ended = threegood("suggest", "home-espresso", "--json", "--pause", "0", *options)
    return {each["word"]: each for each in json.loads(ended.out)["proposals"]}


def vocabulary(desk: Path) -> Any:
    return json.loads((desk / "vocabulary" / "home-espresso.json").read_bytes())


@pytest.mark.usefixtures("desk")
def test_a_newcomers_category_finds_a_question_after_the_best_proposals_are_accepted() -> None:
    refused = threegood("match", QUERY).out

    ended = threegood("suggest", "home-espresso", "--no-matches", "queries", "--pause", "0", "--all", "3")

    assert refused.startswith("Refused")
    assert ended.code == 0
    assert ended.out.endswith("`make bake`, and see what has changed with `threegood report`.\n")
    assert threegood("match", QUERY).out.startswith("Answered: home-espresso.")


@pytest.mark.usefixtures("desk")
def test_a_proposal_says_where_it_comes_from_and_what_it_would_change() -> None:
    found = proposals("--no-matches", "queries")

    assert found["steaming milk"] == {
        "word": "steaming milk",
        "on_pages": {"times": 3, "pages": 1},
        "in_queries": [f"{QUERY} for a latte", QUERY],
        "near": [],
        "finds_patterns": [],
        "finds_queries": [f"{QUERY} for a latte", QUERY],
        "takes": [],
        "shared_with": [],
        "refused_as_alias": None,
    }
    assert {"wand", "microfoam", "portafilter", "brew ratio"} <= found.keys()
    assert {"milk", "helicopter", "secret"}.isdisjoint(found)


@pytest.mark.usefixtures("desk")
def test_a_word_of_the_categorys_own_texts_that_is_a_keyword_of_a_near_topic_is_proposed() -> None:
    found = proposals()["ristretto"]

    assert (found["near"], found["shared_with"]) == (["tea (keyword)"], ["tea (keyword)"])


def test_pages_are_recorded_so_that_later_runs_need_no_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with website(PAGES) as site:
        furnish(tmp_path, site)
        first = proposals()
        refreshed = proposals("--refresh")

    assert site.paths == 2 * ["/robots.txt", "/milk/", "/shot", "/milk/art"]
    assert {"microfoam", "rosetta"} <= first.keys()
    assert first == refreshed == proposals() == proposals("--offline")


def test_a_page_that_cannot_be_read_is_a_remark(desk: Path, site: Website) -> None:
    ended = threegood("suggest", "home-espresso", "--pause", "0")
    offline = threegood("suggest", "home-espresso", "--offline", "--pages", desk / "elsewhere")

    assert f"{site.url}/private: left out, since robots.txt of the site forbids it.\n" in ended.err
    assert "microfoam" in ended.out
    assert offline.err.count("left out, since it is not recorded, and --offline fetches nothing.") == 3
    assert offline.code == 0


def test_without_a_terminal_nothing_is_written_unless_it_is_named(desk: Path) -> None:
    threegood("suggest", "home-espresso", "--pause", "0")

    assert not (desk / "vocabulary" / "home-espresso.json").exists()


def test_accepted_words_are_added_and_those_that_break_a_rule_are_refused_with_it(desk: Path) -> None:
    file = desk / "vocabulary" / "home-espresso.json"
    file.write_text('{"$schema": "a", "keywords": ["tamper"]}')

    ended = threegood(
        "suggest", "home-espresso", "--accept", "crema", "--accept", "puck", "--accept", "tamper",
        "--accept-alias", "chai", "--accept-alias", "espresso at home"
    )  # fmt: skip

    assert ended.code == 0
    assert file.read_text() == (
        '{\n  "$schema": "a",\n  "keywords": [\n    "tamper",\n    "crema",\n    "puck"\n  ],\n'
        '  "aliases": [\n    "espresso at home"\n  ]\n}\n'
    )
    refused = [line for line in ended.err.splitlines() if "refused" in line]
    assert [line.partition(", ")[0] for line in refused] == [
        '"tamper" is refused. This repeats keyword 1',
        '"chai" is refused. With it',
    ]
    assert "vocabulary/tea.json:1 would break a rule: An alias alone must mean its topic" in refused[1]


def test_if_every_word_is_refused_the_file_stays_as_it_is(desk: Path) -> None:
    file = desk / "vocabulary" / "tea.json"
    former = file.read_bytes()

    ended = threegood("suggest", "tea", "--accept", "the")

    assert ended.code == 2
    assert ended.err.endswith("tea.json: nothing was added.\n")
    assert file.read_bytes() == former


@pytest.mark.usefixtures("desk")
def test_an_unknown_category_is_refused_with_the_nearest_slug() -> None:
    ended = threegood("suggest", "home-expresso")

    assert (ended.code, ended.err) == (
        2, 'The registry has no category "home-expresso". Did you mean "home-espresso"?\n'
    )  # fmt: skip


def test_on_a_terminal_the_curator_decides_on_each_word(desk: Path) -> None:
    words = list(proposals())
    here, there = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "threegood", "suggest", "home-espresso", "--offline"],
        cwd=desk,
        env={"PYTHONPATH": ":".join(str(ROOT / room) for room in ROOMS), "TERM": "dumb"},
        stdin=there, stdout=there, stderr=there,
    )  # fmt: skip
    os.close(there)
    os.write(here, b"k\ns\na\nq\n")
    shown = _everything(here)

    assert running.wait() == 0
    assert "Reading the sources" in shown
    assert vocabulary(desk) == {"keywords": [words[0]], "aliases": [words[2]]}


def _everything(terminal: int) -> str:
    """All that is printed on a terminal until the process at its other end closes it."""
    shown = b""
    with contextlib.suppress(OSError), open(terminal, "rb", buffering=0) as opened:
        while part := opened.read(4096):
            shown += part
    return shown.decode()
