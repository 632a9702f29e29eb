"""The warm path: who takes turns, when, and what is kept of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from bench.serving.environments import WANTED, Environment
from bench.serving.events import CALL, CONSTANT, request
from bench.serving.lab import Child, Lab
from bench.serving.targets import FLOOR, FLOOR_WITH_TOOL, SDK
from bench.serving.warm import Candidate, Rounds, medians, taken
from tests.support.emulator import runtime_python

# Leaves its name for every request that it answers.
HANDLER: Final = """
import json, os

def lambda_handler(event, context):
    with open(os.environ["TOLD"], "a") as told:
        print(os.environ["NAME"], json.loads(event["body"])["method"], file=told)
    return {"statusCode": 200, "body": '{"result": 0}'}
"""


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(runtime_python(WANTED), tmp_path, {"TOLD": str(tmp_path / "told")})


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    (tmp_path / "telling.py").write_text(HANDLER)
    return Environment(tmp_path, tmp_path)


def candidate(lab: Lab, environment: Environment, name: str, *kinds: str) -> Candidate:
    job = {
        "job": "warm",
        "handler": "telling.lambda_handler",
        "events": {kind: request(kind) for kind in kinds},
        "repeat": 2,
    }
    return Candidate(partial(lab.started, environment, job, NAME=name), kinds)


def quiet(text: str) -> None:
    """Nobody wants to hear it."""


def test_every_round_has_fresh_processes_and_all_turns_count(lab: Lab, environment: Environment) -> None:
    started: list[str] = []
    one = candidate(lab, environment, "a", CALL)

    @contextmanager
    def start() -> Iterator[Child]:
        started.append("a")
        with one.start() as child:
            yield child

    found = taken({"a": one._replace(start=start)}, Rounds(processes=2, turns=3, calls=2), say=quiet)
    assert started == ["a", "a"]
    assert [len(turn[CALL]["whole"]) for turn in found.turns["a"]] == [2] * 6
    assert [each > 1 for each in found.rss_mb["a"]] == [True, True]


def test_each_is_asked_the_kinds_that_it_has(lab: Lab, environment: Environment) -> None:
    candidates = {
        "a": candidate(lab, environment, "a", CONSTANT[0], CALL),
        "b": candidate(lab, environment, "b", CALL),
    }
    found = taken(candidates, Rounds(processes=1, turns=1, calls=2), say=quiet)
    assert {name: list(turns[0]) for name, turns in found.turns.items()} == {
        "a": [CONSTANT[0], CALL],
        "b": [CALL],
    }


def test_all_have_their_calls_of_a_kind_before_the_next_kind_and_every_other_turn_in_reverse(
    lab: Lab, environment: Environment, tmp_path: Path
) -> None:
    names = (FLOOR, FLOOR_WITH_TOOL, SDK)
    candidates = {name: candidate(lab, environment, name, CONSTANT[0], CALL) for name in names}
    taken(candidates, Rounds(processes=1, turns=2, calls=2), say=quiet)
    told = [line for line, _ in groupby((tmp_path / "told").read_text().splitlines())]
    # What is held against the product comes next to it, after all others.
    assert told[-12:] == [
        *(f"{name} tools/list" for name in (FLOOR, SDK, FLOOR_WITH_TOOL)),
        *(f"{name} tools/call" for name in (FLOOR, SDK, FLOOR_WITH_TOOL)),
        *(f"{name} tools/list" for name in (FLOOR_WITH_TOOL, SDK, FLOOR)),
        *(f"{name} tools/call" for name in (FLOOR_WITH_TOOL, SDK, FLOOR)),
    ]


def test_of_each_turn_the_medians_are_kept_by_kind_and_part() -> None:
    turns = [
        {CALL: {"whole": [3000, 1000, 2000], "match": [500, 600, 700]}},
        {CALL: {"whole": [4000, 4000, 9000], "match": [800, 800, 800]}},
    ]
    assert medians(turns) == {CALL: {"whole": [2, 4], "match": [0.6, 0.8]}}
