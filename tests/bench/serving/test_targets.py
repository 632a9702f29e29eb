"""The targets of the benchmark: each answers what it is measured with, where it is installed."""

import json
import os
import sys
from operator import add
from pathlib import Path
from typing import Any, Final

import pytest

from bench.serving.cold import on_one_core, peak_mb
from bench.serving.environments import CACHE, WANTED, Environment, installed_folder, made, quietly
from bench.serving.events import CALL, HANDSHAKE, INITIALIZE, MODERN, queries, request
from bench.serving.lab import Lab
from bench.serving.run import main
from bench.serving.targets import FLOOR, OURS, QUICK, TARGETS, Target
from bench.serving.warm import summary
from tests.support.emulator import Python, runtime_python

PEERS = [target for target in TARGETS if target.name != OURS]


@pytest.fixture(scope="module")
def python() -> Python:
    return runtime_python(WANTED)


@pytest.fixture
def lab(python: Python, tmp_path: Path) -> Lab:
    return Lab(python, tmp_path, {})


@pytest.fixture
def floor(python: Python, tmp_path: Path) -> Environment:
    return made(next(target for target in TARGETS if target.name == FLOOR), python, tmp_path)


@pytest.mark.parametrize("target", PEERS, ids=lambda target: target.name)
def test_a_peer_answers_every_kind_of_request_that_it_is_measured_with(
    target: Target, lab: Lab, tmp_path: Path
) -> None:
    if target.packages and not installed_folder(target.packages, lab.python).is_dir():
        pytest.skip(f"{target.packages} is not in {CACHE.name}/; make bench installs it")
    events = {kind: request(kind) for kind in {*target.warm, *target.first}}
    job = {"job": "warm", "handler": target.handler, "events": events, "repeat": 1}
    told = lab.child(made(target, lab.python, tmp_path), job)
    assert told.keys() == events.keys()


def test_a_part_of_a_request_is_told_apart_where_it_is_met(lab: Lab, floor: Environment) -> None:
    parts = {
        "decoding": {"of": "json:JSONDecoder", "methods": ["decode"]},
        "encoding": {"of": "json:JSONEncoder", "methods": ["encode"]},
    }
    events = {CALL: request(CALL)}
    job = {"job": "warm", "handler": "peers.floor.app.lambda_handler", "events": events, "repeat": 9}
    told = lab.child(floor, {**job, "parts": parts})[CALL]
    assert told.keys() == {"whole", "decoding", "less_decoding"}
    assert len(told["whole"]) == 9
    assert min(told["decoding"]) > 0
    assert list(map(add, told["decoding"], told["less_decoding"])) == told["whole"]


def test_a_child_has_as_many_turns_as_it_is_given(lab: Lab, floor: Environment) -> None:
    events = {CALL: request(CALL)}
    job = {"job": "warm", "handler": "peers.floor.app.lambda_handler", "events": events, "repeat": 4}
    with lab.started(floor, job) as child:
        assert [len(child.turn()[CALL]["whole"]) for _ in range(3)] == [4, 4, 4]


def test_a_slow_turn_moves_no_median_and_one_slow_call_no_p99() -> None:
    turns = [
        {"a": {"whole": [1000] * 50}},
        {"a": {"whole": [1000] * 49 + [9000]}},
        {"a": {"whole": [5000] * 50}},
    ]
    assert summary(turns[:2]) == {"a": {"p50_us": 1, "p99_us": 1}}
    assert summary(turns) == {"a": {"p50_us": 1, "p99_us": 5}}


WHEN: Final = ("begin", "middle", "end")


def growing(handler: str) -> dict[str, Any]:
    """Four hundred tool calls to `handler`, no query twice."""
    return {
        "job": "grown",
        "handler": handler,
        "events": {CALL: request(CALL)},
        "mix": [CALL],
        "asking": [CALL],
        "queries": queries()[:30],
        "total": 400,
        "window": 100,
        "repeat": 5,
    }


def test_growth_is_told_of_the_beginning_and_the_end(lab: Lab, floor: Environment) -> None:
    with lab.started(floor, growing("peers.floor.app.lambda_handler")) as child:
        told, turn = child.turn(), child.turn(CALL)
    assert told.pop("requests") == 400
    assert told.keys() == {f"{when}_{name}" for when in WHEN for name in ("rss_mb", "own_mb", "blocks")}
    assert min(told.values()) > 0
    assert len(turn[CALL]["whole"]) == 5


