"""Bakes the vocabulary of a registry: keys, their weights, the topics that have them, and their spellings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import log
from typing import Final

from sources.baked.postings import MAX_TOPICS
from sources.matching.analysis import (
    MAX_PHRASE_WORDS,
    Word,
    analyse,
    exact_key,
    is_exact,
    is_unspaced,
    joined_key,
    phrase_key,
)
from sources.matching.spelling import MIN_LENGTH, deletion_variants
from threegood.baking import common_words
from threegood.baking.generic_terms import generic_stems
from threegood.baking.packing import Term, pack_lexicon, pack_posting
from threegood.baking.weights import (
    EMPTY_WEIGHT,
    ENGLISH_FACTOR,
    FOREIGN_FACTOR,
    GENERIC_SHARE,
    GENERIC_WEIGHT,
    IMPACTS,
    KEYWORD_RARITY,
    NAME_RARITY,
    ONLY_SPECIFIC_SHARE,
    OTHER_RARITY,
    PHRASE_SHARE,
    REPEATED_SHARE,
    Impact,
)
from threegood.registry.records import Category, CategoryVocabulary, OutOfScopeTopic, Registry

# Fields whose texts mean their topic when a query equals them. A keyword does if no other topic has it.
_NAMING_FIELDS: Final = ("slug", "name", "alias", "pattern")
# Fields whose texts are one term, which may be written as one word.
_TERM_FIELDS: Final = ("slug", "name", "alias", "keyword")

_ENGLISH_STEMS: Final = 30_000
_FOREIGN_STEMS: Final = 3_000
_ENGLISH_SPELLINGS: Final = 6_000

FieldText = tuple[str, str]
Uses = dict[int, tuple[float, str]]  # topic → the key's impact there, and the field where it is strongest


def bake_lexicon(registry: Registry) -> bytes:
    """The file of the registry's vocabulary; see `sources.baked.lexicon`.

    Raises:
        ValueError: the registry has more topics than a posting can number.
    """
    topics = [list(texts) for texts in _topics(registry)]
    if len(topics) > MAX_TOPICS:
        raise ValueError(f"A registry has {MAX_TOPICS:,} topics at most, and this has {len(topics):,}.")
    categories = len(registry.categories)
    own = _CategoryKeys(topics[:categories])
    uses = _uses(topics, categories, own)
    terms = {
        **_common_terms(),
        **{key: Term(_weight(key, used, own, len(topics)), _postings(used)) for key, used in uses.items()},
    }
    spellings = _spellings(topics, terms)
    return pack_lexicon(
        categories=categories,
        out_of_scope=(topic.name for topic in registry.vocabulary.out_of_scope),
        terms=terms,
        spellings=spellings,
        variants=((variant, spelling) for spelling in spellings for variant in deletion_variants(spelling)),
    )


class _CategoryKeys:
    """The keys of whole texts of the categories: names, and keywords.

    A pattern of one word counts as a name: it states that the word alone means the topic.
    """

    def __init__(self, categories: Iterable[Iterable[FieldText]]) -> None:
        texts = [text for category in categories for text in category]
        self.names = frozenset(
            _key(text)
            for field, text in texts
            if field in ("slug", "name", "alias") or (field == "pattern" and len(analyse(text)) == 1)
        )
        self.keywords = frozenset(_key(text) for field, text in texts if field == "keyword")


def _key(text: str) -> str:
    words = analyse(text)
    return phrase_key(words) if words else ""


def _topics(registry: Registry) -> Iterator[Iterator[FieldText]]:
    """The texts of every topic with their fields, in the order in which postings number topics."""
    for slug, category in sorted(registry.categories.items()):
        yield _category_texts(slug, category, registry.vocabulary.of(slug))
    yield from map(_out_of_scope_texts, registry.vocabulary.out_of_scope)


def _category_texts(slug: str, category: Category, words: CategoryVocabulary) -> Iterator[FieldText]:
    yield "slug", slug.replace("-", " ")
    yield "name", category.name
    yield from (("alias", alias) for alias in words.aliases)
    yield from (("keyword", keyword) for keyword in words.keywords)
    yield from (("pattern", pattern) for pattern in category.query_patterns)
    yield "description", category.description
    yield from (("source", source.name) for source in category.sources)


def _out_of_scope_texts(topic: OutOfScopeTopic) -> Iterator[FieldText]:
    yield "name", topic.name
    yield from (("keyword", keyword) for keyword in topic.keywords)


def _uses(topics: Iterable[Iterable[FieldText]], categories: int, own: _CategoryKeys) -> Mapping[str, Uses]:
    uses: dict[str, Uses] = defaultdict(dict)
    for topic, texts in enumerate(topics):
        for field, text in texts:
            for key, impact in _keys(field, text):
                if topic >= categories and key in own.names:
                    continue  # "python snake" is no evidence against "python" as the language
                former, former_field = uses[key].get(topic, (0.0, field))
                strongest = field if impact > former else former_field
                combined = max(former, impact) + REPEATED_SHARE * min(former, impact)
                uses[key][topic] = min(1.0, combined), strongest
    return {key: remaining for key, used in uses.items() if (remaining := _unambiguous(key, used))}


def _unambiguous(key: str, used: Uses) -> Uses:
    """The uses of a key; of a whole text, only names if several topics have it."""
    if not is_exact(key) or len(used) == 1:
        return used
    return {topic: (impact, field) for topic, (impact, field) in used.items() if field in _NAMING_FIELDS}


def _keys(field: str, text: str) -> Iterator[tuple[str, float]]:
    """The keys of a text, with their impacts."""
    words = analyse(text)
    whole = IMPACTS[field].whole
    if field in _NAMING_FIELDS:
        yield exact_key(text), 1.0
    if field == "keyword":
        yield exact_key(text), whole
    if len(words) == 1:
        yield words[0].stem, whole
        return
    yield from _word_keys(words, IMPACTS[field])
    yield from _phrase_keys(words, whole)
    if (
        field in _TERM_FIELDS
        and 1 < len(words) <= MAX_PHRASE_WORDS
        and joined_key(words) != phrase_key(words)
    ):
        yield joined_key(words), whole


def _word_keys(words: list[Word], impact: Impact) -> Iterator[tuple[str, float]]:
    generic = [word.stem in generic_stems() for word in words]
    specific = impact.whole * ONLY_SPECIFIC_SHARE if generic.count(False) == 1 else impact.word
    for word, is_generic in zip(words, generic, strict=True):
        yield word.stem, impact.word * GENERIC_SHARE if is_generic else specific


def _phrase_keys(words: list[Word], whole: float) -> Iterator[tuple[str, float]]:
    for length in range(2, MAX_PHRASE_WORDS + 1):
        impact = whole if length == len(words) else whole * PHRASE_SHARE
        for begin in range(len(words) - length + 1):
            phrase = words[begin : begin + length]
            if not all(word.stem in generic_stems() for word in phrase):
                yield phrase_key(phrase), impact


def _postings(used: Uses) -> list[int]:
    return [pack_posting(topic, field, impact) for topic, (impact, field) in used.items()]


def _weight(key: str, used: Uses, own: _CategoryKeys, topics: int) -> float:
    """The weight of a key: higher if few topics have it, if it is rare in general, or a name or keyword."""
    if key in generic_stems():
        return GENERIC_WEIGHT
    specificity, rarity = _specificity(used, topics), common_words.rarity(key)
    if key in own.names:
        return specificity * max(rarity, NAME_RARITY)
    if _is_letter_or_short_number(key) or (
        key not in own.keywords and common_words.is_foreign_function_word(key)
    ):
        return EMPTY_WEIGHT
    return specificity * max(rarity, KEYWORD_RARITY if key in own.keywords else OTHER_RARITY)


def _specificity(used: Uses, topics: int) -> float:
    """1 for a key of one topic, less for each further topic, in relation to the strongest."""
    impacts = [impact for impact, _ in used.values()]
    return 1 - log(sum(impacts) / max(impacts)) / log(topics + 1)


def _is_letter_or_short_number(key: str) -> bool:
    return len(key) == 1 or (key.isdigit() and len(key) < MIN_LENGTH)


@cache
def _common_terms() -> Mapping[str, Term]:
    """Common words of all languages: in every vocabulary, with less weight than an unknown word."""
    weights = dict.fromkeys(sorted(generic_stems()), GENERIC_WEIGHT)
    for language, count, factor in (
        (common_words.ENGLISH, _ENGLISH_STEMS, ENGLISH_FACTOR),
        *((language, _FOREIGN_STEMS, FOREIGN_FACTOR) for language in common_words.FOREIGN),
    ):
        for stem in common_words.commonest_stems(language, count):
            weights.setdefault(stem, factor * common_words.rarity(stem, language))
    return {stem: Term(weight, ()) for stem, weight in weights.items()}


def _spellings(topics: Iterable[Iterable[FieldText]], terms: Mapping[str, Term]) -> dict[str, str]:
    """The key of each word that a misspelt word can be corrected to: the topics' words, and common ones."""
    own = (word for texts in topics for _, text in texts for word in analyse(text))
    return {
        word.text: word.stem
        for word in (*own, *_common_spellings())
        if len(word.text) >= MIN_LENGTH
        and word.text.isalpha()
        and not is_unspaced(word.text)
        and word.stem in terms
    }


@cache
def _common_spellings() -> list[Word]:
    common = common_words.commonest_words(common_words.ENGLISH, _ENGLISH_SPELLINGS)
    return [word for text in common for word in analyse(text)]
