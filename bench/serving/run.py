"""`make bench`: the built product beside a bare handler and its peers; the last line is one JSON object."""

import argparse
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench import models
from bench.serving import cold, warm, written
from bench.serving.cold import Case, on_one_core
from bench.serving.environments import CACHE, WANTED, Environment, made, runtime_packages
from bench.serving.events import CALL
from bench.serving.figures import PAIRED, ratios
from bench.serving.lab import Lab
from bench.serving.report import as_json, as_markdown, draw
from bench.serving.targets import FLOOR, OURS, QUICK, TARGETS, Target
from bench.serving.warm import Rounds, medians, summary
from tests.support.emulator import Python, runtime_python
from tests.support.processes import DUMMY_ACCOUNT, ROOT, plain_environment
from threegood_local.environment import SESSIONS_TABLE

_MANY_REQUESTS: Final = 200_000

_LOCKED: Final = (
    "awslabs-mcp-lambda-handler",
    "mcp",
    "fastmcp",
    "mangum",
    "awslambdaric",
    "boto3",
    "pydantic",
)


def main() -> int:
    """Measure cold start, warm path, memory and growth, all against a bare handler and the peers."""
    parser = argparse.ArgumentParser(prog="make bench", description=main.__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="the floors and ours, fewer repetitions, no growth"
    )
    parser.add_argument("--repeats", type=int, help="cold starts of each target [15, quick 5]")
    parser.add_argument(
        "--processes", type=int, help="processes of each target on the warm path, in turn [5, quick 4]"
    )
    parser.add_argument("--turns", type=int, help="turns of each of these processes [10, quick 8]")
    parser.add_argument("--calls", type=int, help="warm calls of each kind in a turn [50]")
    parser.add_argument("--only", type=_names, help="targets, with commas")
    parser.add_argument(
        "--no-bytecode", action="store_true", help="cold starts of artifacts without .pyc files"
    )
    parser.add_argument("--write", action="store_true", help="keep figures and pictures in docs/performance")
    arguments = parser.parse_args()
    figures = _measured(_plan(arguments))
    folder = ROOT / "docs" / "performance" if arguments.write else CACHE / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.json").write_text(f"{as_json(figures)}\n")
    draw(figures, folder)
    models.write(figures, folder)
    text = as_markdown(figures)
    (folder / "tables.md").write_text(f"{text}\n")
    print(text)
    print(json.dumps(ratios(figures)))
    return 0


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - {target.name for target in TARGETS}:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}")
    return names


def _plan(arguments: argparse.Namespace) -> argparse.Namespace:
    """The arguments, with what was not said filled in."""
    defaults = {"repeats": 5, "processes": 4, "turns": 8} if arguments.quick else {}
    usual = {"repeats": 15, "processes": 5, "turns": 10, "calls": 50}
    for name, value in (usual | defaults).items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    arguments.only = arguments.only or (QUICK if arguments.quick else tuple(each.name for each in TARGETS))
    arguments.requests = 100 if arguments.quick else 1_000
    return arguments


def _measured(plan: argparse.Namespace) -> dict[str, Any]:
    python = runtime_python(WANTED)
    runtime = runtime_packages(python)
    targets = {target: made(target, python) for target in TARGETS if target.name in plan.only}
    shipped = {target: _shipped(each, plan) for target, each in targets.items()}
    bytecode = all(each.has_bytecode() for each in shipped.values())
    figures: dict[str, Any] = {"conditions": _conditions(plan, python) | {"bytecode": bytecode}}
    figures["unzipped_mb"] = {target.name: each.unzipped_mb() for target, each in targets.items()}
    with _dynamodb() as endpoint, on_one_core():
        variables = _variables(endpoint)
        figures["cold"] = cold.measured(
            [Case(target, each, kind) for target, each in shipped.items() for kind in target.first],
            python,
            runtime,
            variables,
            repeats=plan.repeats,
            requests=plan.requests,
            say=_say,
        )
        # Of the kinds that start a target the first is the one that counts: it needs no store. The handshake
        # brings ours a connection to DynamoDB, and botocore where the environment has no credentials.
        figures["rss"] = {
            target.name: {
                name: value
                for name, value in figures["cold"][target.name][target.first[0]].items()
                if name.endswith("_mb")
            }
            for target in targets
        }
        figures |= _warm(Lab(python, runtime, variables), targets, plan)
    return figures


def _shipped(environment: Environment, plan: argparse.Namespace) -> Environment:
    return environment.without_bytecode() if plan.no_bytecode else environment


def _warm(lab: Lab, targets: Mapping[Target, Environment], plan: argparse.Namespace) -> dict[str, Any]:
    by_name = {target.name: environment for target, environment in targets.items()}
    rounds = Rounds(plan.processes, plan.turns, plan.calls)
    served = warm.measured(lab, targets, rounds, say=_say).turns
    found: dict[str, Any] = {
        "warm": {name: summary(turns) for name, turns in served.items()},
        "turns": {"warm": {name: medians(turns) for name, turns in served.items() if name in PAIRED}},
        "written": written.measured(lab, targets),
    }
    if {OURS, FLOOR} <= by_name.keys() and not plan.quick:
        registered = warm.with_tools(lab, by_name[FLOOR], by_name[OURS], rounds, say=_say)
        found["turns"]["tools"] = {name: medians(turns) for name, turns in registered.turns.items()}
        found["tools"] = {
            name: summary(turns)[CALL] | {"rss_mb": median(registered.rss_mb[name])}
            for name, turns in registered.turns.items()
        }
        _say("growth")
        found["growth"], aged = warm.grown(lab, by_name[OURS], _MANY_REQUESTS, rounds)
        found["turns"]["growth"] = {name: medians(turns) for name, turns in aged.turns.items()}
    return found


def _variables(endpoint: str) -> dict[str, str]:
    """The product's variables, as its template sets them, with a DynamoDB of this machine."""
    return DUMMY_ACCOUNT | {
        "SESSIONS_TABLE": SESSIONS_TABLE,
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        "POWERTOOLS_SERVICE_NAME": "three-good-sources",
        "POWERTOOLS_METRICS_NAMESPACE": "ThreeGoodSources",
    }


@contextmanager
def _dynamodb() -> Iterator[str]:
    """A DynamoDB in a process of its own, which is free to run beside the core that is measured."""
    with subprocess.Popen(
        [sys.executable, "-m", "threegood_local.dynamodb"],
        cwd=ROOT,
        env=plain_environment() | {"PYTHONPATH": ".:layers/core:functions/mcp"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def _conditions(plan: argparse.Namespace, python: Python) -> dict[str, Any]:
    version = subprocess.run([python.path, "-V"], capture_output=True, text=True, check=True).stdout.split()[
        1
    ]
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.release(),
        "python": version,
        "runtime_python_wanted": WANTED,
        "repeats": plan.repeats,
        "processes": plan.processes,
        "turns": plan.turns,
        "calls": plan.calls,
        "requests": plan.requests,
        "versions": dict(_versions()) | {"moto": importlib.metadata.version("moto")},
    }


def _cpu() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or "unknown processor"


def _versions() -> Iterator[tuple[str, str]]:
    locks = "".join(file.read_text() for file in sorted((ROOT / "bench" / "peers").glob("*.txt")))
    for name in _LOCKED:
        found = re.search(rf"^{re.escape(name)}==([^\s;]+)", locks, re.MULTILINE)
        if found:
            yield name, found[1]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
