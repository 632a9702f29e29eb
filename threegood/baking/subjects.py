"""What people ask about in general, for registries whose vocabulary is small or missing.

`subjects.jsonl` has some nine hundred subjects, from bread baking to linear algebra: the names of each, and
the words in which people ask about it. They were written without sight of any registry. A category gets the
words of the subjects that its own texts resemble; the other subjects are topics outside the registry.
Categories and registries with enough words of their own get none.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from math import log, sqrt
from typing import Final, NamedTuple

from sources.matching.analysis import analyse
from threegood.baking.empty_words import is_empty
from threegood.registry.records import Category, Registry

# A category with as many keywords of its own gets no others; and a registry with as many out-of-scope topics.
_ENOUGH_KEYWORDS: Final = 300
_ENOUGH_TOPICS: Final = 300

# The least similarity of a category and a subject whose words it gets (the cosine of the weights of their
# words), also as a share of that of the most similar subject.
_MIN_SIMILARITY: Final = 0.15
_MIN_SHARE: Final = 0.5

# How often a word counts: by the text of a category that has it, at most so often in all; in a subject's name
# as in a category's.
_NAME_COUNT: Final = 3.0
_DESCRIPTION_COUNT: Final = 2.0
_PATTERN_COUNT: Final = 1.0
_SOURCE_COUNT: Final = 0.5
_MAX_COUNT: Final = 4.0


class Subject(NamedTuple):
    """A subject: its names, the commonest first, and the words in which people ask about it."""

    names: tuple[str, ...]
    words: tuple[str, ...]


class GeneralWords(NamedTuple):
    """Words that a registry is baked with besides its own: of categories by slug, and topics outside."""

    categories: Mapping[str, tuple[str, ...]]
    out_of_scope: tuple[Subject, ...]


NO_GENERAL_WORDS: Final = GeneralWords({}, ())


def general_words(registry: Registry) -> GeneralWords:
    """The general words for the categories of `registry` with few keywords, and for what is outside it."""
    vocabulary = registry.vocabulary
    few_topics = len(vocabulary.out_of_scope) < _ENOUGH_TOPICS
    poor = {slug for slug in registry.categories if len(vocabulary.of(slug).keywords) < _ENOUGH_KEYWORDS}
    if not poor and not few_topics:
        return NO_GENERAL_WORDS
    similar = {slug: _similar(category) for slug, category in registry.categories.items()}
    inside = {number for numbers in similar.values() for number in numbers}
    subjects = _subjects()
    return GeneralWords(
        {
            slug: _texts(subjects[number] for number in similar[slug])
            for slug in sorted(poor)
            if similar[slug]
        },
        tuple(each for number, each in enumerate(subjects) if number not in inside) if few_topics else (),
    )


def _texts(subjects: Iterable[Subject]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for subject in subjects for text in (*subject.names, *subject.words)))


def _similar(category: Category) -> list[int]:
    """The numbers of the subjects that a category is about."""
    index = _index()
    weights = {stem: min(count, _MAX_COUNT) * index.rarity(stem) for stem, count in _counts(category).items()}
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    products: dict[int, float] = defaultdict(float)
    for stem, weight in weights.items():
        for number, share in index.shares.get(stem, ()):
            products[number] += weight / length * share
    least = max(_MIN_SIMILARITY, _MIN_SHARE * max(products.values(), default=0.0))
    return sorted(number for number, similarity in products.items() if similarity >= least)


def _counts(category: Category) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for text, count in _category_texts(category):
        for stem in _stems(text):
            counts[stem] += count
    return counts


def _category_texts(category: Category) -> Iterator[tuple[str, float]]:
    yield category.name, _NAME_COUNT
    yield category.description, _DESCRIPTION_COUNT
    yield from ((pattern, _PATTERN_COUNT) for pattern in category.query_patterns)
    for source in category.sources:
        yield from ((source.name, _SOURCE_COUNT), (source.why, _SOURCE_COUNT))


class _Index:
    """The subjects by the stems of their words, with each stem's share of its subject."""

    def __init__(self, subjects: Iterable[Subject]) -> None:
        counts = [_subject_counts(subject) for subject in subjects]
        self._used = Counter(stem for stems in counts for stem in stems)
        self._subjects = len(counts)
        self.shares: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, stems in enumerate(counts):
            weights = {stem: count * self.rarity(stem) for stem, count in stems.items()}
            length = sqrt(sum(weight * weight for weight in weights.values()))
            for stem, weight in weights.items():
                self.shares[stem].append((number, weight / length))

    def rarity(self, stem: str) -> float:
        """The more, the fewer subjects have the stem."""
        return log((self._subjects + 1) / (self._used[stem] + 0.5))


def _subject_counts(subject: Subject) -> dict[str, float]:
    words = {stem: 1.0 for text in subject.words for stem in _stems(text)}
    return words | {stem: _NAME_COUNT for text in subject.names for stem in _stems(text)}


def _stems(text: str) -> list[str]:
    return [word.stem for word in analyse(text) if not is_empty(word.stem)]


@cache
def _subjects() -> tuple[Subject, ...]:
    lines = files("threegood.baking").joinpath("subjects.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Subject(tuple(line["names"]), tuple(line["words"])) for line in map(json.loads, lines))


@cache
def _index() -> _Index:
    return _Index(_subjects())