def test_memory_that_is_kept_for_each_query_is_seen_to_grow(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "keeping.py").write_text(
        "import json\n"
        "KEPT = {}\n"
        "def lambda_handler(event, _context):\n"
        "    query = json.loads(event['body'])['params']['arguments']['query']\n"
        "    KEPT.setdefault(query, bytearray(100_000))\n"
        "    return {'statusCode': 200, 'body': '{\"result\": 0}'}\n"
    )
    told = lab.child(Environment(tmp_path, tmp_path), growing("keeping.lambda_handler"))
    # A cache of a few queries would have been full before the beginning.
    assert told["end_own_mb"] - told["middle_own_mb"] > 15
    assert told["end_blocks"] - told["middle_blocks"] > 400


def test_queries_are_many_different_ones_that_the_product_takes() -> None:
    found = queries()
    assert len(found) == len(set(found)) >= 300
    assert max(map(len, found)) <= 500


def test_a_child_tells_one_kind_when_it_is_asked_for_one(lab: Lab, floor: Environment) -> None:
    events = {kind: request(kind) for kind in MODERN}
    job = {"job": "warm", "handler": "peers.floor.app.lambda_handler", "events": events, "repeat": 4}
    with lab.started(floor, job) as child:
        assert list(child.turn(CALL)) == [CALL]
        assert list(child.turn()) == list(MODERN)


def test_a_child_that_fails_says_why(lab: Lab, floor: Environment) -> None:
    job = {"job": "warm", "handler": "peers.nobody.lambda_handler", "events": {}, "repeat": 1}
    with pytest.raises(RuntimeError, match=r"No module named 'peers\.nobody'"):
        lab.child(floor, job)


def test_an_answer_that_is_none_is_not_measured(lab: Lab, floor: Environment) -> None:
    wrong = {CALL: {"body": "{}"}}
    job = {"job": "warm", "handler": "peers.floor_with_tool.app.lambda_handler", "events": wrong, "repeat": 1}
    with pytest.raises(RuntimeError, match="KeyError"):
        lab.child(floor, job)


def test_what_lies_in_an_environment_is_counted_and_bytecode_can_be_left_out(floor: Environment) -> None:
    bare = floor.without_bytecode()
    assert 0 < bare.unzipped_mb() < floor.unzipped_mb()
    assert not list(bare.task.rglob("*.pyc"))
    assert (floor.has_bytecode(), bare.has_bytecode()) == (True, False)


def test_a_command_that_fails_says_the_end_of_what_it_wrote() -> None:
    failing = "import sys; print('x' * 9000); print('no such layer', file=sys.stderr); sys.exit(3)"
    with pytest.raises(RuntimeError, match=r"(?s)ended with 3:\nx{1,4000}\n?.*no such layer\n$"):
        quietly([sys.executable, "-c", failing])


def test_a_command_that_succeeds_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    quietly([sys.executable, "-c", "print('built')"])
    assert capfd.readouterr() == ("", "")


def test_every_kind_of_request_says_its_method_in_its_body() -> None:
    kinds = (*MODERN, *HANDSHAKE, INITIALIZE)
    assert [json.loads(request(kind)["body"])["method"] for kind in kinds] == [
        kind.split()[1] for kind in kinds
    ]


def test_a_request_of_2026_brings_its_version_twice() -> None:
    event = request(CALL)
    assert event["headers"]["mcp-protocol-version"] == "2026-07-28"
    meta = json.loads(event["body"])["params"]["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"


def test_the_quick_targets_are_there() -> None:
    assert set(QUICK) < {target.name for target in TARGETS}


def test_a_target_that_nobody_knows_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["run", "--only", "floor,nobody"])
    with pytest.raises(SystemExit):
        main()
    assert "unknown: nobody" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")
def test_one_core_is_given_back() -> None:
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_the_peak_of_memory_is_told_in_millions_of_bytes() -> None:
    assert peak_mb("Name:\tpython\nVmHWM:\t    1000 kB\nVmRSS:\t 900 kB\n") == 1.024
    with pytest.raises(ValueError, match="no VmHWM"):
        peak_mb("")
