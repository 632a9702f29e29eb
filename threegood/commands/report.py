"""`threegood report`: patterns that collide or find nothing, and words that people asked in vain."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from sources.baked import Lexicon
from threegood.baking.lexicon import lexicon
from threegood.commands.output import faulty, remark, shown, unable
from threegood.registry.faults import FaultyRegistry
from threegood.registry.records import Registry
from threegood.registry.validate import validate
from threegood.reports.report import (
    Collision,
    Drawn,
    Missing,
    Unaided,
    collisions,
    drawn_away,
    logged_queries,
    missing_words,
    unaided,
)

_WEAKEST: Final = 5
_MOST_WORDS: Final = 50


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser(
        "report", help="say which patterns collide or find nothing, and what is missing"
    )
    parser.add_argument(
        "registry", nargs="?", type=Path, default=Path("registry.json"), help="default: %(default)s"
    )
    parser.add_argument(
        "--no-matches",
        type=Path,
        metavar="FILE",
        help="the function's log, or one query a line: tells the words of those queries that no topic has",
    )
    parser.set_defaults(run=_run)


def warnings(registry: Registry, vocabulary: Lexicon) -> list[str]:
    """A sentence for each pattern that collides with another category, or belongs to it by its words."""
    return [
        *map(_colliding, collisions(registry)),
        *map(_drawn, drawn_away(registry, vocabulary)),
    ]


def _run(options: argparse.Namespace) -> int:
    file: Path = options.registry
    log: Path | None = options.no_matches
    try:
        registry = validate(file.read_bytes())
        queries = [] if log is None else logged_queries(log.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        return unable(f"{error.filename}: {error.strerror}.")
    except FaultyRegistry as refusal:
        return faulty(file, refusal)
    remark(f"{file}: baking it in memory four times, which may take half a minute")
    vocabulary = Lexicon(lexicon(registry))
    lines = [*_on_patterns(registry, vocabulary), "", *_on_categories(unaided(registry))]
    if log is not None:
        lines += ["", *_on_words(log, len(queries), missing_words(queries, vocabulary))]
    return shown(lines)


def _on_patterns(registry: Registry, vocabulary: Lexicon) -> Iterator[str]:
    told = warnings(registry, vocabulary)
    yield f"Patterns that collide with another category or topic: {len(told) or 'none'}"
    yield from (f"  {line}" for line in told)


def _on_categories(found: Sequence[Unaided]) -> Iterator[str]:
    lost = [each for each in found if len(each.missed) == each.patterns]
    yield f"Categories that no pattern of their own finds when it is left out: {len(lost) or 'none'}"
    for each in lost:
        yield from _missed(each)
    patterns, missed = sum(each.patterns for each in found), sum(len(each.missed) for each in found)
    yield f"Patterns that find their category when they are left out: {patterns - missed} of {patterns}"
    weak = sorted((each for each in found if each.missed and each not in lost), key=_strength)[:_WEAKEST]
    if weak:
        yield "The weakest of the other categories:"
    for each in weak:
        yield from _missed(each)


def _strength(each: Unaided) -> tuple[float, str]:
    return -len(each.missed) / each.patterns, each.slug


def _missed(each: Unaided) -> Iterator[str]:
    yield f"  {each.slug}: {each.patterns - len(each.missed)} of {each.patterns}"
    for missed in each.missed:
        yield f'    "{missed.pattern}" finds {missed.finds or "nothing"}'


def _on_words(log: Path, queries: int, missing: Sequence[Missing]) -> Iterator[str]:
    yield f"Words that no topic has, in the {queries} queries of {log}: {len(missing) or 'none'}"
    for each in missing[:_MOST_WORDS]:
        yield f'  {each.queries:4}  {each.word}, as in "{each.example}"'
    if len(missing) > _MOST_WORDS:
        yield f"  and {len(missing) - _MOST_WORDS} more, of no more queries"


def _colliding(found: Collision) -> str:
    one, other = found
    return (
        f'The {one.field} "{one.text}" of {one.slug} and the {other.field} "{other.text}" of {other.slug} '
        "are the same to the matching."
    )


def _drawn(found: Drawn) -> str:
    said = f'The pattern "{found.pattern}" of {found.slug} ({found.score:.2f}) speaks more for '
    if found.rival is not None:
        return f"{said}{found.rival} ({found.rivals_score:.2f})."
    return f'{said}the topic outside "{found.outside}".'
