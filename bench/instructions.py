"""`make bench-instructions`: instructions per warm request, held against a stored budget.

What is judged are ratios to the bare handler with a tool. Where they cannot be counted or compared, the first
word of the output says so, and the status is that of success: a machine without valgrind, or of another kind
than the budget's, can still do everything else.
"""

import argparse
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.instructions_budget import bounded, different, judged, ratios, tables
from bench.instructions_counted import counted, incapable
from bench.serving.environments import WANTED
from tests.support.emulator import Python, runtime_python

__all__ = ["main", "told", "unmeasured"]

_BUDGET: Final = Path(__file__).with_name("instructions.json")


def main() -> int:
    """Count the instructions of a warm request of each kind, and compare them with the stored budget."""
    parser = argparse.ArgumentParser(prog="make bench-instructions", description=main.__doc__)
    parser.add_argument("--record", action="store_true", help="store what is counted as the new budget")
    recording = parser.parse_args().record
    budget = json.loads(_BUDGET.read_text())
    python = runtime_python(WANTED)
    where = {"python": _version(python), "architecture": platform.machine()}
    elsewhere = "" if recording else different(where, budget)
    if why := elsewhere or incapable(python):
        return unmeasured(why) or int(recording)
    counts = counted(python)
    if recording:
        _BUDGET.write_text(json.dumps({**where, "instructions": counts}, indent=2) + "\n")
    return told(counts, counts if recording else budget["instructions"])


def unmeasured(why: str) -> int:
    """Says loudly that nothing is guarded, and `why`; the status is that of success."""
    print(f"UNMEASURED: the instructions of a warm request were not counted, so nothing guards them: {why}.")
    print(json.dumps({"unmeasured": why}))
    return 0


def told(counts: dict[str, dict[str, int]], budget: dict[str, dict[str, int]]) -> int:
    """Tells what was counted and what is over the budget; the status is 1 if anything is."""
    over = judged(counts, budget)
    print(tables(counts, budget))
    print("", *(over or ["Within the budget."]), sep="\n")
    found = {"bounded": bounded(counts), "vs_floor_with_tool": ratios(counts)}
    rounded = {part: {name: round(value, 3) for name, value in each.items()} for part, each in found.items()}
    print(json.dumps({**rounded, "instructions": counts}))
    return 1 if over else 0


def _version(python: Python) -> str:
    return subprocess.run([python.path, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]


if __name__ == "__main__":
    sys.exit(main())
