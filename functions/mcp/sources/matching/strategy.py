"""The seam between the tools and the ways of matching: what a strategy is given, and what it gives back."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Settings(NamedTuple):
    """What an operator may set. The two weights are those of the reference score, and add up to 1."""

    threshold: float = 0.4
    fuzzy_weight: float = 0.7
    keyword_weight: float = 0.3


class Match(NamedTuple):
    """How well a category answers a query, and why.

    `score` is from 0 to 1; `phrase` is the phrase of the category that came closest, normalised; `terms` are
    the words of the query that the category shares.
    """

    slug: str
    score: float
    phrase: str
    terms: tuple[str, ...]


class Ranking(NamedTuple):
    """The best matches of a query, best first, equal scores in the order of their slugs.

    `terms` is what was left of the query after normalising. If that is nothing, nothing was compared.
    """

    terms: tuple[str, ...]
    matches: tuple[Match, ...]

    def accepted(self, threshold: float) -> Match | None:
        """The best match, if its score reaches `threshold`."""
        if self.matches and self.matches[0].score >= threshold:
            return self.matches[0]
        return None


class Index(Protocol):
    """What a strategy may read of a registry. It is read at the first query, not before."""

    def phrases(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Each slug with its phrases, normalised; the first is the words of the slug, perhaps none."""
        ...


class Strategy(Protocol):
    """A way to match. The same query and registry always give the same ranking."""

    @property
    def name(self) -> str:
        """The name in the table of strategies; answers carry it."""
        ...

    @property
    def threshold(self) -> float:
        """The score from which a match is accepted unless the caller says otherwise."""
        ...

    def rank(self, query: str, *, limit: int) -> Ranking:
        """The `limit` categories that answer `query` best, however badly."""
        ...
