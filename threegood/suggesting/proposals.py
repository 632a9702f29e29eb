"""The words that a category lacks: from the pages of its sources, from queries, and from near topics."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from math import log, log2, log10, sqrt
from typing import Final, NamedTuple

from threegood.suggesting.pages import Page
from threegood.suggesting.phrases import Phrase, general_frequency, has_common_words_only, phrases
from threegood.suggesting.topics import OtherTopics, OwnTexts, Use

# A phrase in a heading counts this often more.
_HEADING_WEIGHT: Final = 2
# Two words that stand together once are no phrase of the topic yet.
_MIN_PHRASE_WEIGHT: Final = 2
# How much more frequent than in general a phrase must be on the pages, as a decimal logarithm.
_MIN_SURPLUS: Final = 1.0
# If a longer phrase has this share of the occurrences of a shorter one, the shorter one is superfluous.
_MOSTLY: Final = 0.75
# What remains of the score of a phrase with a word that the category has, or that is proposed alone.
_REPEATING: Final = 0.7
# Beside pages, whose best phrases have about 25. Three queries with a phrase count twice, seven three times.
_QUERY_SCORE: Final = 15.0
_NEAR_SCORE: Final = 5.0


class Tally(NamedTuple):
    """How often a phrase occurs on the pages, on how many of them, and whether in a heading."""

    phrase: Phrase
    times: int
    pages: int
    in_heading: bool

    @property
    def weight(self) -> int:
        """The number of occurrences, with more for a heading."""
        return self.times + _HEADING_WEIGHT * self.in_heading


class Proposal(NamedTuple):
    """A phrase that the category lacks, and its origins; `near` are other topics that have it."""

    phrase: Phrase
    score: float
    tally: Tally | None
    queries: tuple[str, ...]
    near: tuple[Use, ...]


def propose(
    pages: Iterable[Page],
    queries: Mapping[str, str | None],
    own: OwnTexts,
    others: OtherTopics,
    *,
    limit: int,
) -> list[Proposal]:
    """The `limit` best proposals, the best first.

    `queries` are those without a match; those near the category each with its spelling corrected. A query
    counts for the category if it is near, or has a phrase that is characteristic of the pages.
    """
    found = _Found(own)
    tallies = _tallies(pages)
    scores = _page_scores(tallies, others)
    for key, score in scores.items():
        found.add(tallies[key].phrase, score)
    asked = _asked(queries, scores.keys())
    for phrase, texts in asked.values():
        if _is_term(phrase, tallies) and not own.has_within_term(phrase):
            found.add(phrase, _QUERY_SCORE * log2(1 + len(texts)))
    near = _near_uses(own, others)
    for phrase, _ in near.values():
        found.add(phrase, _NEAR_SCORE)
    return [
        Proposal(
            phrase,
            score,
            tallies.get(key),
            queries=tuple(asked[key][1]) if key in asked else (),
            near=near[key][1] if key in near else (),
        )
        for key, phrase, score in found.best(limit)
    ]


def _asked(queries: Mapping[str, str | None], on_pages: Set[str]) -> dict[str, tuple[Phrase, list[str]]]:
    """The phrases of the queries that count for the category, by key, each with its queries."""
    asked: dict[str, tuple[Phrase, list[str]]] = {}
    for query, corrected in queries.items():
        held = {phrase.key: phrase for phrase in phrases(corrected or query)}
        if corrected is not None or not on_pages.isdisjoint(held):
            for key, phrase in held.items():
                asked.setdefault(key, (phrase, []))[1].append(query)
    return asked


def _is_term(phrase: Phrase, tallies: Mapping[str, Tally]) -> bool:
    """Whether a phrase of one query may be more than words that happen to be together there.

    It may if the pages have it, or if its words are none by themselves.
    """
    return len(phrase.stems) == 1 or phrase.key in tallies or has_common_words_only(phrase)


def _near_uses(own: OwnTexts, others: OtherTopics) -> dict[str, tuple[Phrase, tuple[Use, ...]]]:
    """The phrases of the category's own texts that other topics have as keywords, by key, with these."""
    near: dict[str, tuple[Phrase, tuple[Use, ...]]] = {}
    for phrase in own.phrases():
        uses = tuple(use for use in others.uses(phrase) if use.field == "keyword")
        if uses and not own.has_within_term(phrase):
            near.setdefault(phrase.key, (phrase, uses))
    return near


