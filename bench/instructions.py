"""`make bench-instructions`: instructions per warm request, counted by callgrind, against a budget.

Instructions do not depend on what else the machine does, so a rise is a rise of the code. A process serves
some requests of every kind, and once more for each kind with a hundred more of that kind: the difference is
what those took, start-up and all else cancelled out. Hash seed and addresses are fixed as far as the system
lets us; what is left differs by less than the tolerance. The counts belong to one Python and architecture,
which the budget names.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from bench.serving.environments import WANTED, Environment, made, runtime_packages
from bench.serving.events import HANDSHAKE, INITIALIZE, MODERN, request
from bench.serving.lab import Lab
from bench.serving.targets import OURS, QUIET, TARGETS
from local.environment import SESSIONS_TABLE
from tests.support.emulator import Python, runtime_python
from tests.support.processes import DUMMY_ACCOUNT

__all__ = ["TOLERANCE", "collected", "judged", "per_request"]

TOLERANCE: Final = 0.10

_BUDGET: Final = Path(__file__).with_name("instructions.json")
_CHILD: Final = Path(__file__).with_name("instructions_child.py")
_REQUESTS: Final = 100
_BASE: Final = "base"
_TOTAL: Final = re.compile(r"Collected\s*:\s*(\d+)")


def main() -> int:
    """Count the instructions of a warm request of each kind, and compare them with the stored budget."""
    parser = argparse.ArgumentParser(prog="make bench-instructions", description=main.__doc__)
    parser.add_argument("--record", action="store_true", help="store what is counted as the new budget")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        return _unguarded("there is no valgrind here; apt-get install valgrind brings it.")
    python = runtime_python(WANTED)
    where = {"python": _version(python), "architecture": platform.machine()}
    if arguments.record:
        found = {**where, "per_request": _counted(python)}
        _BUDGET.write_text(json.dumps(found, indent=2) + "\n")
        return 0
    budget = json.loads(_BUDGET.read_text())
    if there := different(where, budget):
        return _unguarded(f"{there}. RECORD=1 stores a budget for this machine.")
    return _told(_counted(python), budget["per_request"])


def _unguarded(why: str) -> int:
    """Says so; CI must not take it for a budget that was kept."""
    print(f"Instructions were not measured: {why}")
    return 1 if os.environ.get("CI") == "true" else 0


def _told(counts: Mapping[str, int], stored: Mapping[str, int]) -> int:
    for kind, count in counts.items():
        print(f"{kind:32} {count:>12,} instructions, budget {stored.get(kind, 0):>12,}")
    over = judged(counts, stored)
    print("\n".join(over) or "Within the budget.")
    print(json.dumps(counts))
    return 1 if over else 0


def different(where: Mapping[str, str], budget: Mapping[str, Any]) -> str:
    """In which way the budget was counted elsewhere, in words; empty if it was not.

    Patch releases of Python are taken to be alike.
    """
    minor = {"here": _minor(where["python"]), "budget": _minor(budget["python"])}
    if minor["here"] != minor["budget"]:
        return f"the budget is for Python {minor['budget']}, and this is {minor['here']}"
    if where["architecture"] != budget["architecture"]:
        return f"the budget is for {budget['architecture']}, and this is {where['architecture']}"
    return ""


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def judged(counts: Mapping[str, int], budget: Mapping[str, int]) -> list[str]:
    """A sentence for each kind that is over its budget by more than the tolerance, or has none."""
    told = []
    for kind, count in counts.items():
        if kind not in budget:
            told.append(f"{kind} has no budget; RECORD=1 stores one.")
        elif count > budget[kind] * (1 + TOLERANCE):
            over = count / budget[kind] - 1
            told.append(
                f"{kind} takes {count:,} instructions, {over:.0%} more than the {budget[kind]:,} of the "
                f"budget (tolerance {TOLERANCE:.0%}): make it cheaper, or record a new budget and say why."
            )
    return told


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


def _counted(python: Python) -> dict[str, int]:
    ours = made(next(target for target in TARGETS if target.name == OURS), python)
    variables = DUMMY_ACCOUNT | {"SESSIONS_TABLE": SESSIONS_TABLE}
    lab = Lab(python, runtime_packages(python), variables)
    kinds = (*MODERN, *HANDSHAKE)
    runs = {_BASE: {}, **{kind: {kind: _REQUESTS} for kind in kinds}}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        totals = dict(
            zip(runs, pool.map(lambda more: _run(lab, ours, kinds, more), runs.values()), strict=True)
        )
    return per_request(totals, _REQUESTS)


def _run(lab: Lab, ours: Environment, kinds: tuple[str, ...], more: Mapping[str, int]) -> int:
    job = {
        "events": {kind: request(kind) for kind in kinds},
        "opening": request(INITIALIZE),
        "in_session": HANDSHAKE,
        "requests": {kind: _REQUESTS // 4 + more.get(kind, 0) for kind in kinds},
    }
    # Addresses that are the same each time, where the system allows it.
    fixed = ["setarch", platform.machine(), "-R"] if _can_fix_addresses() else []
    with tempfile.NamedTemporaryFile("w+") as log:
        subprocess.run(
            [
                *fixed,
                *("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log.name}"),
                *(lab.python.path, "-S", "-P", _CHILD),
            ],
            input=json.dumps(job),
            env=lab.environment(ours) | {"PYTHONHASHSEED": "0", **QUIET},
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


def _version(python: Python) -> str:
    return subprocess.run([python.path, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]


if __name__ == "__main__":
    sys.exit(main())
