"""The seam between the tools and the ways of matching: what a strategy is given, and what it gives back."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

# A query is compared by its beginning, so that its length does not decide how long an answer takes.
LONGEST_QUERY: Final = 1000


class Settings(NamedTuple):
    """What an operator may set. The two weights are those of the reference score, and add up to 1."""

    threshold: float = 0.4
    fuzzy_weight: float = 0.7
    keyword_weight: float = 0.3


class Evidence(NamedTuple):
    """Why a category was taken to answer a query: words of the query, and where the category has them.

    `field` is the field of the category (see `baked.lexicon.FIELDS`, or "phrase" for the nearest phrase as a
    whole), `read_as` what the words were taken for, different from them after a slip of the pen.
    """

    words: str
    field: str
    read_as: str


class Match(NamedTuple):
    """How well a category answers a query, from 0 to 1, and why, the strongest evidence first."""

    slug: str
    score: float
    evidence: tuple[Evidence, ...]


class Ranking(NamedTuple):
    """The best matches of a query, best first, equal scores in the order of their slugs.

    `terms` is what was left of the query after normalising. If that is nothing, nothing was compared.
    `outside` is the topic outside the registry that the query seems to be about, if it is nearer than any
    category; `unknown` are the words that are in no vocabulary.
    """

    terms: tuple[str, ...]
    matches: tuple[Match, ...]
    outside: str | None = None
    unknown: tuple[str, ...] = ()

    def accepted(self, threshold: float) -> Match | None:
        """The best match, if its score reaches `threshold`."""
        if self.matches and self.matches[0].score >= threshold:
            return self.matches[0]
        return None


class Lexicon(Protocol):
    """The vocabulary of a registry. Postings are packed; `sources.baked.postings` reads them."""

    @property
    def categories(self) -> int:
        """How many topics are categories; the topics after them are outside the registry."""
        ...

    def find(self, key: str) -> int | None:
        """The row of `key`, if it is known."""
        ...

    def weight(self, row: int) -> float:
        """How much the key in `row` tells, from 0 to 1."""
        ...

    def strongest(self, row: int) -> Sequence[int]:
        """The postings of the key in `row`: all of them, or if they are very many, the strongest."""
        ...

    def whole(self, row: int) -> bool:
        """Whether `strongest` gives all postings of the key in `row`."""
        ...

    def posting(self, row: int, topic: int) -> int | None:
        """The posting of the key in `row` for `topic`, if there is one."""
        ...

    def spelled(self, variant: str) -> Iterable[tuple[str, int]]:
        """The known spellings that `variant` may come from, each with the row of its key."""
        ...

    def outside(self, topic: int) -> str:
        """The name of a topic outside the registry."""
        ...


class Index(Protocol):
    """What a strategy may read of a registry. It is read at the first query, not before."""

    def phrases(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Each slug with its phrases, normalised; the first is the words of the slug, perhaps none."""
        ...

    def lexicon(self) -> Lexicon:
        """The vocabulary."""
        ...

    def slug_at(self, topic: int) -> str:
        """The slug of a topic that is a category."""
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


def check_threshold(settings: Settings) -> None:
    """Refuses a threshold that no score can be compared with.

    Raises:
        ValueError: it is not from 0 to 1.
    """
    if not 0 <= settings.threshold <= 1:
        raise ValueError(f"The threshold is {settings.threshold}; it must be from 0 to 1.")
