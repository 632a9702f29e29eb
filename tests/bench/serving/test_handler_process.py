"""Handlers in processes of their own: which commands they answer, and what they measure."""

import json
from operator import add
from pathlib import Path
from typing import Any

import pytest

from bench.serving.environments import CACHE, WANTED, Environment, package_folder, prepare_environment
from bench.serving.events import CALL, INITIALIZE, LEGACY, MODERN, queries, request
from bench.serving.issuer import issuer
from bench.serving.launcher import Launcher
from bench.serving.targets import FLOOR, OURS, SDK_AUTHORIZED, TARGETS, Target
from tests.support.emulator import Python, runtime_python

PEERS = [name for name, target in TARGETS.items() if name != OURS and not target.authorized]


@pytest.fixture(scope="module")
def python() -> Python:
    return runtime_python(WANTED)


@pytest.fixture
def launcher(python: Python, tmp_path: Path) -> Launcher:
    return Launcher(python, tmp_path, {})


@pytest.fixture
def floor(python: Python, tmp_path: Path) -> Environment:
    return prepare_environment(TARGETS[FLOOR], python, tmp_path)


def floor_job(*kinds: str, **more: Any) -> dict[str, Any]:
    events = {kind: request(kind) for kind in kinds}
    return {"handler": TARGETS[FLOOR].handler, "events": events, "repeat": 4, **more}


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_answers_every_kind_of_request_that_it_is_measured_with(
    name: str, launcher: Launcher, tmp_path: Path
) -> None:
    target = TARGETS[name]
    environment = installed(target, launcher.python, tmp_path)
    events = {kind: request(kind) for kind in {*target.warm, *target.first}}
    with launcher.start(environment, {"handler": target.handler, "events": events, "repeat": 1}) as process:
        assert process.run().keys() == events.keys()


def installed(target: Target, python: Python, folder: Path) -> Environment:
    """The environment of `target`, if its packages are here."""
    if target.packages and not package_folder(target.packages, python).is_dir():
        pytest.skip(f"{target.packages} is not in {CACHE.name}/; make bench installs it")
    return prepare_environment(target, python, folder)


def test_the_peer_with_authorization_accepts_the_token_of_the_issuer_and_no_request_without_it(
    launcher: Launcher, tmp_path: Path
) -> None:
    target = TARGETS[SDK_AUTHORIZED]
    environment = installed(target, launcher.python, tmp_path)
    job = {"handler": target.handler, "repeat": 1}
    with issuer(tmp_path) as authorization:
        variables, event = authorization.applied({}, request(CALL))
        with launcher.start(environment, job | {"events": {CALL: event}}, **variables) as process:
            assert process.run().keys() == {CALL}
        with (
            launcher.start(environment, job | {"events": {CALL: request(CALL)}}, **variables) as process,
            pytest.raises(RuntimeError, match="Authentication required"),
        ):
            process.run()


def test_a_command_names_one_kind_of_request_or_none_for_all(launcher: Launcher, floor: Environment) -> None:
    with launcher.start(floor, floor_job(*MODERN)) as process:
        assert {kind: len(found["whole"]) for kind, found in process.run(CALL).items()} == {CALL: 4}
        assert list(process.run()) == list(MODERN)


def test_a_part_of_a_request_is_timed_separately_where_it_ran(launcher: Launcher, floor: Environment) -> None:
    parts = {
        "decoding": {"of": "json:JSONDecoder", "methods": ["decode"]},
        "encoding": {"of": "json:JSONEncoder", "methods": ["encode"]},
    }
    with launcher.start(floor, floor_job(CALL, parts=parts)) as process:
        found = process.run()[CALL]
    assert found.keys() == {"whole", "decoding", "less_decoding"}
    assert min(found["decoding"]) > 0
    assert list(map(add, found["decoding"], found["less_decoding"])) == found["whole"]


def test_memory_that_is_kept_for_each_query_is_seen_to_grow(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "keeping.py").write_text(
        "import json\n"
        "KEPT = {}\n"
        "def lambda_handler(event, _context):\n"
        "    query = json.loads(event['body'])['params']['arguments']['query']\n"
        "    KEPT.setdefault(query, bytearray(100_000))\n"
        "    return {'statusCode': 200, 'body': '{\"result\": 0}'}\n"
    )
    growth = {"mix": [CALL], "queries": queries()[:30], "requests": 400, "warm_up": 100}
    job = floor_job(CALL, growth=growth) | {"handler": "keeping.lambda_handler"}
    with launcher.start(Environment(tmp_path, tmp_path), job) as process:
        found = process.run("growth")
        assert len(process.run(CALL)[CALL]["whole"]) == 4
    assert found["requests"] == 400
    assert found["begin_rss_mb"] < found["end_rss_mb"]
    # A cache of a few queries would have been full before the beginning.
    assert found["end_own_mb"] - found["middle_own_mb"] > 15
    assert found["end_blocks"] - found["middle_blocks"] > 400


@pytest.mark.parametrize(
    ("handler", "body", "reason"),
    [
        ("peers.missing.lambda_handler", "{}", r"No module named 'peers\.missing'"),
        ("peers.floor_with_tool.lambda_handler", "{}", "KeyError"),
        ("refusing.lambda_handler", "{}", "refusing.lambda_handler does not answer 2026 tools/call"),
    ],
)
def test_a_process_that_fails_says_why(
    handler: str, body: str, reason: str, launcher: Launcher, floor: Environment
) -> None:
    (floor.task / "refusing.py").write_text(
        "def lambda_handler(event, _context):\n    return {'statusCode': 400, 'body': '{}'}\n"
    )
    job = {"handler": handler, "events": {CALL: {"body": body}}, "repeat": 1}
    with launcher.start(floor, job) as process, pytest.raises(RuntimeError, match=reason):
        process.run()


def test_every_kind_of_request_has_its_method_and_a_modern_one_its_version() -> None:
    bodies = {kind: json.loads(request(kind)["body"]) for kind in (*MODERN, *LEGACY, INITIALIZE)}
    assert {kind: body["method"] for kind, body in bodies.items()} == {
        kind: kind.split()[1] for kind in bodies
    }
    meta = bodies[CALL]["params"]["_meta"]
    version = request(CALL)["headers"]["mcp-protocol-version"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == version == "2026-07-28"
