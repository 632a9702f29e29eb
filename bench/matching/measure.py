"""`python -m bench.matching.measure`: time and memory of one strategy over one registry, in a new process.

This module imports little, so that the measured memory is that of the registry.
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

_LIMIT: Final = 3  # matches in an answer
_UNKNOWN: Final = "zq"  # opens a registry and matches nothing

_LOADS: Final = 200
_SETTLING_QUERIES: Final = 300
_PASSES: Final = 7
_WORST_REPEATS: Final = 15
# A strategy that is slow at a size is repeated less often; every query is matched at least once.
_TIME_LIMIT_NS: Final = 10_000_000_000

_NS_PER_US: Final = 1000


def main() -> int:
    """Measure one strategy over one baked registry, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.matching.measure", description=main.__doc__)
    parser.add_argument("registry", type=Path, help="the folder of a baked registry")
    parser.add_argument("queries", type=Path, help="planted and worst queries, as JSON")
    parser.add_argument("strategy", help="its name")
    parser.add_argument("--labelled", type=Path, help="further queries, one JSON object in each line")
    arguments = parser.parse_args()
    queries = json.loads(arguments.queries.read_text())
    labelled = [] if arguments.labelled is None else _queries_in(arguments.labelled)
    print(json.dumps(_measured(arguments.registry, arguments.strategy, queries, labelled)))
    return 0


def _queries_in(file: Path) -> list[str]:
    return [json.loads(line)["query"] for line in file.read_text(encoding="utf-8").splitlines()]


def _measured(folder: Path, name: str, queries: dict[str, Any], labelled: Sequence[str]) -> dict[str, Any]:
    planted: list[tuple[str, list[str]]] = queries["planted"]
    mix = [*(query for query, _ in planted), *labelled]
    _drop_from_page_cache(folder)
    memory = {"before": _memory()}
    strategy = build_strategy(name, BakedRegistry.open(folder))
    memory["opened"] = _memory()
    first_ns = _duration_ns(strategy, mix[0])
    memory["first"] = _memory()
    for query in _cycled(mix, _SETTLING_QUERIES):
        strategy.rank(query, limit=_LIMIT)
    memory["settled"] = _memory()
    times = _typical_times(strategy, mix)
    return {
        "strategy": name,
        "load_us": _load_us(folder, name, [_UNKNOWN]),
        "touch_us": _load_us(folder, name, mix),
        "first_us": first_ns / _NS_PER_US,
        "p50_us": median(times) / _NS_PER_US,
        "p99_us": quantiles(times, n=100)[98] / _NS_PER_US,
        "worst_us": {
            kind: median(_duration_ns(strategy, query) for _ in range(_WORST_REPEATS)) / _NS_PER_US
            for kind, query in queries["worst"].items()
        },
        "accuracy": _accuracy(strategy, planted),
        "queries": len(mix),
        "memory_mib": memory,
    }


def _drop_from_page_cache(folder: Path) -> None:
    """Remove the files from the page cache, as in a new execution environment.

    New files are cached in huge pages: reading one byte would count as 2 MiB of memory.
    """
    for file in folder.iterdir():
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _cycled(many: Sequence[str], count: int) -> list[str]:
    return [many[number % len(many)] for number in range(count)]


def _duration_ns(strategy: Strategy, query: str) -> int:
    began = perf_counter_ns()
    strategy.rank(query, limit=_LIMIT)
    return perf_counter_ns() - began


def _typical_times(strategy: Strategy, mix: Sequence[str]) -> list[float]:
    """The duration of each query: the median of some passes, which excludes interruptions."""
    passes: list[list[int]] = []
    while len(passes) < _PASSES and sum(map(sum, passes)) < _TIME_LIMIT_NS:
        passes.append([_duration_ns(strategy, query) for query in mix])
    return [median(times) for times in zip(*passes, strict=True)]


def _load_us(folder: Path, name: str, queries: Sequence[str]) -> float:
    """The time to open a registry, plus what its first query takes more than the same query again.

    A strategy opens what it needs at the first query. It is the median of many openings, the queries in turn;
    the files are in the page cache by then, and the modules imported.
    """
    loads: list[int] = []
    for query in _cycled(queries, _LOADS):
        began = perf_counter_ns()
        strategy = build_strategy(name, BakedRegistry.open(folder))
        strategy.rank(query, limit=_LIMIT)
        loads.append(perf_counter_ns() - began - _duration_ns(strategy, query))
        if sum(loads) > _TIME_LIMIT_NS:
            break
    return median(loads) / _NS_PER_US


def _accuracy(strategy: Strategy, planted: Sequence[tuple[str, list[str]]]) -> float:
    """The share of planted queries whose best match is an expected one, accepted or not."""
    right = 0
    for query, expected in planted:
        matches = strategy.rank(query, limit=1).matches
        right += bool(matches) and matches[0].slug in expected
    return right / len(planted)


def _memory() -> dict[str, float]:
    """Resident memory in MiB: all of it, the process's own, and pages of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    return {
        name: int(found[field].split()[0]) / 1024
        for name, field in (("all", "VmRSS"), ("own", "RssAnon"), ("files", "RssFile"))
    }


if __name__ == "__main__":
    sys.exit(main())
