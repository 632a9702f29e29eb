"""Labelled queries, a JSON object on each line.

`query` is a text, `expect` a slug, a list of fair slugs, or null if the registry should refuse, and `style`
the kind of query, which may be left out.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["FaultyQueries", "Query", "read_queries"]

_NO_STYLE: Final = "unlabelled"


class Query(NamedTuple):
    """A query and its label.

    `fair` are the slugs of the right categories, none if the registry should refuse; `line` counts from 1.
    """

    line: int
    text: str
    fair: tuple[str, ...]
    style: str


class FaultyQueries(Exception):
    """The file cannot be read, or has faulty lines; the message has a line for each fault."""


class _Fault(Exception):
    """The fault of a line."""


def read_queries(file: Path, slugs: Collection[str]) -> list[Query]:
    """The queries of `file`, whose labels are among `slugs`. Blank lines are skipped.

    Raises:
        FaultyQueries: the file cannot be read, has no query, or has faulty lines.
    """
    queries, faults = [], []
    for number, line in _lines(file):
        try:
            queries.append(_query(number, line, slugs))
        except _Fault as fault:
            faults.append(f"{file}:{number}: {fault}")
    if faults:
        raise FaultyQueries("\n".join(faults))
    if not queries:
        raise FaultyQueries(f"{file}: there is no query in it")
    return queries


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise FaultyQueries(f"{file}: {error.strerror}") from error
    # Not str.splitlines: in JSON a line may hold the other characters that end one there.
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _query(number: int, line: bytes, slugs: Collection[str]) -> Query:
    content = _object(line)
    for name in ("query", "expect"):
        if name not in content:
            raise _Fault(f'it has no "{name}"')
    text, style = content["query"], content.get("style", _NO_STYLE)
    if not isinstance(text, str):
        raise _Fault('"query" must be a string')
    if not isinstance(style, str):
        raise _Fault('"style" must be a string')
    return Query(number, text, _fair(content["expect"], slugs), style)


def _object(line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _Fault(f"it is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise _Fault("it is not a JSON object")
    return content


def _fair(expect: object, slugs: Collection[str]) -> tuple[str, ...]:
    if expect is None:
        return ()
    named = expect if isinstance(expect, list) else [expect]
    if not named or not all(isinstance(each, str) for each in named):
        raise _Fault('"expect" must be a slug, a list of slugs, or null')
    unknown = [json.dumps(each) for each in named if each not in slugs]
    if unknown:
        raise _Fault(f"the registry has no category {', '.join(unknown)}")
    return tuple(named)
