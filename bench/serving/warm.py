"""The warm path: each target's handler called in a process of its own, without an emulator."""

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.environments import CACHE, Environment
from bench.serving.events import CALL, HANDSHAKE, INITIALIZE, MODERN, request
from bench.serving.targets import OURS, QUIET, Target
from tests.support.emulator import Python
from tests.support.processes import plain_environment

__all__ = ["Lab", "grown", "measured", "with_tools"]

_CHILD: Final = Path(__file__).with_name("child.py")
# What is told apart of a request to the product.
_PARTS: Final = {
    "store": {"of": "mcpcore_aws.sessions:DynamoDBSessions", "methods": ["load", "apply"]},
    "match": {"of": "sources.matching.lexical:Lexical", "methods": ["rank"]},
}
# A request that goes to the store takes some milliseconds, most of them moto's.
_SHARE_OF_HANDSHAKE: Final = 0.2
_REGISTERED: Final = "peers.registered.app.lambda_handler"


class Lab(NamedTuple):
    """Where children run: the interpreter, what the image brings, and the variables of the product."""

    python: Python
    runtime: Path
    variables: Mapping[str, str]

    def child(self, environment: Environment, job: Mapping[str, Any], **variables: str) -> dict[str, Any]:
        """What a child tells that does `job` in `environment`."""
        log = CACHE / "logs" / "child.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w+") as errors:
            done = subprocess.run(
                [self.python.path, "-S", "-P", _CHILD],
                input=json.dumps(job),
                env=self.environment(environment) | variables,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                check=False,
            )
        if done.returncode != 0:
            raise RuntimeError(f"a child failed: {log.read_text()[-2000:]}")
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    def environment(self, environment: Environment) -> dict[str, str]:
        """The variables of a process in `environment`."""
        return plain_environment() | {
            "PYTHONPATH": f"{environment.path}:{self.runtime}",
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.variables,
            "REGISTRY_DIR": str(environment.opt / "registry"),
        }


def measured(
    lab: Lab,
    targets: Mapping[Target, Environment],
    *,
    repeat: int,
    rounds: int,
    say: Callable[[str], None],
) -> dict[str, dict[str, dict[str, float]]]:
    """Figures by target and kind: the middle of some rounds, in which the targets take turns.

    The product is measured with everything on and, as `ours, quiet`, with nothing logged or counted.
    """
    found: dict[str, list[dict[str, dict[str, float]]]] = {}
    for number in range(rounds):
        say(f"warm path, round {number + 1} of {rounds}")
        for target, environment in targets.items():
            job = _job(target, repeat)
            found.setdefault(target.name, []).append(lab.child(environment, job))
            if target.name == OURS:
                found.setdefault(f"{OURS}, quiet", []).append(lab.child(environment, job, **QUIET))
    return {name: _middle(each) for name, each in found.items()}


def _job(target: Target, repeat: int) -> dict[str, Any]:
    ours = target.name == OURS
    return {
        "job": "warm",
        "handler": target.handler,
        "events": {kind: request(kind) for kind in target.warm},
        "opening": request(INITIALIZE) if ours else None,
        "in_session": HANDSHAKE,
        "repeat": repeat,
        "share": dict.fromkeys(HANDSHAKE, _SHARE_OF_HANDSHAKE) if ours else {},
        "parts": _PARTS if ours else {},
    }


def _middle(rounds: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    return {
        kind: {name: median(each[kind][name] for each in rounds) for name in figures}
        for kind, figures in rounds[0].items()
    }


def grown(lab: Lab, ours: Environment, total: int) -> dict[str, Any]:
    """Memory and speed of the product before and after `total` requests, one in forty in a session."""
    kinds = (*MODERN, *HANDSHAKE)
    mix = [*(MODERN * 10)[:39], HANDSHAKE[0], *(MODERN * 10)[:39], HANDSHAKE[1]]
    return lab.child(
        ours,
        {
            "job": "grown",
            "handler": "handler.lambda_handler",
            "events": {kind: request(kind) for kind in kinds},
            "opening": request(INITIALIZE),
            "in_session": HANDSHAKE,
            "mix": mix,
            "total": total,
            "window": min(2_000, total // 4),
        },
    )


def with_tools(lab: Lab, floor: Environment, ours: Environment, repeat: int) -> dict[str, dict[str, float]]:
    """p50 and p99 of the same tool call to servers over our core that have few and many tools registered."""
    both = Environment(floor.task, ours.opt)
    job = {"job": "warm", "handler": _REGISTERED, "events": {CALL: request(CALL)}, "repeat": repeat}
    return {str(tools): lab.child(both, job, TOOLS=str(tools), **QUIET)[CALL] for tools in (4, 200)}
