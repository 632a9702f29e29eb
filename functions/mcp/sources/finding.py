"""From a query to a category's answer, to the categories near it, or to words that help to ask again."""

from collections.abc import Iterator, Sequence
from math import floor
from typing import Final, NamedTuple, cast

from sources.answers import CategorySummary
from sources.baked import Answer, BakedRegistry
from sources.matching import Match, Ranking, Strategy

# How many categories a refusal names: enough to find a near miss, few enough to read.
CLOSEST: Final = 3

# How many words that nobody knows are worth telling.
_UNKNOWN_TOLD: Final = 5

# How many characters of a query's words a text repeats.
_LONGEST_WORDS: Final = 60


class Ranked(NamedTuple):
    """A category that was compared with a query, and how well it answers it."""

    category: CategorySummary
    match: Match


class Found(NamedTuple):
    """The category that a query means: what it answers, how it was found, and which come after it."""

    answer: Answer
    match: Match
    strategy: str
    others: tuple[Ranked, ...]


class NotFound(NamedTuple):
    """No category is near enough; `reason` says so, names the closest, and tells how to go on."""

    reason: str


class Searched(NamedTuple):
    """The categories near a query, best first; none if nothing of the query is in any of them.

    `threshold` is the score from which one of them would be taken for what the query means. `hints` are
    sentences on what the registry lacks of the query, perhaps none.
    """

    ranked: tuple[Ranked, ...]
    threshold: float
    outside: str | None
    hints: tuple[str, ...]


class Finder:
    """Finds categories of one registry with one strategy."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy) -> None:
        self._registry = registry
        self._strategy = strategy

    def find(self, query: str, threshold: float | None = None, *, others: int = 0) -> Found | NotFound:
        """The category that `query` means, if it scores at least `threshold`, or the strategy's own.

        `others` is how many of those that come after it are told; they all have a score above zero.
        """
        needed = self._strategy.threshold if threshold is None else threshold
        ranking = self._strategy.rank(query, limit=max(CLOSEST, 1 + others))
        match = ranking.accepted(needed)
        if match is None:
            return NotFound(self._refusal(ranking, needed))
        following = self._ranked(ranking.matches[1 : 1 + others])
        return Found(self._answer(match.slug), match, self._strategy.name, following)

    def search(self, query: str, *, limit: int) -> Searched | NotFound:
        """Up to `limit` categories near `query`, however far; not found if there is nothing to compare."""
        ranking = self._strategy.rank(query, limit=limit)
        if not ranking.terms:
            return NotFound(_NOTHING_TO_MATCH)
        ranked = self._ranked(ranking.matches)
        return Searched(ranked, self._strategy.threshold, ranking.outside, tuple(_hints(ranking)))

    def _answer(self, slug: str) -> Answer:
        answer = self._registry.answer(slug)
        if answer is None:
            raise LookupError(f"The index names the category {slug}, but no answer was baked for it.")
        return answer

    def _ranked(self, matches: Sequence[Match]) -> tuple[Ranked, ...]:
        """Those of `matches` that anything speaks for."""
        return tuple(Ranked(self._summary(match.slug), match) for match in matches if match.score > 0)

    def _summary(self, slug: str) -> CategorySummary:
        return cast("CategorySummary", self._answer(slug).structured["category"])

    def _refusal(self, ranking: Ranking, threshold: float) -> str:
        if not ranking.terms:
            return _NOTHING_TO_MATCH
        closest = self._ranked(ranking.matches[:CLOSEST])
        reason = " ".join([_reason(ranking, closest, threshold), *_hints(ranking)])
        if not closest:
            return f"{reason}\nRephrase: {_REPHRASED}"
        lines = "\n".join(f"- {named(each.category)}: {shown(each.match.score)}" for each in closest)
        return f"{reason} The closest are:\n{lines}\n{_ASK_AGAIN} Otherwise rephrase: {_REPHRASED}"


def named(category: CategorySummary) -> str:
    """A category as texts name it."""
    return f"{category['name']} ({category['slug']})"


def shown(score: float) -> str:
    """`score` with two digits, rounded down: one below a threshold is never shown as reaching it."""
    return f"{floor(round(score * 100, 4)) / 100:.2f}"


def clipped(words: str) -> str:
    """`words` of a query, no more of them than a text repeats."""
    return words if len(words) <= _LONGEST_WORDS else words[:_LONGEST_WORDS] + "…"


def _reason(ranking: Ranking, closest: Sequence[Ranked], threshold: float) -> str:
    if ranking.outside is not None:
        return "No category matches this query."
    if not closest:
        return "No category matches this query: none has anything in common with it."
    return f"No category matches this query: none reaches the score of {threshold:g}."


def _hints(ranking: Ranking) -> Iterator[str]:
    if ranking.outside is not None:
        yield (
            f"It seems to be about {ranking.outside}, a topic that this registry has no sources for: say so, "
            "and do not make them up."
        )
    if ranking.unknown:
        told = ", ".join(map(clipped, ranking.unknown[:_UNKNOWN_TOLD]))
        yield f"Not in the vocabulary: {told}{', …' if len(ranking.unknown) > _UNKNOWN_TOLD else ''}."


_NOTHING_TO_MATCH: Final = (
    "No category matches this query: without stop words, punctuation and symbols nothing is left of it. "
    "Name the topic in two to four words, such as learn rust. list_categories shows all there is."
)
_ASK_AGAIN: Final = (
    "If one of them is meant, ask again with its slug or its name as the query: that finds it."
)
_REPHRASED: Final = (
    "name only the topic, in two to four words. search_categories shows what else is near, list_categories "
    "all there is; if the topic is not there, this registry has no sources for it."
)
