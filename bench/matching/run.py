"""`make bench-matching`: baking, loading and matching at several sizes of the registry, side by side."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from bench.markdown import with_block
from bench.matching.bake import QUERIES, REGISTRY
from bench.matching.report import as_json, as_markdown, draw
from bench.matching.results import REFERENCE, Baked, Measured, Results, median_of_rounds
from sources.matching import STRATEGIES

_ROOT: Final = Path(__file__).parents[2]
_UNSEEN: Final = _ROOT / "tests" / "eval" / "sets" / "unseen.jsonl"

_DEFAULT: Final = "lexicon"
_SIZES: Final = (60, 1_000, 10_000, 100_000)
_ROUNDS: Final = 3
# The reference strategy compares every phrase: it is too slow to measure above this size.
_REFERENCE_UP_TO: Final = 1_000


def main() -> int:
    """Measure matching as the registry grows; the last line is one JSON object of ratios and figures."""
    parser = argparse.ArgumentParser(prog="make bench-matching", description=main.__doc__)
    parser.add_argument(
        "--sizes", type=_sizes, default=_SIZES, help="numbers of categories, separated by commas"
    )
    parser.add_argument(
        "--strategy", choices=sorted(STRATEGIES), default=_DEFAULT, help="the one that is measured"
    )
    parser.add_argument(
        "--rounds", type=int, default=_ROUNDS, help="the figures are medians of this many rounds"
    )
    parser.add_argument("--out", type=Path, default=_ROOT / "docs" / "matching", help="page, without .md")
    parser.add_argument("--write", action="store_true", help="store tables and picture in the page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        results = _measured(Path(name), arguments.sizes, arguments.strategy, arguments.rounds)
    text = f"{_conditions(arguments.rounds)}\n\n{as_markdown(results)}"
    print(text)
    if arguments.write:
        _write(arguments.out, results, text)
    print(json.dumps(as_json(results)))
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(part) for part in text.split(",")}))


def _measured(folder: Path, sizes: tuple[int, ...], strategy: str, rounds: int) -> Results:
    baked = [_baked(folder / str(size), size) for size in sizes]
    plan = [
        (name, size)
        for name in dict.fromkeys((strategy, REFERENCE))
        for size in sizes
        if name == strategy or size in (sizes[0], _REFERENCE_UP_TO)
    ]
    found: dict[tuple[str, int], list[dict[str, Any]]] = {case: [] for case in plan}
    for number in range(rounds):
        # Sizes and strategies take turns, so that other load on the machine affects all of them.
        for name, size in sorted(plan, key=lambda case: case[1], reverse=number % 2 == 1):
            print(f"round {number + 1} of {rounds}: {name} at {size:,}", file=sys.stderr)
            found[name, size].append(_run_module("measure", *_measure_arguments(folder / str(size), name)))
    measured = [Measured(size=size, **median_of_rounds(found[name, size])) for name, size in plan]
    return Results(strategy, baked, measured)


def _baked(folder: Path, size: int) -> Baked:
    print(f"baking {size:,} categories", file=sys.stderr)
    folder.mkdir()
    return Baked(**_run_module("bake", str(size), str(folder)))


def _measure_arguments(folder: Path, strategy: str) -> list[str]:
    return [str(folder / REGISTRY), str(folder / QUERIES), strategy, "--labelled", str(_UNSEEN)]


def _run_module(module: str, *arguments: str) -> dict[str, Any]:
    """The JSON object that a module of this package prints in a process of its own."""
    command = [sys.executable, "-m", f"bench.matching.{module}", *arguments]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _conditions(rounds: int) -> str:
    return (
        f"Medians of {rounds} rounds, each in a new process, whose first query reads the files from the disk "
        "and all others from the page cache. p50 and p99 are over the median times of the queries. "
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores."
    )


def _write(out: Path, results: Results, text: str) -> None:
    page, picture = out.with_name(f"{out.name}.md"), out.with_name(f"{out.name}-scale.png")
    before = page.read_text() if page.exists() else "# Matching\n"
    draw(results, picture)
    block = f"{text}\n\n![Times over the number of categories]({picture.name})"
    page.write_text(with_block(before, "scale", block))


if __name__ == "__main__":
    sys.exit(main())
