"""From a query to a category's answer, or to words that help to ask again."""

from typing import Any, Final, NamedTuple

from sources.baked import Answer, BakedRegistry
from sources.matching import Match, Ranking, Strategy

# How many categories a refusal names: enough to find a near miss, few enough to read.
CLOSEST: Final = 3


class Found(NamedTuple):
    """The category that a query means: what it answers, and how it was found."""

    answer: Answer
    match: Match
    strategy: str


class NotFound(NamedTuple):
    """No category is near enough; `reason` says so, names the closest, and tells how to go on."""

    reason: str


class Finder:
    """Finds categories of one registry with one strategy."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy) -> None:
        self._registry = registry
        self._strategy = strategy

    def find(self, query: str, threshold: float | None = None) -> Found | NotFound:
        """The category that `query` means, if it scores at least `threshold`, or the strategy's own."""
        needed = self._strategy.threshold if threshold is None else threshold
        ranking = self._strategy.rank(query, limit=CLOSEST)
        match = ranking.accepted(needed)
        if match is None:
            return NotFound(self._refusal(ranking, needed))
        return Found(self._answer(match.slug), match, self._strategy.name)

    def _answer(self, slug: str) -> Answer:
        answer = self._registry.answer(slug)
        if answer is None:
            raise LookupError(f"The index names the category {slug}, but no answer was baked for it.")
        return answer

    def _refusal(self, ranking: Ranking, threshold: float) -> str:
        if not ranking.terms:
            return _NOTHING_TO_MATCH
        closest = "\n".join(
            f"- {self._name(match.slug)} ({match.slug}): {match.score:.2f}" for match in ranking.matches
        )
        return (
            f"No category matches this query: none reaches the score of {threshold:.2f}. The closest are:\n"
            f"{closest}\n"
            "If one of them is meant, ask again with its name. Otherwise rephrase: name only the topic, in "
            "two to four words. list_categories shows all there is; if the topic is not there, this registry "
            "has no sources for it."
        )

    def _name(self, slug: str) -> str:
        name: Any = self._answer(slug).structured["category"]["name"]
        return str(name)


_NOTHING_TO_MATCH: Final = (
    "No category matches this query: without stop words, punctuation and symbols nothing is left of it. "
    "Name the topic in two to four words, such as learn rust. list_categories shows all there is."
)
