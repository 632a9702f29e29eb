"""What proposals would change: what queries and patterns find without them, and with all of them.

For that the registry is baked twice, with those of its texts only that share a word with the queries and the
proposals: the matching reads nothing else for these, and baking everything would take many times as long.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from sources.baked import Lexicon
from sources.matching.analysis import analyse, phrase_key
from sources.matching.lexical import QueryEvidence, weigh_query
from sources.matching.parsed_query import parse_query
from sources.matching.spelling import deletion_variants
from threegood.baking.common_words import ENGLISH, zipf_values
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.subjects import GeneralWords, general_words
from threegood.registry.records import CategoryVocabulary, Registry
from threegood.reports.held_out import answer_to
from threegood.reports.patterns import misrouted
from threegood.reports.score_breakdown import score_breakdown
from threegood.suggesting.phrases import Phrase

# A category is near a query if it is among so many of the best, with this share of the best one's evidence.
_NEAREST: Final = 3
_NEAR_SHARE: Final = 0.5


class Change(NamedTuple):
    """What would change with a proposal, as one of those that are tried together.

    `patterns` are held-out patterns of the category, and `queries` those without a match, that would find it.
    `lost` are patterns of other categories, after their slug, whose words would match it better.
    """

    patterns: tuple[str, ...]
    queries: tuple[str, ...]
    lost: tuple[tuple[str, str], ...]


class Trial(NamedTuple):
    """The change by each proposal, in their order; and how many held-out patterns find the category."""

    changes: tuple[Change, ...]
    patterns: int
    found_before: int
    found_after: int


class Trials:
    """Trials of proposals for the category `slug`; `queries` are those without a match."""

    def __init__(self, registry: Registry, slug: str, queries: Sequence[str]) -> None:
        self._registry = registry
        self._slug = slug
        self._queries = queries
        self._stems_of_queries = _stems_of_queries(registry, queries)
        self._general = general_words(registry)

    def corrected_queries(self) -> dict[str, str | None]:
        """The queries, each with its spelling corrected if the category is near it, else `None`."""
        corrected: dict[str, str | None] = dict.fromkeys(self._queries)
        if not corrected:
            return corrected
        topic = sorted(self._registry.categories).index(self._slug)
        reduced = _reduced(self._registry, self._stems_of_queries)
        vocabulary = Lexicon(bake_lexicon(reduced, self._general))
        for query in self._queries:
            parsed = parse_query(query, vocabulary)
            if _is_near(topic, weigh_query(query, parsed, vocabulary, limit=_NEAREST)):
                read_as = {match.words: match.read_as for match in reversed(parsed.term_matches)}
                corrected[query] = " ".join(read_as.get(word, word) for word in query.casefold().split())
        return corrected

    def try_out(self, proposals: Sequence[Phrase]) -> Trial:
        """What the proposals would change as keywords of the category, whose patterns are held out."""
        own, queries = self._registry.categories[self._slug].query_patterns, self._queries
        proposed = {stem for phrase in proposals for stem in phrase.stems}
        rivals = [rival for rival in self._other_patterns() if not proposed.isdisjoint(_stems(rival[1]))]
        needed = (_stems(text) for text in (*own, *(text for _, text in rivals)))
        stems = self._stems_of_queries.union(proposed, *needed)
        held_out = _reduced(self._registry, stems, without_patterns_of=self._slug)
        before = _Outcome(held_out, self._general, self._slug)
        with_keywords = _with_keywords(held_out, self._slug, proposals)
        after = _Outcome(with_keywords, self._general, self._slug)
        gained = [text for text in (*own, *queries) if after.finds(text) and not before.finds(text)]
        lost = [rival for rival in rivals if rival in after.lost and rival not in before.lost]
        credits = {text: after.credited(text, proposals) for text in (*gained, *(text for _, text in lost))}
        changes = (
            Change(
                tuple(text for text in own if phrase in credits.get(text, ())),
                tuple(text for text in queries if phrase in credits.get(text, ())),
                tuple(rival for rival in lost if phrase in credits[rival[1]]),
            )
            for phrase in proposals
        )
        return Trial(tuple(changes), len(own), sum(map(before.finds, own)), sum(map(after.finds, own)))

    def _other_patterns(self) -> Iterator[tuple[str, str]]:
        for other, category in self._registry.categories.items():
            if other != self._slug:
                yield from ((other, pattern) for pattern in category.query_patterns)


def _is_near(topic: int, found: QueryEvidence) -> bool:
    """Whether the category is among those that a query may mean, and no out-of-scope topic is nearer."""
    evidence = found.categories[topic].total if topic in found.categories else 0.0
    nearest = max((category.total for category in found.categories.values()), default=0.0)
    return found.out_of_scope_topic is None and evidence > 0 and evidence >= _NEAR_SHARE * nearest


class _Outcome:
    """What texts find in a registry; `lost` are the patterns whose words match the category better."""

    def __init__(self, registry: Registry, general: GeneralWords, slug: str) -> None:
        self._vocabulary = Lexicon(bake_lexicon(registry, general))
        self._slug = slug
        self._slugs = sorted(registry.categories)
        self.lost = {
            (each.slug, each.pattern) for each in misrouted(registry, self._vocabulary) if each.rival == slug
        }

    def finds(self, text: str) -> bool:
        """Whether a query is answered with the category."""
        return answer_to(text, self._vocabulary, self._slugs) == self._slug

    def credited(self, text: str, proposals: Iterable[Phrase]) -> set[Phrase]:
        """The proposals that are evidence in a query: those that it holds, or else those with such a word."""
        topic = self._slugs.index(self._slug)
        found: set[Phrase] = set()
        for word in score_breakdown(parse_query(text, self._vocabulary), topic, self._vocabulary):
            read = analyse(word.read_as)
            if read and word.field == "keyword":
                stems = {each.stem for each in read}
                same = {phrase for phrase in proposals if phrase.key == phrase_key(read)}
                found |= same or {phrase for phrase in proposals if stems.issubset(phrase.stems)}
        return found


def _stems_of_queries(registry: Registry, queries: Sequence[str]) -> frozenset[str]:
    """The stems of the queries, and of the registry's words that unknown ones may be misspellings of."""
    words = {word for query in queries for word in analyse(query)}
    stems = frozenset(word.stem for word in words)
    known = {word for text in _texts(registry) for word in analyse(text)} if queries else set()
    unknown = stems.difference((word.stem for word in known), zipf_values(ENGLISH))
    variants = {variant for word in words if word.stem in unknown for variant in deletion_variants(word.text)}
    near = (word.stem for word in known if not variants.isdisjoint(deletion_variants(word.text)))
    return stems.union(near) if variants else stems


