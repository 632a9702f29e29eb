"""`python -m bench.size BUILD...`: what builds for some processors ship, part by part, in millions of bytes.

A build is a folder that `make build` has filled. Files are counted as the benchmark of serving counts them,
unzipped and with their bytecode.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

__all__ = ["as_markdown", "parts"]

# Each part of a build: its folder there, and the one below it of which every entry is told by itself.
_PARTS: Final = {
    "function": ("McpFunction", "."),
    "core": ("CoreLayer", "python"),
    "registry": ("RegistryLayer", "registry"),
    "dependencies": ("DependenciesLayer", "python"),
}
_LEAST_TOLD: Final = 600_000
_MILLION: Final = 1_000_000


def parts(build: Path) -> dict[str, Counter[str]]:
    """The bytes of every part of `build`, by what is in it; a package counts with its metadata.

    Raises:
        FileNotFoundError: this is no build, for it lacks a part.
    """
    return {part: _counted(build / folder / below) for part, (folder, below) in _PARTS.items()}


def _counted(folder: Path) -> Counter[str]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: make build has not been here")
    counted: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file():
            counted[_name(path.relative_to(folder))] += path.stat().st_size
    return counted


def _name(path: Path) -> str:
    """What a file belongs to: `six.py`, its bytecode in `__pycache__/` and `six-1.17.0.dist-info/` to one."""
    first = path.parts[0]
    if first == "__pycache__":
        first = path.name
    return first.partition("-")[0].partition(".")[0].lower()


def as_markdown(builds: Mapping[str, Mapping[str, Counter[str]]]) -> Iterator[str]:
    """The lines of a table with a column for each of the named `builds`; small entries are in sums only."""
    yield f"| MB | {' | '.join(builds)} |"
    yield f"| --- |{' ---: |' * len(builds)}"
    for part in _PARTS:
        columns = [build[part] for build in builds.values()]
        yield _row(part, [column.total() for column in columns])
        for name, _ in sum(columns, Counter()).most_common():
            sizes = [column[name] for column in columns]
            if max(sizes) >= _LEAST_TOLD:
                yield _row(f"of it {name}", sizes)
    yield _row("all", [sum(found.total() for found in build.values()) for build in builds.values()])


def _row(name: str, sizes: Sequence[int]) -> str:
    return f"| {name} | {' | '.join(f'{size / _MILLION:.1f}' for size in sizes)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=__doc__)
    parser.add_argument("builds", nargs="+", type=Path, metavar="BUILD")
    builds: list[Path] = parser.parse_args().builds
    print(*as_markdown({build.name: parts(build) for build in builds}), sep="\n")


if __name__ == "__main__":
    main()
