"""Instructions of one warm request, counted by valgrind's callgrind.

For each kind of request two processes run: one serves some requests of every kind, the other a hundred more
of this kind. The difference is what those took, without start-up. Hash seed and, where the system allows it,
addresses are fixed, and glibc uses the routines that every x86-64 processor can run.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.instructions.budget import MATCH
from bench.serving.environments import Environment, prepare_environment, runtime_packages
from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY, MODERN, request
from bench.serving.launcher import Launcher
from bench.serving.targets import FLOOR_WITH_TOOL, OURS, QUIET, QUIET_VARIABLES, TARGETS
from tests.support.emulator import Python
from tests.support.processes import DUMMY_ACCOUNT
from threegood_local.environment import SESSIONS_TABLE

__all__ = ["count_instructions", "per_request", "total_in", "why_not_countable"]

_PROGRAM: Final = Path(__file__).with_name("counted_process.py")
_CALLGRIND: Final[tuple[str | Path, ...]] = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
_REQUESTS: Final = 100
_BASE: Final = "base"
# By default glibc selects routines by processor: with ERMS, callgrind counts an instruction for each byte of
# a long string, and the lists take 4 to 6 % more. glibc ignores names that it does not know.
_GENERIC_ROUTINES: Final = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM,-BMI2,-SSE4_2,-SSE4_1,-SSSE3"
_TOTAL: Final = re.compile(r"Collected\s*:\s*(\d+)")


class _Subject(NamedTuple):
    """The counted process: the job without its numbers of requests, where it runs, and its variables."""

    environment: Environment
    kinds: tuple[str, ...]
    job: dict[str, Any]
    variables: Mapping[str, str] = {}


def why_not_countable(python: Python) -> str:
    """Why callgrind cannot count instructions of `python` here, in words; empty if it can."""
    if shutil.which("valgrind") is None:
        return "there is no valgrind here (apt-get install valgrind)"
    command = [*_CALLGRIND, python.path, "-S", "-c", ""]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"valgrind cannot run Python here: {done.stderr[-500:].strip()}" if done.returncode else ""


def count_instructions(python: Python) -> dict[str, dict[str, int]]:
    """Instructions of one warm request, by target and by kind."""
    launcher = Launcher(python, runtime_packages(python), DUMMY_ACCOUNT | {"SESSIONS_TABLE": SESSIONS_TABLE})
    subjects = _subjects(python)
    runs = [(name, more) for name, subject in subjects.items() for more in (_BASE, *subject.kinds)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda run: _run(launcher, subjects[run[0]], run[1]), runs)
        totals = dict(zip(runs, counts, strict=True))
    return {
        name: per_request({more: totals[name, more] for more in (_BASE, *subject.kinds)}, _REQUESTS)
        for name, subject in subjects.items()
    }


def _subjects(python: Python) -> dict[str, _Subject]:
    ours, floor = (prepare_environment(TARGETS[name], python) for name in (OURS, FLOOR_WITH_TOOL))
    product = {"of": "product", "opening": request(INITIALIZE), "in_session": LEGACY}
    query = json.loads(request(CALL)["body"])["params"]["arguments"]["query"]
    match = {"of": "match", "strategy": "lexicon", "registry": str(ours.opt / "registry"), "query": query}
    bare = {"of": "handler", "handler": TARGETS[FLOOR_WITH_TOOL].handler}
    return {
        QUIET: _Subject(ours, (*MODERN, *LEGACY), product, QUIET_VARIABLES),
        OURS: _Subject(ours, MODERN, product),
        FLOOR_WITH_TOOL: _Subject(floor, (CONSTANT[0], CALL), bare),
        MATCH: _Subject(ours, (CALL,), match),
    }


def _run(launcher: Launcher, subject: _Subject, more: str) -> int:
    """The instructions of a process that serves some requests of each kind, and many of the kind `more`."""
    job = subject.job | {
        "events": {kind: request(kind) for kind in subject.kinds},
        "requests": {kind: _REQUESTS // 4 + _REQUESTS * (kind == more) for kind in subject.kinds},
    }
    fixed = {"PYTHONHASHSEED": "0", "GLIBC_TUNABLES": _GENERIC_ROUTINES}
    with tempfile.NamedTemporaryFile("w+") as log:
        subprocess.run(
            [
                *_fixed_addresses(),
                *(*_CALLGRIND, f"--log-file={log.name}"),
                *(launcher.python.path, "-S", "-P", _PROGRAM),
            ],
            input=json.dumps(job),
            env=launcher.variables_in(subject.environment) | {**fixed, **subject.variables},
            stdout=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        return total_in(Path(log.name).read_text())


def _fixed_addresses() -> list[str]:
    """The command that disables address randomisation, if the system has it and permits it."""
    command = ["setarch", platform.machine(), "-R"]
    if shutil.which("setarch") is None:
        return []
    return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else []


def total_in(log: str) -> int:
    """The number of instructions in callgrind's log.

    Raises:
        ValueError: the log has no count.
    """
    found = _TOTAL.search(log)
    if found is None:
        raise ValueError(f"callgrind wrote no count: {log[-500:]}")
    return int(found[1])


def per_request(totals: Mapping[str, int], requests: int) -> dict[str, int]:
    """Instructions of one request of each kind, from the totals of runs with `requests` more of it."""
    return {
        kind: round((total - totals[_BASE]) / requests) for kind, total in totals.items() if kind != _BASE
    }
