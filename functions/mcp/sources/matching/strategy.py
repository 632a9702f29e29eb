"""The interface between the tools and the matching strategies: what a strategy reads, and what it returns."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

# Longer queries are cut, which bounds the time that an answer takes.
MAX_QUERY_LENGTH: Final = 1000


class MatchSettings(NamedTuple):
    """An operator's settings. The two weights are those of the reference score, and add up to 1."""

    threshold: float = 0.5
    fuzzy_weight: float = 0.7
    keyword_weight: float = 0.3


class Evidence(NamedTuple):
    """Words of the query that match a category, and the field of the category that has them.

    `field` is one of `sources.baked.postings.FIELDS`, or "phrase" for the nearest phrase as a whole.
    `read_as` is the spelling that was matched, which differs from `words` after a correction.
    """

    words: str
    field: str
    read_as: str


class Match(NamedTuple):
    """A category, its score from 0 to 1, and the evidence for it, the strongest first."""

    slug: str
    score: float
    evidence: tuple[Evidence, ...]


class Ranking(NamedTuple):
    """The best matches of a query, best first.

    `terms` are the query's words after normalising; without any there is nothing to compare. `out_of_scope`
    is the name of the out-of-scope topic that explains the query better than every category, if there is one;
    `unknown` are the words outside the vocabulary.
    """

    terms: tuple[str, ...]
    matches: tuple[Match, ...]
    out_of_scope: str | None = None
    unknown: tuple[str, ...] = ()

    def accepted(self, threshold: float) -> Match | None:
        """The best match, if its score reaches `threshold`."""
        if self.matches and self.matches[0].score >= threshold:
            return self.matches[0]
        return None


class Vocabulary(Protocol):
    """The keys of a registry's words and phrases, with weights, postings and spellings.

    Postings are packed integers; `sources.baked.postings` reads them.
    """

    @property
    def categories(self) -> int:
        """The number of categories; topics from this number on are out of scope."""
        ...

    @property
    def has_out_of_scope(self) -> bool:
        """Whether there are topics out of scope."""
        ...

    def find(self, key: str) -> int | None:
        """The row of `key`; `None` if the vocabulary does not have it."""
        ...

    def weight(self, row: int) -> float:
        """The weight of the key in `row`, from 0 to 1."""
        ...

    def is_common(self, row: int) -> bool:
        """Whether the key in `row` is a common word, which by itself tells little."""
        ...

    def strongest_postings(self, row: int) -> Sequence[int]:
        """All postings of the key in `row`, or only the strongest if there are more than can be read."""
        ...

    def is_complete(self, row: int) -> bool:
        """Whether `strongest_postings` gives all postings of the key in `row`."""
        ...

    def posting(self, row: int, topic: int) -> int | None:
        """The posting of the key in `row` for `topic`, if there is one."""
        ...

    def spellings_with(self, variant: str) -> Iterable[tuple[str, int]]:
        """The known spellings with this deletion variant, each with the row of its key."""
        ...

    def out_of_scope_name(self, topic: int) -> str:
        """The name of an out-of-scope topic."""
        ...


class Index(Protocol):
    """The registry data that a strategy reads, loaded at the first query."""

    def phrases(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Each slug with its normalised phrases; the first is the words of the slug, and may be empty."""
        ...

    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the registry."""
        ...

    def slug_at(self, index: int) -> str:
        """The slug of the category at `index`, slugs ascending, counted from 0."""
        ...


class Strategy(Protocol):
    """A way to match queries. The same query and registry always give the same ranking."""

    @property
    def name(self) -> str:
        """The name in the table of strategies; answers state it."""
        ...

    @property
    def threshold(self) -> float:
        """The least score of an accepted match, if the caller sets no other."""
        ...

    def rank(self, query: str, *, limit: int) -> Ranking:
        """The `limit` categories with the best scores for `query`, however low these are."""
        ...


def check_threshold(settings: MatchSettings) -> None:
    """Refuse a threshold that is not from 0 to 1.

    Raises:
        ValueError: it is not.
    """
    if not 0 <= settings.threshold <= 1:
        raise ValueError(f"The threshold is {settings.threshold}; it must be from 0 to 1.")
