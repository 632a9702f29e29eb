"""Cross-validation of a registry: texts are held out of the vocabulary in turn, and then used as queries."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from sources.baked import Lexicon
from sources.matching import MatchSettings
from sources.matching.lexical import score, weigh_query
from sources.matching.parsed_query import parse_query
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.subjects import general_words
from threegood.registry.records import Registry

FOLDS: Final = 3

Value = TypeVar("Value")


class Fold(NamedTuple):
    """A registry without a part of its patterns, and these patterns, each after the slug of its category."""

    registry: Registry
    patterns: tuple[tuple[str, str], ...]


class Missed(NamedTuple):
    """A held-out pattern that does not find its category, and the category that it finds, if any."""

    pattern: str
    finds: str | None


class HeldOut(NamedTuple):
    """A category, the number of its patterns, and those that miss it when they are held out."""

    slug: str
    patterns: int
    missed: tuple[Missed, ...]


def folds(registry: Registry) -> Iterator[Fold]:
    """The folds of a registry; each pattern is held out in one."""
    for fold in range(FOLDS):
        categories = {
            slug: category.model_copy(update={"query_patterns": _training(category.query_patterns, fold)})
            for slug, category in registry.categories.items()
        }
        yield Fold(
            registry.model_copy(update={"categories": categories}),
            tuple(
                (slug, pattern)
                for slug, category in registry.categories.items()
                for pattern in _test(category.query_patterns, fold)
            ),
        )


def held_out(registry: Registry) -> list[HeldOut]:
    """For each category, what its patterns find when they are held out."""
    slugs = sorted(registry.categories)
    general = general_words(registry)
    missed: dict[str, list[Missed]] = {slug: [] for slug in slugs}
    for fold in folds(registry):
        vocabulary = Lexicon(bake_lexicon(fold.registry, general))
        for slug, pattern in fold.patterns:
            finds = answer_to(pattern, vocabulary, slugs)
            if finds != slug:
                missed[slug].append(Missed(pattern, finds))
    return [
        HeldOut(slug, len(registry.categories[slug].query_patterns), tuple(missed[slug])) for slug in slugs
    ]


def answer_to(query: str, vocabulary: Lexicon, slugs: Sequence[str]) -> str | None:
    """The category that a query is answered with at the default threshold, if any."""
    found = weigh_query(query, parse_query(query, vocabulary), vocabulary, limit=1)
    answered = (
        slugs[topic] for topic in found.categories if score(found, topic) >= MatchSettings().threshold
    )
    return next(answered, None)


def _training(values: Sequence[Value], fold: int) -> tuple[Value, ...]:
    return tuple(value for index, value in enumerate(values) if index % FOLDS != fold)


def _test(values: Sequence[Value], fold: int) -> tuple[Value, ...]:
    return tuple(values[fold::FOLDS])
