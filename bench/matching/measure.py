"""`python -m bench.matching.measure`: what one strategy takes over one baked registry, in a fresh process.

This module imports little, so that the memory it tells is that of the registry.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter_ns
from typing import Any, Final

from sources.baked import BakedRegistry
from sources.matching import Strategy, build_strategy

# As many as an answer shows.
_LIMIT: Final = 3

# Opens a registry, and finds nothing in it.
_UNKNOWN: Final = "zq"

_LOADS: Final = 200
_SETTLING: Final = 300
_PASSES: Final = 7
_WORST_REPEATS: Final = 15
# A strategy that is slow at a size is repeated less often; every query is asked once anyway.
_PATIENCE_NS: Final = 10_000_000_000

_NS_PER_US: Final = 1000


def main() -> int:
    """Measure one strategy over one baked registry, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.matching.measure", description=main.__doc__)
    parser.add_argument("registry", type=Path, help="the folder of a baked registry")
    parser.add_argument("queries", type=Path, help="planted and worst queries, as JSON")
    parser.add_argument("strategy", help="its name")
    parser.add_argument("--mixed-in", type=Path, help="further queries, a JSON object in a line each")
    arguments = parser.parse_args()
    queries = json.loads(arguments.queries.read_text())
    further = [] if arguments.mixed_in is None else _further(arguments.mixed_in)
    print(json.dumps(_measured(arguments.registry, arguments.strategy, queries, further)))
    return 0


def _further(file: Path) -> list[str]:
    return [json.loads(line)["query"] for line in file.read_text(encoding="utf-8").splitlines()]


def _measured(folder: Path, name: str, queries: dict[str, Any], further: Sequence[str]) -> dict[str, Any]:
    planted: list[tuple[str, list[str]]] = queries["planted"]
    mix = [*(query for query, _ in planted), *further]
    _forget(folder)
    memory = {"before": _memory()}
    strategy = build_strategy(name, BakedRegistry.open(folder))
    memory["opened"] = _memory()
    first_ns = _took(strategy, mix[0])
    memory["first"] = _memory()
    for query in _around(mix, _SETTLING):
        strategy.rank(query, limit=_LIMIT)
    memory["settled"] = _memory()
    times = _usual_times(strategy, mix)
    return {
        "strategy": name,
        "load_us": _load_us(folder, name, [_UNKNOWN]),
        "touch_us": _load_us(folder, name, mix),
        "first_us": first_ns / _NS_PER_US,
        "p50_us": median(times) / _NS_PER_US,
        "p99_us": quantiles(times, n=100)[98] / _NS_PER_US,
        "worst_us": {
            kind: median(_took(strategy, query) for _ in range(_WORST_REPEATS)) / _NS_PER_US
            for kind, query in queries["worst"].items()
        },
        "accuracy": _accuracy(strategy, planted),
        "queries": len(mix),
        "memory_mib": memory,
    }


def _forget(folder: Path) -> None:
    """Takes the files out of the page cache, as they are for a new container.

    What was just written lies there in huge pages, of which one touch would count as 2 MiB of memory.
    """
    for file in folder.iterdir():
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _around(many: Sequence[str], count: int) -> list[str]:
    return [many[number % len(many)] for number in range(count)]


def _took(strategy: Strategy, query: str) -> int:
    began = perf_counter_ns()
    strategy.rank(query, limit=_LIMIT)
    return perf_counter_ns() - began


def _usual_times(strategy: Strategy, mix: Sequence[str]) -> list[float]:
    """How long each query takes, in the middle of some passes, which leaves out interruptions."""
    passes: list[list[int]] = []
    while len(passes) < _PASSES and sum(map(sum, passes)) < _PATIENCE_NS:
        passes.append([_took(strategy, query) for query in mix])
    return [median(times) for times in zip(*passes, strict=True)]


def _load_us(folder: Path, name: str, queries: Sequence[str]) -> float:
    """How long opening a registry takes, and how much longer its first query than the same once more.

    A strategy opens what it needs at the first query. It is the middle of many tries, the queries in turn;
    the files are in the page cache by now, and the modules imported.
    """
    loads: list[int] = []
    for query in _around(queries, _LOADS):
        began = perf_counter_ns()
        strategy = build_strategy(name, BakedRegistry.open(folder))
        strategy.rank(query, limit=_LIMIT)
        loads.append(perf_counter_ns() - began - _took(strategy, query))
        if sum(loads) > _PATIENCE_NS:
            break
    return median(loads) / _NS_PER_US


def _accuracy(strategy: Strategy, planted: Sequence[tuple[str, list[str]]]) -> float:
    """The share of planted queries whose best match is a right one, accepted or not."""
    right = 0
    for query, expected in planted:
        matches = strategy.rank(query, limit=1).matches
        right += bool(matches) and matches[0].slug in expected
    return right / len(planted)


def _memory() -> dict[str, float]:
    """What is resident now, in MiB: all of it, what is the process's own, and what are pages of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    return {
        name: int(found[field].split()[0]) / 1024
        for name, field in (("all", "VmRSS"), ("own", "RssAnon"), ("files", "RssFile"))
    }


if __name__ == "__main__":
    sys.exit(main())