class _Found:
    """Phrases that the category lacks, with the sums of their scores, by key."""

    def __init__(self, own: OwnTexts) -> None:
        self._own = own
        self._scored: dict[str, tuple[Phrase, float]] = {}

    def add(self, phrase: Phrase, score: float) -> None:
        """Add to the score of a phrase, unless the category has it or it is a common word."""
        if not self._own.has(phrase) and not (len(phrase.stems) == 1 and has_common_words_only(phrase)):
            spelt, former = self._scored.get(phrase.key, (phrase, 0.0))
            self._scored[phrase.key] = spelt, former + score

    def best(self, limit: int) -> list[tuple[str, Phrase, float]]:
        """The phrases with the best scores, with their keys; one that repeats a word comes later."""
        alone = {phrase.stems[0] for phrase, _ in self._scored.values() if len(phrase.stems) == 1}
        scored = (
            (key, phrase, score * _REPEATING if self._repeats(phrase, alone) else score)
            for key, (phrase, score) in self._scored.items()
        )
        return sorted(scored, key=lambda each: (-each[2], each[0]))[:limit]

    def _repeats(self, phrase: Phrase, alone: set[str]) -> bool:
        stems = set(phrase.stems)
        return len(stems) > 1 and not stems.isdisjoint(alone | self._own.single_words)


def _tallies(pages: Iterable[Page]) -> dict[str, Tally]:
    """The phrases of the pages by key, each in its most frequent spelling.

    A line counts once: what is on several pages is a notice of their site, or was copied.
    """
    spellings: dict[str, Counter[Phrase]] = defaultdict(Counter)
    on_pages: Counter[str] = Counter()
    in_headings: set[str] = set()
    seen: set[str] = set()
    for page in pages:
        lines = [line for line in dict.fromkeys(page.lines) if line not in seen]
        seen.update(lines)
        found = Counter(phrase for line in lines for phrase in phrases(line))
        for phrase, times in found.items():
            spellings[phrase.key][phrase] += times
        on_pages.update({phrase.key for phrase in found})
        in_headings.update(phrase.key for heading in page.headings for phrase in phrases(heading))
    return {
        key: Tally(spelt.most_common(1)[0][0], spelt.total(), on_pages[key], key in in_headings)
        for key, spelt in spellings.items()
    }


def _page_scores(tallies: Mapping[str, Tally], others: OtherTopics) -> dict[str, float]:
    """How characteristic of the pages each phrase is, by key; without those that are not."""
    total = max(1, sum(tally.times for tally in tallies.values() if len(tally.phrase.stems) == 1))
    superfluous = _within_longer(tallies)
    scores = {}
    for key, tally in tallies.items():
        surplus = log10(tally.weight / total * 1e9) - general_frequency(tally.phrase)
        is_term = len(tally.phrase.stems) == 1 or tally.weight >= _MIN_PHRASE_WEIGHT
        if is_term and surplus >= _MIN_SURPLUS and key not in superfluous:
            spread = sqrt(tally.pages) * others.specificity(tally.phrase)
            scores[key] = surplus * (1 + log(tally.weight)) * spread
    return scores


def _within_longer(tallies: Mapping[str, Tally]) -> set[str]:
    """The keys of phrases that mostly occur within one longer phrase."""
    by_stems = {tally.phrase.stems: (key, tally.times) for key, tally in tallies.items()}
    within = set()
    for tally in tallies.values():
        stems = tally.phrase.stems
        for part in (stems[:-1], stems[1:]):
            key, times = by_stems.get(part, ("", 0))
            if tally.times >= max(_MIN_PHRASE_WEIGHT, _MOSTLY * times):
                within.add(key)
    return within