def _texts(registry: Registry) -> Iterator[str]:
    """The texts of the registry that its topics are found by, but for descriptions and sources."""
    for slug, category in registry.categories.items():
        words = registry.vocabulary.of(slug)
        yield from (category.name, *category.query_patterns, *words.aliases, *words.keywords)
    for topic in registry.vocabulary.out_of_scope:
        yield from (topic.name, *topic.keywords)


@cache
def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in analyse(text))


def _reduced(
    registry: Registry, stems: frozenset[str], *, without_patterns_of: str | None = None
) -> Registry:
    """The registry with those of its vocabulary and patterns only that have one of these stems."""

    def kept(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(text for text in texts if not stems.isdisjoint(_stems(text)))

    categories = {
        slug: category.model_copy(
            update={"query_patterns": () if slug == without_patterns_of else kept(category.query_patterns)}
        )
        for slug, category in registry.categories.items()
    }
    words = {
        slug: CategoryVocabulary.model_construct(aliases=kept(own.aliases), keywords=kept(own.keywords))
        for slug, own in registry.vocabulary.categories.items()
    }
    outside = tuple(
        topic.model_copy(update={"keywords": kept(topic.keywords)})
        for topic in registry.vocabulary.out_of_scope
    )
    vocabulary = registry.vocabulary.model_copy(update={"categories": words, "out_of_scope": outside})
    return registry.model_copy(update={"categories": categories, "vocabulary": vocabulary})


def _with_keywords(registry: Registry, slug: str, proposals: Iterable[Phrase]) -> Registry:
    own = registry.vocabulary.of(slug)
    more = own.model_copy(update={"keywords": (*own.keywords, *(phrase.text for phrase in proposals))})
    words = {**registry.vocabulary.categories, slug: more}
    vocabulary = registry.vocabulary.model_copy(update={"categories": words})
    return registry.model_copy(update={"vocabulary": vocabulary})
