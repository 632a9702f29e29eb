"""The whole benchmark with the two bare handlers, and the parts that it runs on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.serving.cold import on_one_core, peak_mb
from bench.serving.environments import WANTED, prepare_environment, run_quietly
from bench.serving.run import main
from bench.serving.targets import FLOOR, TARGETS
from tests.support.emulator import runtime_python
from tests.support.processes import ROOT


@pytest.mark.artifact
def test_it_measures_cold_starts_and_the_warm_path_and_ends_with_the_ratios_as_json() -> None:
    once = ["--repeats", "1", "--processes", "1", "--turns", "2", "--calls", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.serving.run", "--quick", "--only", "floor,floor-with-tool", *once],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": ".:local:layers/core:functions/mcp"},
        capture_output=True,
        text=True,
        check=True,
    )
    *_, last = done.stdout.splitlines()
    assert json.loads(last) == {}  # the product was not measured
    figures = json.loads((ROOT / ".bench" / "figures" / "figures.json").read_text())
    assert figures["cold"].keys() == figures["warm"].keys() == {"floor", "floor-with-tool"}
    assert figures["rss"]["floor"]["after_mb"] >= figures["rss"]["floor"]["first_mb"] > 1
    assert done.stdout.startswith((ROOT / ".bench" / "figures" / "tables.md").read_text())


def test_an_unknown_target_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["run", "--only", "floor,missing"])
    with pytest.raises(SystemExit):
        main()
    assert "unknown: missing" in capsys.readouterr().err


def test_the_files_of_an_environment_are_counted_with_their_bytecode(tmp_path: Path) -> None:
    environment = prepare_environment(TARGETS[FLOOR], runtime_python(WANTED), tmp_path)
    assert environment.has_bytecode()
    before = environment.unzipped_mb()
    (environment.task / "more.pyc").write_bytes(bytes(1_000_000))
    assert environment.unzipped_mb() == pytest.approx(before + 1)


def test_a_command_is_silent_unless_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    run_quietly([sys.executable, "-c", "print('built')"])
    assert capfd.readouterr() == ("", "")
    failing = "import sys; print('x' * 9000); print('no such layer', file=sys.stderr); sys.exit(3)"
    with pytest.raises(RuntimeError, match=r"(?s)ended with 3:\nx{1,4000}\n?.*no such layer\n$"):
        run_quietly([sys.executable, "-c", failing])


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")
def test_the_process_runs_on_one_core_only_within_the_block() -> None:
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_the_peak_of_memory_is_in_millions_of_bytes() -> None:
    assert peak_mb("Name:\tpython\nVmHWM:\t    1000 kB\nVmRSS:\t 900 kB\n") == 1.024
    with pytest.raises(ValueError, match="no VmHWM"):
        peak_mb("")
