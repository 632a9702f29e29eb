"""`threegood report`: patterns that collide or find nothing, and words of queries without a match."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from sources.baked import Lexicon
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.subjects import general_words
from threegood.commands.output import remark, show
from threegood.commands.registry_file import A_PATH, load_registry, registry_argument
from threegood.registry.records import Registry
from threegood.reports.held_out import FOLDS, HeldOut, held_out
from threegood.reports.missing_words import MissingWord, logged_queries, missing_words
from threegood.reports.patterns import Collision, Misrouted, collisions, misrouted

_WEAKEST: Final = 5
_MAX_WORDS: Final = 50


@click.command(epilog="Example: threegood report --no-matches no-matches.log")
@registry_argument
@click.option(
    "--no-matches",
    type=A_PATH,
    metavar="FILE",
    help="The function's log, or one query a line: list the words of these queries that no topic has.",
)
def report(registry: Path, no_matches: Path | None) -> None:
    """Report weak patterns and missing words.

    Weak patterns collide with other categories, or do not find their own when they are held out.
    """
    content = load_registry(registry)
    queries = []
    if no_matches is not None:
        queries = logged_queries(no_matches.read_text(encoding="utf-8", errors="replace"))
    remark(f"{registry}: baking it in memory {1 + FOLDS} times, which may take half a minute")
    vocabulary = Lexicon(bake_lexicon(content, general_words(content)))
    show([*_pattern_lines(pattern_warnings(content, vocabulary)), "", *_category_lines(held_out(content))])
    if no_matches is not None:
        show(["", *_word_lines(no_matches, len(queries), missing_words(queries, vocabulary))])


def pattern_warnings(registry: Registry, vocabulary: Lexicon) -> list[str]:
    """A sentence for each pattern that collides with another category, or matches something else better."""
    return [
        *map(_collision_warning, collisions(registry)),
        *map(_misrouted_warning, misrouted(registry, vocabulary)),
    ]


def _pattern_lines(sentences: Sequence[str]) -> Iterator[str]:
    yield f"Patterns that collide with another category or topic: {len(sentences) or 'none'}"
    yield from (f"  {sentence}" for sentence in sentences)


def _category_lines(results: Sequence[HeldOut]) -> Iterator[str]:
    lost = [each for each in results if len(each.missed) == each.patterns]
    yield f"Categories that none of their own patterns finds when held out: {len(lost) or 'none'}"
    for each in lost:
        yield from _missed_lines(each)
    patterns, missed = sum(each.patterns for each in results), sum(len(each.missed) for each in results)
    yield f"Patterns that find their category when held out: {patterns - missed} of {patterns}"
    weak = sorted((each for each in results if each.missed and each not in lost), key=_weakest_first)
    if weak:
        yield "The weakest of the other categories:"
    for each in weak[:_WEAKEST]:
        yield from _missed_lines(each)


def _weakest_first(each: HeldOut) -> tuple[float, str]:
    return -len(each.missed) / each.patterns, each.slug


def _missed_lines(each: HeldOut) -> Iterator[str]:
    yield f"  {each.slug}: {each.patterns - len(each.missed)} of {each.patterns}"
    for missed in each.missed:
        yield f'    "{missed.pattern}" finds {missed.finds or "nothing"}'


def _word_lines(log: Path, queries: int, missing: Sequence[MissingWord]) -> Iterator[str]:
    yield f"Words that no topic has, in the {queries} queries of {log}: {len(missing) or 'none'}"
    for each in missing[:_MAX_WORDS]:
        yield f'  {each.queries:4}  {each.word}, as in "{each.example}"'
    if len(missing) > _MAX_WORDS:
        yield f"  and {len(missing) - _MAX_WORDS} more, in as many queries or fewer"


def _collision_warning(found: Collision) -> str:
    one, other = found
    return (
        f'The {one.field} "{one.text}" of {one.slug} and the {other.field} "{other.text}" of {other.slug} '
        "are the same to the matching."
    )


def _misrouted_warning(found: Misrouted) -> str:
    pattern = f'The pattern "{found.pattern}" of {found.slug} ({found.score:.2f})'
    if found.rival is not None:
        return f"{pattern} matches {found.rival} better ({found.rival_score:.2f})."
    return f'{pattern} matches the out-of-scope topic "{found.out_of_scope}" better.'
