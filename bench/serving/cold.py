"""Cold starts under the Runtime Interface Emulator: the runtime's whole process, up to its first answer."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.environments import CACHE, Environment
from bench.serving.events import request
from bench.serving.figures import spread
from bench.serving.targets import Target
from tests.support.emulator import Emulator, Python, running

__all__ = ["Case", "measured", "on_one_core", "peak_mb"]

# What the emulator writes at the end of each invocation. The first holds the start of the runtime, which
# is not in what it calls Init Duration: the runtime is started when the first event comes.
_REPORT: Final = re.compile(r"REPORT .*\tDuration: ([0-9.]+) ms")


class Case(NamedTuple):
    """A target in its environment, and the kind of request that starts it."""

    target: Target
    environment: Environment
    kind: str


class Started(NamedTuple):
    """One cold start, in milliseconds by our clock and by the emulator's, and the peak of its memory.

    The last two are of the requests that followed, if any did.
    """

    whole_ms: float
    reported_ms: float
    first_mb: float
    after_mb: float | None
    warm_reported_ms: float | None


@contextmanager
def on_one_core() -> Iterator[None]:
    """While the block lasts, this process and all that it starts run on the last core of this machine."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measured(
    cases: Sequence[Case],
    python: Python,
    runtime: Path,
    variables: Mapping[str, str],
    *,
    repeats: int,
    requests: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Figures by target and kind, of `repeats` starts in turn; the last serves `requests` requests more."""
    starts: dict[tuple[str, str], list[Started]] = {(case.target.name, case.kind): [] for case in cases}
    say("cold starts, a round that is not counted: it brings the files from the disk")
    for case in cases:
        _start(case, python, runtime, variables, requests=0)
    for number in range(repeats):
        say(f"cold starts, round {number + 1} of {repeats}")
        last = number == repeats - 1
        # Every other round goes the other way, so that nobody always follows the same one.
        for case in cases if number % 2 == 0 else reversed(cases):
            started = _start(case, python, runtime, variables, requests=requests if last else 0)
            starts[case.target.name, case.kind].append(started)
    found: dict[str, Any] = {}
    for (name, kind), each in starts.items():
        found.setdefault(name, {})[kind] = _figures(each)
    return found


def _figures(starts: Sequence[Started]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "whole_ms": spread([each.whole_ms for each in starts])._asdict(),
        "reported_ms": spread([each.reported_ms for each in starts])._asdict(),
        "first_mb": median(each.first_mb for each in starts),
    }
    after = [each.after_mb for each in starts if each.after_mb is not None]
    warm = [each.warm_reported_ms for each in starts if each.warm_reported_ms is not None]
    return found | ({"after_mb": max(after), "warm_reported_ms": median(warm)} if after else {})


def _start(
    case: Case, python: Python, runtime: Path, variables: Mapping[str, str], *, requests: int
) -> Started:
    log = CACHE / "logs" / f"{case.target.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with running(
        python,
        task=case.environment.task,
        opt=case.environment.opt,
        handler=case.target.handler,
        variables={**variables, "REGISTRY_DIR": str(case.environment.opt / "registry")},
        log=log,
        runtime=runtime,
    ) as emulator:
        event = request(case.kind)
        began = time.perf_counter()
        reply = emulator.invoke(event)
        whole_ms = (time.perf_counter() - began) * 1000
        if reply.get("statusCode") != 200:
            raise RuntimeError(f"{case.target.name} does not answer {case.kind}: {reply}\n{log.read_text()}")
        first_mb = _runtime_mb(emulator)
        for _ in range(requests):
            emulator.invoke(event)
        after_mb = _runtime_mb(emulator) if requests else None
    first, *others = map(float, _REPORT.findall(log.read_text(errors="replace")))
    return Started(whole_ms, first, first_mb, after_mb, median(others) if others else None)


def _runtime_mb(emulator: Emulator) -> float:
    """The peak of the process that the emulator started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == emulator.process_id:
                return peak_mb((folder / "status").read_text())
        except OSError:  # it has ended meanwhile
            continue
    raise RuntimeError("the emulator has no runtime")


def peak_mb(status: str) -> float:
    """The peak of resident memory in the text of a `/proc/PID/status`, in millions of bytes."""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise ValueError("no VmHWM in this status")
    return int(found[1]) * 1024 / 1_000_000
