"""Instructions of a warm request, counted by callgrind: the product's, the bare handler's, and the match's.

Instructions do not depend on what else the machine does. A process serves some requests of every kind, and
once more for each kind with a hundred more of that kind: the difference is what those took, start-up and all
else cancelled out. Hash seed and addresses are fixed as far as the system lets us, and glibc is told to take
the routines that every x86-64 processor can run.
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

from bench.instructions_budget import MATCH, OBSERVED, QUIETED
from bench.serving.environments import Environment, made, runtime_packages
from bench.serving.events import CALL, CONSTANT, HANDSHAKE, INITIALIZE, MODERN, request
from bench.serving.lab import Lab
from bench.serving.targets import FLOOR_WITH_TOOL, OURS, QUIET, TARGETS
from tests.support.emulator import Python
from tests.support.processes import DUMMY_ACCOUNT
from threegood_local.environment import SESSIONS_TABLE

__all__ = ["collected", "counted", "incapable", "per_request"]

_CHILD: Final = Path(__file__).with_name("instructions_child.py")
_CALLGRIND: Final[tuple[str | Path, ...]] = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
_REQUESTS: Final = 100
_BASE: Final = "base"
# Left to itself, glibc copies by what the processor offers: with ERMS, callgrind counts an instruction for
# each byte of a long string, and the lists take 4 to 6 % more. It passes over names that it does not know.
_PLAIN_ROUTINES: Final = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM,-BMI2,-SSE4_2,-SSE4_1,-SSSE3"
_TOTAL: Final = re.compile(r"Collected\s*:\s*(\d+)")


class _Subject(NamedTuple):
    """What is counted: the child's job but for how many requests, where it runs, and its variables."""

    environment: Environment
    kinds: tuple[str, ...]
    job: dict[str, Any]
    variables: Mapping[str, str] = {}


def incapable(python: Python) -> str:
    """Why callgrind cannot count what `python` does here, in words; empty if it can."""
    if shutil.which("valgrind") is None:
        return "there is no valgrind here (apt-get install valgrind)"
    command = [*_CALLGRIND, python.path, "-S", "-c", ""]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"valgrind cannot run Python here: {done.stderr[-500:].strip()}" if done.returncode else ""


def counted(python: Python) -> dict[str, dict[str, int]]:
    """Instructions of one warm request, by who answers it and by kind."""
    lab = Lab(python, runtime_packages(python), DUMMY_ACCOUNT | {"SESSIONS_TABLE": SESSIONS_TABLE})
    subjects = _subjects(python)
    runs = [(name, more) for name, subject in subjects.items() for more in (_BASE, *subject.kinds)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda run: _run(lab, subjects[run[0]], run[1]), runs)
        totals = dict(zip(runs, counts, strict=True))
    return {
        name: per_request({more: totals[name, more] for more in (_BASE, *subject.kinds)}, _REQUESTS)
        for name, subject in subjects.items()
    }


def _subjects(python: Python) -> dict[str, _Subject]:
    targets = {target.name: target for target in TARGETS}
    ours, floor = made(targets[OURS], python), made(targets[FLOOR_WITH_TOOL], python)
    product = {"of": "product", "opening": request(INITIALIZE), "in_session": HANDSHAKE}
    query = json.loads(request(CALL)["body"])["params"]["arguments"]["query"]
    match = {"of": "match", "strategy": "lexicon", "registry": str(ours.opt / "registry"), "query": query}
    return {
        QUIETED: _Subject(ours, (*MODERN, *HANDSHAKE), product, QUIET),
        OBSERVED: _Subject(ours, MODERN, product),
        FLOOR_WITH_TOOL: _Subject(
            floor, (CONSTANT[0], CALL), {"of": "handler", "handler": targets[FLOOR_WITH_TOOL].handler}
        ),
        MATCH: _Subject(ours, (CALL,), match),
    }


def _run(lab: Lab, subject: _Subject, more: str) -> int:
    """The instructions of a whole process that serves some of each kind, and many of the kind `more`."""
    job = subject.job | {
        "events": {kind: request(kind) for kind in subject.kinds},
        "requests": {kind: _REQUESTS // 4 + _REQUESTS * (kind == more) for kind in subject.kinds},
    }
    same = {"PYTHONHASHSEED": "0", "GLIBC_TUNABLES": _PLAIN_ROUTINES}
    # Addresses that are the same each time, where the system allows it.
    fixed = ["setarch", platform.machine(), "-R"] if _can_fix_addresses() else []
    with tempfile.NamedTemporaryFile("w+") as log:
        subprocess.run(
            [
                *fixed,
                *(*_CALLGRIND, f"--log-file={log.name}"),
                *(lab.python.path, "-S", "-P", _CHILD),
            ],
            input=json.dumps(job),
            env=lab.environment(subject.environment) | {**same, **subject.variables},
            stdout=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        return collected(Path(log.name).read_text())


def _can_fix_addresses() -> bool:
    if shutil.which("setarch") is None:
        return False
    command = ["setarch", platform.machine(), "-R", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def collected(log: str) -> int:
    """The instructions that callgrind counted, from what it writes."""
    found = _TOTAL.search(log)
    if found is None:
        raise ValueError(f"callgrind told no count: {log[-500:]}")
    return int(found[1])


def per_request(totals: Mapping[str, int], requests: int) -> dict[str, int]:
    """Instructions of one request of each kind, from the totals of runs with `requests` more of it."""
    return {
        kind: round((total - totals[_BASE]) / requests) for kind, total in totals.items() if kind != _BASE
    }
