"""`make fuzz`: every target in turn, each from its kept inputs; the last line is JSON with what was tried.

Inputs that reach code which no other reaches are collected in `.fuzz/corpus/`, so that a later run goes on
from there. An input that breaks a rule is written to `.fuzz/`: mend what it found, and keep the smallest such
input in `tests/fuzz/corpus/`, whose inputs the tests try.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from tests.support.processes import ROOT
from tests.support.serving import environment

__all__ = ["TARGETS"]

TARGETS: Final = ("replies", "registries", "baked_files")

_FOLDER: Final = ROOT / ".fuzz"
_KEPT: Final = ROOT / "tests" / "fuzz" / "corpus"
_PATHS: Final = (".", "local", "layers/core", "functions/mcp", ".fuzz/packages")
_MAX_INPUT_BYTES: Final = 20_000
_HANGS_SECONDS: Final = 120
_NEVER_SECONDS: Final = 1_000_000
_ERROR_CHARACTERS: Final = 6_000


def main() -> int:
    """Print what each target tried, and what broke it if anything did; then the status is 1."""
    parser = argparse.ArgumentParser(
        description="Fuzz the function, the loader of registries and the baked files"
    )
    parser.add_argument("--seconds", type=int, default=3600, help="for all targets together")
    wanted = parser.parse_args()
    tried = {target: _fuzz(target, max(1, wanted.seconds // len(TARGETS))) for target in TARGETS}
    print(json.dumps({"fuzz": tried}))
    return int(any(each["broken"] for each in tried.values()))


def _fuzz(target: str, seconds: int) -> dict[str, Any]:
    found = _FOLDER / "corpus" / target
    found.mkdir(parents=True, exist_ok=True)
    log = _FOLDER / f"{target}.log"
    flags = {
        "max_total_time": seconds,
        "max_len": _MAX_INPUT_BYTES,
        "timeout": _NEVER_SECONDS,  # its alarm would be taken for the deadline of a handler
        "print_final_stats": 1,
        "artifact_prefix": f"{_FOLDER}/{target}-",
    }
    options = [f"-{name}={value}" for name, value in flags.items()]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.process", target, *options, found, _KEPT / target],
            cwd=ROOT,
            env=environment() | {"PYTHONPATH": ":".join(_PATHS)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            broken = process.wait(seconds + _HANGS_SECONDS) != 0
        except subprocess.TimeoutExpired:
            process.kill()
            broken = True
            print(f"{target}: an input did not end within {_HANGS_SECONDS} s")
    if broken:
        print(f"{target}: broken; the input is in .fuzz/\n{_end_of(log)}")
    return {"inputs": _inputs_tried(log), "seconds": seconds, "broken": broken}


def _inputs_tried(log: Path) -> int:
    counts = re.findall(
        r"^stat::number_of_executed_units: *(\d+)$", log.read_text(errors="replace"), re.MULTILINE
    )
    return int(counts[-1]) if counts else 0


def _end_of(log: Path) -> str:
    return log.read_text(errors="replace")[-_ERROR_CHARACTERS:]


if __name__ == "__main__":
    sys.exit(main())
