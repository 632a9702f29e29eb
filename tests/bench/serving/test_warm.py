"""The warm path: the order in which processes take turns, and the statistics of their turns."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from bench.serving.environments import WANTED, Environment
from bench.serving.events import CALL, CONSTANT, request
from bench.serving.launcher import HandlerProcess, Launcher
from bench.serving.targets import FLOOR, FLOOR_WITH_TOOL, SDK
from bench.serving.warm import Rounds, Subject, medians, summary, take_turns
from tests.support.emulator import runtime_python

# Writes its name for every request that it answers.
HANDLER: Final = """
import json, os

def lambda_handler(event, context):
    with open(os.environ["CALLS"], "a") as calls:
        print(os.environ["NAME"], json.loads(event["body"])["method"], file=calls)
    return {"statusCode": 200, "body": '{"result": 0}'}
"""


@pytest.fixture
def launcher(tmp_path: Path) -> Launcher:
    return Launcher(runtime_python(WANTED), tmp_path, {"CALLS": str(tmp_path / "calls")})


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    (tmp_path / "recording.py").write_text(HANDLER)
    return Environment(tmp_path, tmp_path)


def subject(launcher: Launcher, environment: Environment, name: str, *kinds: str) -> Subject:
    events = {kind: request(kind) for kind in kinds}
    job = {"handler": "recording.lambda_handler", "events": events, "repeat": 2}
    return Subject(partial(launcher.start, environment, job, NAME=name), kinds)


def silent(text: str) -> None:
    """Discards progress messages."""


def test_every_round_has_new_processes_and_all_turns_count(
    launcher: Launcher, environment: Environment
) -> None:
    started: list[str] = []
    one = subject(launcher, environment, "a", CALL)

    @contextmanager
    def start() -> Iterator[HandlerProcess]:
        started.append("a")
        with one.start() as process:
            yield process

    found = take_turns({"a": one._replace(start=start)}, Rounds(processes=2, turns=3, calls=2), say=silent)
    assert started == ["a", "a"]
    assert [len(turn[CALL]["whole"]) for turn in found.turns["a"]] == [2] * 6
    assert [each > 1 for each in found.rss_mb["a"]] == [True, True]


def test_each_is_sent_only_its_own_kinds(launcher: Launcher, environment: Environment) -> None:
    subjects = {
        "a": subject(launcher, environment, "a", CONSTANT[0], CALL),
        "b": subject(launcher, environment, "b", CALL),
    }
    found = take_turns(subjects, Rounds(processes=1, turns=1, calls=2), say=silent)
    assert {name: list(turns[0]) for name, turns in found.turns.items()} == {
        "a": [CONSTANT[0], CALL],
        "b": [CALL],
    }


def test_all_do_their_calls_of_a_kind_before_the_next_kind_and_every_other_turn_in_reverse(
    launcher: Launcher, environment: Environment, tmp_path: Path
) -> None:
    names = (FLOOR, FLOOR_WITH_TOOL, SDK)
    subjects = {name: subject(launcher, environment, name, CONSTANT[0], CALL) for name in names}
    take_turns(subjects, Rounds(processes=1, turns=2, calls=2), say=silent)
    calls = [line for line, _ in groupby((tmp_path / "calls").read_text().splitlines())]
    # What is compared with the product comes next to it, after all others.
    assert calls[-12:] == [
        *(f"{name} tools/list" for name in (FLOOR, SDK, FLOOR_WITH_TOOL)),
        *(f"{name} tools/call" for name in (FLOOR, SDK, FLOOR_WITH_TOOL)),
        *(f"{name} tools/list" for name in (FLOOR_WITH_TOOL, SDK, FLOOR)),
        *(f"{name} tools/call" for name in (FLOOR_WITH_TOOL, SDK, FLOOR)),
    ]


def test_the_median_of_each_turn_is_stored_by_kind_and_part() -> None:
    turns = [
        {CALL: {"whole": [3000, 1000, 2000], "match": [500, 600, 700]}},
        {CALL: {"whole": [4000, 4000, 9000], "match": [800, 800, 800]}},
    ]
    assert medians(turns) == {CALL: {"whole": [2, 4], "match": [0.6, 0.8]}}
    assert summary(turns) == {CALL: {"p50_us": 3, "p99_us": 9, "match_p50_us": 0.7}}


def test_a_slow_turn_changes_no_median_and_one_slow_call_no_p99() -> None:
    turns = [
        {CALL: {"whole": [1000] * 50}},
        {CALL: {"whole": [1000] * 49 + [9000]}},
        {CALL: {"whole": [5000] * 50}},
    ]
    assert summary(turns[:2]) == {CALL: {"p50_us": 1, "p99_us": 1}}
    assert summary(turns) == {CALL: {"p50_us": 1, "p99_us": 5}}
