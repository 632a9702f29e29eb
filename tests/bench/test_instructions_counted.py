"""Counting instructions, as far as that can be seen without callgrind."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from bench.instructions_counted import collected, incapable, per_request
from bench.serving.events import CALL, request
from tests.support.emulator import Python
from tests.support.processes import ROOT

PYTHON: Final = Python(Path(sys.executable), "3.13")
LOG: Final = """
==12== Events    : Ir
==12== Collected : 1234567890
==12==
"""


def test_the_count_is_read_from_what_callgrind_writes() -> None:
    assert collected(LOG) == 1_234_567_890


def test_a_log_without_a_count_is_an_error() -> None:
    with pytest.raises(ValueError, match="no count: it failed"):
        collected("it failed")


def test_a_request_takes_what_a_run_with_more_of_them_takes_more() -> None:
    assert per_request({"base": 1_000, "list": 1_500, "call": 3_000}, 10) == {"list": 50, "call": 200}


def test_a_machine_without_valgrind_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert incapable(PYTHON) == "there is no valgrind here (apt-get install valgrind)"


@pytest.mark.parametrize(
    ("script", "told"),
    [("exit 0", ""), ("echo no redirection >&2; exit 1", "valgrind cannot run Python here: no redirection")],
)
def test_a_valgrind_that_does_not_run_python_cannot_count(
    script: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    valgrind = tmp_path / "valgrind"
    valgrind.write_text(f"#!/bin/sh\n{script}\n")
    valgrind.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert incapable(PYTHON) == told


def child(job: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "bench" / "instructions_child.py"],
        input=json.dumps(job),
        env={"PYTHONPATH": str(ROOT / "bench")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_child_serves_what_it_is_asked() -> None:
    handler = "peers.floor_with_tool.app.lambda_handler"
    job = {"of": "handler", "handler": handler, "events": {CALL: request(CALL)}, "requests": {CALL: 2}}
    assert child(job).returncode == 0


def test_the_child_fails_when_a_request_has_no_result() -> None:
    called = json.dumps({"id": 1, "method": "no/such", "params": {"arguments": {}}})
    job = {"of": "handler", "handler": "peers.floor_with_tool.app.lambda_handler"}
    assert child(job | {"events": {CALL: {"body": called}}, "requests": {CALL: 2}}).returncode == 1
