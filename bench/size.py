"""`python -m bench.size BUILD...`: the unzipped size of one or more builds by part, in millions of bytes.

A build is a folder that `make build` has filled. Files are counted with their bytecode, as by `make bench`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.markdown import head, row

__all__ = ["as_markdown", "parts"]

# Each part of a build: its folder, and the folder below it whose entries are listed.
_PARTS: Final = {
    "function": ("McpFunction", "."),
    "core": ("CoreLayer", "python"),
    "registry": ("RegistryLayer", "registry"),
    "dependencies": ("DependenciesLayer", "python"),
    "authorization": ("AuthorizationLayer", "python"),
}
_ONLY_WITH_AUTHORIZATION: Final = "authorization"
_LEAST_LISTED: Final = 600_000
_MILLION: Final = 1_000_000


def parts(build: Path) -> dict[str, Counter[str]]:
    """The bytes of every part of `build`, by entry; a package counts with its metadata.

    Raises:
        FileNotFoundError: the build lacks a part.
    """
    return {part: _sizes(build / folder / below) for part, (folder, below) in _PARTS.items()}


def _sizes(folder: Path) -> Counter[str]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: run make build first")
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file():
            sizes[_package(path.relative_to(folder))] += path.stat().st_size
    return sizes


def _package(path: Path) -> str:
    """`six` for `six.py`, for its bytecode in `__pycache__/` and for `six-1.17.0.dist-info/`."""
    first = path.parts[0]
    if first == "__pycache__":
        first = path.name
    return first.partition("-")[0].partition(".")[0].lower()


def as_markdown(builds: Mapping[str, Mapping[str, Counter[str]]]) -> Iterator[str]:
    """The lines of a table with a column for each of `builds`; small entries are only in the sums."""
    yield from head("MB", *builds)
    always = [part for part in _PARTS if part != _ONLY_WITH_AUTHORIZATION]
    for part in always:
        yield from _part_rows(part, [build[part] for build in builds.values()])
    yield _table_row("all", [sum(build[part].total() for part in always) for build in builds.values()])
    optional = [build[_ONLY_WITH_AUTHORIZATION] for build in builds.values()]
    yield from _part_rows(f"only with {_ONLY_WITH_AUTHORIZATION}", optional)


def _part_rows(label: str, columns: Sequence[Counter[str]]) -> Iterator[str]:
    yield _table_row(label, [column.total() for column in columns])
    for name, _ in sum(columns, Counter()).most_common():
        sizes = [column[name] for column in columns]
        if max(sizes) >= _LEAST_LISTED:
            yield _table_row(f"of it {name}", sizes)


def _table_row(name: str, sizes: Sequence[int]) -> str:
    return row(name, *(f"{size / _MILLION:.1f}" for size in sizes))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=__doc__)
    parser.add_argument("builds", nargs="+", type=Path, metavar="BUILD")
    builds: list[Path] = parser.parse_args().builds
    print(*as_markdown({build.name: parts(build) for build in builds}), sep="\n")


if __name__ == "__main__":
    main()
