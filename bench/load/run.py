"""`make load`: load on the built function and the local server; the last line is JSON, status 1 on a fault.

Many environments are as many emulators, each with a process of its own; all share a table. Times are compared
with those of a bare handler in the same run.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bench.load.table import differences, items_at
from bench.serving.environments import WANTED, prepare_environment, runtime_packages
from bench.serving.events import INITIALIZE, MODERN, request
from bench.serving.store import dynamodb, product_variables
from bench.serving.targets import FLOOR, OURS, TARGETS
from tests.support.emulator import Emulator, Python, running, runtime_python
from tests.support.processes import ROOT
from tests.support.serving import environment, serving

_USERS: Final = 8
_SHORT_SESSIONS: Final = 20
_SHORT_TTL_SECONDS: Final = 60
# Gaps in the heap grow by some percent and then no more; 50 bytes kept of each of 50,000 requests are 15 %.
_MEMORY_BOUND: Final = 1.1
_SHOWN: Final = ("requests", "wrong", "milliseconds")
_GONE: Final = 404
_PACKAGES: Final = ROOT / ".load" / "packages"


class Figures(NamedTuple):
    """What `make load` found: figures of each part, sessions in the table, memory, ratios, what is wrong."""

    requests: int
    parts: dict[str, dict[str, Any]]
    sessions: dict[str, int]
    memory_mb: dict[str, float]
    ratios: dict[str, float]
    broken: list[str]


class Setup:
    """What all parts need: the interpreter, built code, a table, and a folder for logs."""

    def __init__(self, endpoint: str, folder: Path) -> None:
        self.python: Final[Python] = runtime_python(WANTED)
        self.endpoint: Final = endpoint
        self.folder: Final = folder
        self._runtime = runtime_packages(self.python)

    @contextmanager
    def emulators(self, number: int, target: str = OURS, **variables: str) -> Iterator[list[Emulator]]:
        """So many environments of a target, each of which has answered one request."""
        code = prepare_environment(TARGETS[target], self.python)
        all_variables = product_variables(self.endpoint) | {"REGISTRY_DIR": str(code.opt / "registry")}
        with ExitStack() as stack:
            started = [
                stack.enter_context(
                    running(
                        self.python,
                        task=code.task,
                        opt=code.opt,
                        handler=TARGETS[target].handler,
                        variables=all_variables | variables,
                        log=self.folder / f"{target}-{number}-{each}.log",
                        runtime=self._runtime,
                    )
                )
                for each in range(number)
            ]
            for emulator in started:
                emulator.invoke(request(MODERN[0]))
            yield started


def main() -> int:
    """Put load on everything, and compare the table with the books."""
    parser = argparse.ArgumentParser(prog="make load", description=main.__doc__)
    parser.add_argument("--requests", type=int, default=100_000, help="to one environment")
    parser.add_argument("--environments", type=int, default=4, help="that share the table afterwards")
    wanted = parser.parse_args()
    with dynamodb() as endpoint, TemporaryDirectory() as folder:
        figures = _measure(Setup(endpoint, Path(folder)), wanted.requests, wanted.environments)
    print(json.dumps({"load": figures._asdict()}))
    return int(bool(figures.broken))


def _measure(setup: Setup, requests: int, environments: int) -> Figures:
    with setup.emulators(1, SESSION_TTL_SECONDS=str(_SHORT_TTL_SECONDS)) as (brief,):
        short = [_opened(brief) for _ in range(_SHORT_SESSIONS)]
    expired_at = time.monotonic() + _SHORT_TTL_SECONDS + 1
    with setup.emulators(1, FLOOR) as floor:
        bare = _loaded("a bare handler", {**_to(floor), "sessions": False, "bare": True}, requests // 10)
    with setup.emulators(1) as one:
        first = _loaded("one environment", _to(one), requests // 2)
        middle_mb = _own_mb(one[0])
        second = _loaded("one environment, again", _to(one), requests - requests // 2)
        end_mb = _own_mb(one[0])
    memory = end_mb / middle_mb
    with setup.emulators(environments) as many:
        shared = _loaded(f"{environments} environments", _to(many), requests // 10)
        _wait(expired_at - time.monotonic())
        alive = [session for session in short if _ping(many[0], session) != _GONE]
    with serving(setup.folder) as served:
        local = _loaded("the local server", {"url": served.url}, requests // 20)
    parts = {"bare": bare, "one": first, "one_again": second, "many": shared, "local": local}
    books = {
        state: [session for part in (first, second, shared) for session in part[state]]
        for state in ("open", "ended")
    } | {"expired": short}
    broken = [f"{name}: {part['first_wrong']}" for name, part in parts.items() if part["wrong"]]
    broken += [f"{len(alive)} expired sessions were answered"] if alive else []
    broken += [f"the memory of the second half grew to {memory:.3f}"] if memory > _MEMORY_BOUND else []
    broken += differences(items_at(setup.endpoint), books, now=time.time())
    return Figures(
        sum(part["requests"] for part in parts.values()),
        {name: {each: part[each] for each in _SHOWN} for name, part in parts.items()},
        {state: len(sessions) for state, sessions in books.items()},
        {"middle": round(middle_mb, 1), "end": round(end_mb, 1)},
        {"memory_of_second_half": round(memory, 3), **_ratios(second, bare)},
        broken,
    )


def _loaded(name: str, job: dict[str, Any], requests: int) -> dict[str, Any]:
    print(f"{name}: {requests} requests", file=sys.stderr, flush=True)
    paths = environment()["PYTHONPATH"]
    ended = subprocess.run(
        [sys.executable, "-m", "bench.load.users"],
        cwd=ROOT,
        env=environment() | {"PYTHONPATH": f"{paths}:{_PACKAGES}"},
        input=json.dumps({"users": _USERS, "sessions": True, **job, "requests": requests}) + "\n",
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    print(f"{found['requests']} sent, {found['wrong']} wrong", file=sys.stderr, flush=True)
    return found


def _to(emulators: list[Emulator]) -> dict[str, Any]:
    return {"ports": [emulator.port for emulator in emulators]}


def _opened(emulator: Emulator) -> str:
    session: str = emulator.invoke(request(INITIALIZE))["headers"]["mcp-session-id"]
    return session


def _ping(emulator: Emulator, session: str) -> int:
    made = request("2025 ping")
    status: int = emulator.invoke(made | {"headers": made["headers"] | {"mcp-session-id": session}})[
        "statusCode"
    ]
    return status


def _wait(seconds: float) -> None:
    if seconds > 0:
        print(f"waiting {seconds:.0f} s for sessions to expire", file=sys.stderr, flush=True)
        time.sleep(seconds)


def _own_mb(emulator: Emulator) -> float:
    """The memory of the function's process that is not pages of files, in millions of bytes."""
    threads = Path(f"/proc/{emulator.process_id}/task").glob("*/children")  # any of them may have started it
    (function,) = (child for thread in threads for child in thread.read_text().split())
    resident, of_files = map(int, Path(f"/proc/{function}/statm").read_text().split()[1:3])
    return (resident - of_files) * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def _ratios(ours: dict[str, Any], bare: dict[str, Any]) -> dict[str, float]:
    times, floor = ours["milliseconds"], bare["milliseconds"]
    return {
        f"{kind} p50 vs bare handler": round(times[kind]["p50"] / floor[kind]["p50"], 2)
        for kind in MODERN
        if kind in floor
    }


if __name__ == "__main__":
    sys.exit(main())
