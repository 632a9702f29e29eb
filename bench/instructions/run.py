"""`make bench-instructions`: instructions per warm request, compared with a stored budget.

The budget holds ratios to the bare handler with a tool. Where instructions cannot be counted (no valgrind) or
compared (another Python or architecture), the first word of the output is `UNMEASURED` and the status is 0.
"""

import argparse
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.instructions.budget import as_markdown, bounded_ratios, budget_mismatch, over_budget, ratios
from bench.instructions.callgrind import count_instructions, why_not_countable
from bench.serving.environments import WANTED
from tests.support.emulator import Python, runtime_python

__all__ = ["main", "report", "report_unmeasured"]

_BUDGET: Final = Path(__file__).parents[1] / "instructions.json"


def main() -> int:
    """Count the instructions of a warm request of each kind, and compare them with the stored budget."""
    parser = argparse.ArgumentParser(prog="make bench-instructions", description=main.__doc__)
    parser.add_argument("--record", action="store_true", help="store the counts as the new budget")
    recording = parser.parse_args().record
    budget = json.loads(_BUDGET.read_text())
    python = runtime_python(WANTED)
    machine = {"python": _full_version(python), "architecture": platform.machine()}
    mismatch = "" if recording else budget_mismatch(machine, budget)
    if reason := mismatch or why_not_countable(python):
        return report_unmeasured(reason) or int(recording)
    counts = count_instructions(python)
    if recording:
        _BUDGET.write_text(json.dumps({**machine, "instructions": counts}, indent=2) + "\n")
    return report(counts, counts if recording else budget["instructions"])


def report_unmeasured(reason: str) -> int:
    """Print that no budget was checked, and why; the status is that of success."""
    print(f"UNMEASURED: the instructions of a warm request were not compared with the budget: {reason}.")
    print(json.dumps({"unmeasured": reason}))
    return 0


def report(counts: dict[str, dict[str, int]], budget: dict[str, dict[str, int]]) -> int:
    """Print the counts and every ratio that is over the budget; the status is 1 if any is."""
    over = over_budget(counts, budget)
    print(as_markdown(counts, budget))
    print("", *(over or ["Within the budget."]), sep="\n")
    found = {"bounded": bounded_ratios(counts), "vs_floor_with_tool": ratios(counts)}
    rounded = {part: {name: round(value, 3) for name, value in each.items()} for part, each in found.items()}
    print(json.dumps({**rounded, "instructions": counts}))
    return 1 if over else 0


def _full_version(python: Python) -> str:
    return subprocess.run([python.path, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]


if __name__ == "__main__":
    sys.exit(main())
