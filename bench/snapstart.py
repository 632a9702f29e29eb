"""`python -m bench.snapstart`: a first request after a snapshot is restored, with the hooks and without them.

Each figure is a median over processes that start afresh on one core, with and without in turn. In each the
built artifact is started and its first request timed, as if it had been restored in between; the restoring
itself is Lambda's, and cannot be measured here. The last line is one JSON object of ratios. It needs Linux.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.cold import on_one_core
from bench.serving.environments import WANTED, made, runtime_packages
from bench.serving.events import CALL, INITIALIZE, request
from bench.serving.targets import OURS, TARGETS
from tests.support.credentials import giving_credentials
from tests.support.emulator import Python, runtime_python
from tests.support.processes import plain_environment
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import SESSIONS_TABLE, set_defaults

__all__ = ["Figures", "as_markdown", "first_requests"]

_CHILD: Final = Path(__file__).with_name("snapstart_child.py")
_WITHOUT_PROFILE: Final = {"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}


class Figures(NamedTuple):
    """Medians over processes, without the hooks and with them; `hooks_ms` is what these take themselves."""

    without_ms: float
    primed_ms: float
    without_mb: float
    primed_mb: float
    hooks_ms: float


def main() -> int:
    """Compare; the first round warms the machine's caches and is not counted."""
    parser = argparse.ArgumentParser(prog="python -m bench.snapstart", description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="processes of each kind")
    rounds = parser.parse_args().rounds
    python = runtime_python(WANTED)
    set_defaults(AWS_REGION="us-east-1")
    with embedded_dynamodb() as endpoint, giving_credentials() as giver:
        process = _process(python, {**giver.variables, "AWS_ENDPOINT_URL_DYNAMODB": endpoint})
        figures = {name: _compared(process, event, rounds) for name, event in first_requests().items()}
    print(f"Python {python.version}, medians of {rounds} processes\n\n{as_markdown(figures)}")
    print(json.dumps({name: round(found.primed_ms / found.without_ms, 3) for name, found in figures.items()}))
    return 0


def first_requests() -> dict[str, dict[str, Any]]:
    """The events that a restored environment may meet first, by what they are."""
    return {
        "2026 tools/call": request(CALL),
        "2026 tools/call, misspelt": _asking("lern ruts progrmming"),
        "2026 tools/call, wrong arguments": _asking(5),
        "2025 initialize": request(INITIALIZE),
    }


def as_markdown(figures: Mapping[str, Figures]) -> str:
    """The table, and what the hooks themselves take."""
    lines = [
        "| first request | without the hooks, ms | with them, ms | ratio |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {name} | {found.without_ms:.1f} | {found.primed_ms:.1f} "
            f"| {found.primed_ms / found.without_ms:.2f} |"
            for name, found in figures.items()
        ),
    ]
    hooks_ms, primed_mb, without_mb = (
        median(getattr(found, name) for found in figures.values())
        for name in ("hooks_ms", "primed_mb", "without_mb")
    )
    return "\n".join(lines) + (
        f"\n\nThe hooks take {hooks_ms:.0f} ms; memory before the first request: {without_mb:.0f} MB without "
        f"them, {primed_mb:.0f} MB with them.\n"
    )


def _asking(query: object) -> dict[str, Any]:
    event = request(CALL)
    message = json.loads(event["body"])
    message["params"]["arguments"] = {"query": query}
    return {**event, "body": json.dumps(message)}


class _Process(NamedTuple):
    """How a process of the artifact is started."""

    python: Python
    variables: Mapping[str, str]

    def found(self, event: Mapping[str, Any], *, primed: bool) -> dict[str, float]:
        """What a fresh one tells."""
        with on_one_core():
            done = subprocess.run(
                [self.python.path, "-S", "-P", _CHILD],
                input=json.dumps({"event": event, "primed": primed}),
                env=dict(self.variables),
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
        told: dict[str, float] = json.loads(done.stdout)
        assert told["status"] == 200
        return told


def _process(python: Python, variables: Mapping[str, str]) -> _Process:
    (ours,) = (made(target, python) for target in TARGETS if target.name == OURS)
    plain = {name: value for name, value in plain_environment().items() if not name.startswith("AWS_")}
    return _Process(
        python,
        {
            **plain,
            **variables,
            **_WITHOUT_PROFILE,
            "AWS_REGION": "us-east-1",
            "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
            "PYTHONPATH": f"{ours.path}:{runtime_packages(python)}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "REGISTRY_DIR": str(ours.opt / "registry"),
            "SESSIONS_TABLE": SESSIONS_TABLE,
        },
    )


def _compared(process: _Process, event: Mapping[str, Any], rounds: int) -> Figures:
    pairs = [
        (process.found(event, primed=False), process.found(event, primed=True)) for _ in range(rounds + 1)
    ][1:]
    return Figures(
        without_ms=median(without["first_ms"] for without, _ in pairs),
        primed_ms=median(primed["first_ms"] for _, primed in pairs),
        without_mb=median(without["rss_mb"] for without, _ in pairs),
        primed_mb=median(primed["rss_mb"] for _, primed in pairs),
        hooks_ms=median(primed["hooks_ms"] for _, primed in pairs),
    )


if __name__ == "__main__":
    sys.exit(main())
