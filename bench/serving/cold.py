"""Cold starts under the Runtime Interface Emulator: from the event to the first answer of a new process."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.serving.environments import CACHE, Environment
from bench.serving.events import request
from bench.serving.issuer import Authorization
from bench.serving.ratios import spread
from bench.serving.targets import Target
from tests.support.emulator import Emulator, Python, running

__all__ = ["ColdStarts", "measure_cold", "on_one_core", "peak_mb"]


class ColdStarts(NamedTuple):
    """The plan of the cold starts: `repeats` of each target, the last of which serves `requests` more."""

    python: Python
    runtime: Path
    variables: Mapping[str, str]
    authorization: Authorization
    repeats: int
    requests: int


class _Case(NamedTuple):
    target: Target
    environment: Environment
    kind: str


class _Start(NamedTuple):
    """One cold start, and the peak of memory after the first request and after the last, if more followed."""

    whole_ms: float
    first_mb: float
    after_mb: float | None


@contextmanager
def on_one_core() -> Iterator[None]:
    """Within the block, this process and all processes that it starts run on the last core of the machine."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure_cold(
    plan: ColdStarts, environments: Mapping[Target, Environment], say: Callable[[str], None]
) -> dict[str, Any]:
    """Figures by target and by kind of the first request."""
    cases = [
        _Case(target, environment, kind)
        for target, environment in environments.items()
        for kind in target.first
    ]
    starts: dict[tuple[str, str], list[_Start]] = {(case.target.name, case.kind): [] for case in cases}
    say("cold starts, a round that is not counted, to read all files from the disk")
    for case in cases:
        _start(case, plan, requests=0)
    for number in range(plan.repeats):
        say(f"cold starts, round {number + 1} of {plan.repeats}")
        requests = plan.requests if number == plan.repeats - 1 else 0
        # Every other round is in reverse order, so that no target always follows the same one.
        for case in cases[:: -1 if number % 2 else 1]:
            starts[case.target.name, case.kind].append(_start(case, plan, requests=requests))
    found: dict[str, Any] = {}
    for (name, kind), each in starts.items():
        found.setdefault(name, {})[kind] = _figures(each)
    return found


def _figures(starts: Sequence[_Start]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "whole_ms": spread([each.whole_ms for each in starts])._asdict(),
        "first_mb": median(each.first_mb for each in starts),
    }
    after = [each.after_mb for each in starts if each.after_mb is not None]
    return found | ({"after_mb": max(after)} if after else {})


def _start(case: _Case, plan: ColdStarts, *, requests: int) -> _Start:
    log = CACHE / "logs" / f"{case.target.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    variables, event = plan.variables, request(case.kind)
    if case.target.authorized:
        variables, event = plan.authorization.applied(variables, event)
    with running(
        plan.python,
        task=case.environment.task,
        opt=case.environment.opt,
        handler=case.target.handler,
        variables={**variables, "REGISTRY_DIR": str(case.environment.opt / "registry")},
        log=log,
        runtime=plan.runtime,
    ) as emulator:
        began = time.perf_counter()
        reply = emulator.invoke(event)
        whole_ms = (time.perf_counter() - began) * 1000
        if reply.get("statusCode") != 200:
            raise RuntimeError(f"{case.target.name} does not answer {case.kind}: {reply}\n{log.read_text()}")
        first_mb = _runtime_peak_mb(emulator)
        for _ in range(requests):
            emulator.invoke(event)
        after_mb = _runtime_peak_mb(emulator) if requests else None
    return _Start(whole_ms, first_mb, after_mb)


def _runtime_peak_mb(emulator: Emulator) -> float:
    """The peak memory of the process that the emulator started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == emulator.process_id:
                return peak_mb((folder / "status").read_text())
        except OSError:  # the process has ended meanwhile
            continue
    raise RuntimeError("the emulator has no runtime")


def peak_mb(status: str) -> float:
    """The peak of resident memory in the text of a `/proc/PID/status`, in millions of bytes."""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise ValueError("no VmHWM in this status")
    return int(found[1]) * 1024 / 1_000_000
