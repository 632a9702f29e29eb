"""From a query to a category's answer, to the categories near it, or to advice for a better query."""

from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import Final, NamedTuple, cast

from sources.answers import CategorySummary
from sources.baked import BakedAnswer, BakedRegistry
from sources.matching import Match, Ranking, Strategy

# How many of the closest categories a refusal names.
_CLOSEST: Final = 3

# A category with a lower score is no neighbour of the query: its score would be shown as 0.00.
_NEAR: Final = 0.01

# How many words outside the vocabulary a text lists.
_MAX_UNKNOWN: Final = 5

# How many characters of a query's words a text quotes.
_MAX_QUOTED: Final = 60


class Ranked(NamedTuple):
    """A category, and how well it matches the query."""

    category: CategorySummary
    match: Match


class Found(NamedTuple):
    """The category that matches a query: its answer, its match, and the categories that come next.

    `out_of_scope` is the topic that the query is rather about, if a low threshold let the match through.
    """

    answer: BakedAnswer
    match: Match
    strategy: str
    others: tuple[Ranked, ...]
    out_of_scope: str | None


class NotFound(NamedTuple):
    """No category reaches the threshold; `reason` explains it, names the closest, and advises what to do."""

    reason: str


class Searched(NamedTuple):
    """The categories near a query, best first; none if no category shares anything with it.

    `threshold` is the least score of an accepted match. `hints` are sentences on what of the query the
    registry does not cover, if there is anything.
    """

    ranked: tuple[Ranked, ...]
    threshold: float
    out_of_scope: str | None
    hints: tuple[str, ...]


class Finder:
    """Finds categories of one registry with one strategy."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy) -> None:
        self._registry = registry
        self._strategy = strategy

    def find(self, query: str, threshold: float | None = None, *, others: int = 0) -> Found | NotFound:
        """The category that matches `query` best, if its score reaches `threshold`, or the strategy's own.

        `others` is how many of the next categories to return at most; those hardly near are left out.
        """
        least = self._strategy.threshold if threshold is None else threshold
        ranking = self._strategy.rank(query, limit=max(_CLOSEST, 1 + others))
        match = ranking.accepted(least)
        if match is None:
            return NotFound(self._refusal(ranking, least))
        following = self._ranked(ranking.matches[1 : 1 + others])
        return Found(self._answer(match.slug), match, self._strategy.name, following, ranking.out_of_scope)

    def search(self, query: str, *, limit: int) -> Searched | NotFound:
        """The best `limit` categories with any evidence; `NotFound` if the query has nothing to compare."""
        ranking = self._strategy.rank(query, limit=limit)
        if not ranking.terms:
            return NotFound(_NOTHING_TO_MATCH)
        ranked = self._ranked(ranking.matches)
        return Searched(ranked, self._strategy.threshold, ranking.out_of_scope, tuple(_hints(ranking)))

    def _answer(self, slug: str) -> BakedAnswer:
        answer = self._registry.answer(slug)
        if answer is None:
            raise LookupError(f"The index names the category {slug}, but no answer was baked for it.")
        return answer

    def _ranked(self, matches: Sequence[Match]) -> tuple[Ranked, ...]:
        """Those of `matches` that are near the query at all."""
        return tuple(Ranked(self._summary(match.slug), match) for match in matches if match.score >= _NEAR)

    def _summary(self, slug: str) -> CategorySummary:
        return cast("CategorySummary", self._answer(slug).structured["category"])

    def _refusal(self, ranking: Ranking, threshold: float) -> str:
        if not ranking.terms:
            return _NOTHING_TO_MATCH
        closest = self._ranked(ranking.matches[:_CLOSEST])
        reason = " ".join([_reason(ranking, closest, threshold), *_hints(ranking)])
        if not closest:
            return f"{reason}\nRephrase: {_REPHRASED}"
        lines = "\n".join(f"- {named(each.category)}: {shown(each.match.score)}" for each in closest)
        return f"{reason} The closest are:\n{lines}\n{_ASK_AGAIN} Otherwise rephrase: {_REPHRASED}"


def complete(typed: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that contain `typed`, whatever its case: those that begin with it first."""
    wanted = typed.casefold()
    containing = [candidate for candidate in candidates if wanted in candidate.casefold()]
    return sorted(containing, key=lambda candidate: not candidate.casefold().startswith(wanted))


def named(category: CategorySummary) -> str:
    """A category's name and slug, for texts."""
    return f"{category['name']} ({category['slug']})"


def shown(score: float) -> str:
    """`score` with two digits, rounded down, so that a score below a threshold never seems to reach it."""
    return f"{floor(round(score * 100, 4)) / 100:.2f}"


def clipped(words: str) -> str:
    """`words` of a query, shortened to what a text quotes."""
    return words if len(words) <= _MAX_QUOTED else words[:_MAX_QUOTED] + "…"


def _reason(ranking: Ranking, closest: Sequence[Ranked], threshold: float) -> str:
    if ranking.out_of_scope is not None:
        return "No category matches this query."
    if not closest:
        return "No category matches this query: none is near it."
    return f"No category matches this query: none reaches the score of {threshold:g}."


def _hints(ranking: Ranking) -> Iterator[str]:
    if ranking.out_of_scope is not None:
        yield (
            f"It seems to be about {ranking.out_of_scope}, a topic that this registry has no sources for: "
            "say so, and do not make them up."
        )
    if ranking.unknown:
        words = ", ".join(map(clipped, ranking.unknown[:_MAX_UNKNOWN]))
        yield f"Not in the vocabulary: {words}{', …' if len(ranking.unknown) > _MAX_UNKNOWN else ''}."


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
