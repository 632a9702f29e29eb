"""`make bench`: the built product beside a bare handler and its peers; the last line is JSON: the ratios."""

import argparse
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.serving.cold import ColdStarts, measure_cold, on_one_core
from bench.serving.environments import CACHE, WANTED, Environment, prepare_environment, runtime_packages
from bench.serving.growth import measure_growth
from bench.serving.issuer import issuer
from bench.serving.launcher import Launcher
from bench.serving.ratios import PAIRED, ratios
from bench.serving.report import as_json, as_markdown
from bench.serving.store import dynamodb, product_variables
from bench.serving.targets import FLOOR, OURS, QUICK, TARGETS, Target
from bench.serving.warm import Rounds, measure_warm, medians, summary
from tests.support.emulator import Python, runtime_python
from tests.support.processes import ROOT

_PACKAGES: Final = (
    "awslabs-mcp-lambda-handler",
    "mcp",
    "fastmcp",
    "mangum",
    "pyjwt",
    "awslambdaric",
    "boto3",
    "pydantic",
)


class Plan(NamedTuple):
    """The measurements and their numbers: cold starts of each target, then rounds of the warm path.

    `requests` is how many requests follow the last cold start, for the peak of memory.
    """

    targets: tuple[str, ...]
    repeats: int
    processes: int
    turns: int
    calls: int
    requests: int
    growth: bool


_FULL: Final = Plan(tuple(TARGETS), repeats=15, processes=5, turns=10, calls=50, requests=1_000, growth=True)
_QUICK: Final = Plan(QUICK, repeats=5, processes=4, turns=8, calls=50, requests=100, growth=False)


def main() -> int:
    """Measure cold start, warm path, memory and growth, all against a bare handler and the peers."""
    parser = argparse.ArgumentParser(prog="make bench", description=main.__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="without the peers and growth, fewer repetitions"
    )
    parser.add_argument("--repeats", type=int, help="cold starts of each target [15, quick 5]")
    parser.add_argument(
        "--processes", type=int, help="processes of each target on the warm path [5, quick 4]"
    )
    parser.add_argument("--turns", type=int, help="turns of each of these processes [10, quick 8]")
    parser.add_argument("--calls", type=int, help="warm calls of each kind in a turn [50]")
    parser.add_argument("--only", type=_targets, dest="targets", help="targets, separated by commas")
    parser.add_argument("--write", action="store_true", help="store figures and tables in docs/performance")
    arguments = vars(parser.parse_args())
    plan = _QUICK if arguments["quick"] else _FULL
    chosen = {name: value for name in Plan._fields if (value := arguments.get(name)) is not None}
    figures = _measure(plan._replace(**chosen))
    folder = ROOT / "docs" / "performance" if arguments["write"] else CACHE / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.json").write_text(f"{as_json(figures)}\n")
    text = as_markdown(figures)
    (folder / "tables.md").write_text(f"{text}\n")
    print(text)
    print(json.dumps(ratios(figures)))
    return 0


def _targets(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - TARGETS.keys():
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}")
    return names


def _measure(plan: Plan) -> dict[str, Any]:
    python = runtime_python(WANTED)
    runtime = runtime_packages(python)
    environments = {
        target: prepare_environment(target, python)
        for name, target in TARGETS.items()
        if name in plan.targets
    }
    bytecode = all(each.has_bytecode() for each in environments.values())
    figures: dict[str, Any] = {
        "conditions": _conditions(plan, python) | {"bytecode": bytecode},
        "unzipped_mb": {target.name: each.unzipped_mb() for target, each in environments.items()},
    }
    # The key set is served from a thread that began before: like the store, it may run on other cores.
    with dynamodb() as endpoint, issuer(CACHE) as authorization, on_one_core():
        variables = product_variables(endpoint)
        cold_starts = ColdStarts(python, runtime, variables, authorization, plan.repeats, plan.requests)
        figures["cold"] = measure_cold(cold_starts, environments, _say)
        figures["rss"] = _peak_memory(figures["cold"], environments)
        figures |= _measure_processes(Launcher(python, runtime, variables), environments, plan)
    return figures


def _peak_memory(cold: Mapping[str, Any], targets: Mapping[Target, Environment]) -> dict[str, Any]:
    """Peak memory by target, of the first kind of cold start: it needs no store, which would import more."""
    return {
        target.name: {
            name: value for name, value in cold[target.name][target.first[0]].items() if name.endswith("_mb")
        }
        for target in targets
    }


def _measure_processes(
    launcher: Launcher, environments: Mapping[Target, Environment], plan: Plan
) -> dict[str, Any]:
    rounds = Rounds(plan.processes, plan.turns, plan.calls)
    served = measure_warm(launcher, environments, rounds, _say).turns
    found: dict[str, Any] = {
        "warm": {name: summary(turns) for name, turns in served.items()},
        "turns": {"warm": {name: medians(turns) for name, turns in served.items() if name in PAIRED}},
    }
    floor, ours = (environments.get(TARGETS[name]) for name in (FLOOR, OURS))
    if floor and ours and plan.growth:
        growth = measure_growth(launcher, floor, ours, rounds, _say)
        found |= growth | {"turns": found["turns"] | growth["turns"]}
    return found


def _conditions(plan: Plan, python: Python) -> dict[str, Any]:
    version = subprocess.run([python.path, "-V"], capture_output=True, text=True, check=True).stdout.split()
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.release(),
        "python": version[1],
        "runtime_python_wanted": WANTED,
        **{name: getattr(plan, name) for name in ("repeats", "processes", "turns", "calls", "requests")},
        "versions": dict(_locked_versions()) | {"moto": importlib.metadata.version("moto")},
    }


def _cpu() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or "unknown processor"


def _locked_versions() -> Iterator[tuple[str, str]]:
    locks = "".join(file.read_text() for file in sorted((ROOT / "bench" / "peers").glob("*.txt")))
    for name in _PACKAGES:
        found = re.search(rf"^{re.escape(name)}==([^\s;]+)", locks, re.MULTILINE)
        if found:
            yield name, found[1]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
