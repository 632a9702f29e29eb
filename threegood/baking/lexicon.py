"""Bakes the vocabulary of a registry: keys, their weights, the topics that have them, and their spellings."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from typing import Final, NamedTuple

from sources.baked.postings import FIELDS, MAX_TOPICS, NAMING_FIELDS
from sources.matching.analysis import (
    MAX_PHRASE_WORDS,
    Word,
    analyse,
    exact_key,
    is_unspaced,
    joined_key,
    phrase_key,
)
from sources.matching.spelling import MIN_LENGTH, deletion_variants
from threegood.baking import common_words
from threegood.baking.empty_words import empty_stems, is_empty, material_stems, material_words
from threegood.baking.packing import Term, pack_lexicon, pack_posting
from threegood.baking.subjects import NO_GENERAL_WORDS, GeneralWords
from threegood.baking.weights import (
    EMPTY_SHARE,
    EMPTY_WEIGHT,
    ENGLISH_FACTOR,
    FOREIGN_FACTOR,
    IMPACTS,
    KEYWORD_RARITY,
    LETTER_WEIGHT,
    NAME_RARITY,
    ONLY_SPECIFIC_SHARE,
    OTHER_RARITY,
    OUTSIDE_SHARE,
    PHRASE_RARITY,
    PHRASE_SHARE,
    REPEATED_SHARE,
    Impact,
)
from threegood.registry.records import Category, CategoryVocabulary, OutOfScopeTopic, Registry

# Fields whose texts are names of their topic.
_NAMING_FIELDS: Final = FIELDS[:NAMING_FIELDS]
# Fields whose texts are one term, which may be written as one word.
_TERM_FIELDS: Final = ("slug", "name", "alias", "keyword", "subject")

_ENGLISH_STEMS: Final = 30_000
_FOREIGN_STEMS: Final = 3_000
_ENGLISH_SPELLINGS: Final = 6_000

_ADDRESS_PARTS: Final = re.compile(r"^https?://(www\.)?|\.(com|org|net|io|html?)\b|[^a-z0-9]+", re.IGNORECASE)

FieldText = tuple[str, str]


class Key(NamedTuple):
    """A key of a text: its impact there, and the rarity of its words in general."""

    text: str
    impact: float
    rarity: float


class Use(NamedTuple):
    """How a topic uses a key: its impact there, its most telling field, and whether it is a whole name.

    `rarity` is that of the key's words in general, which is the same in all topics.
    """

    impact: float
    field: str
    whole: bool
    rarity: float


Uses = dict[int, Use]  # by topic


def bake_lexicon(registry: Registry, general: GeneralWords = NO_GENERAL_WORDS) -> bytes:
    """The file of the registry's vocabulary, with `general` words; see `sources.baked.lexicon`.

    Raises:
        ValueError: the registry has more topics than a posting can number.
    """
    topics = [list(texts) for texts in _topics(registry, general)]
    if len(topics) > MAX_TOPICS:
        raise ValueError(f"A registry has {MAX_TOPICS:,} topics at most, and this has {len(topics):,}.")
    categories = len(registry.categories)
    own = _CategoryKeys(topics[:categories])
    uses = _uses(topics, categories, own)
    terms = {
        **_common_terms(),
        **{key: _term(key, used, own, len(topics)) for key, used in uses.items()},
    }
    spellings = _spellings(topics, terms)
    return pack_lexicon(
        categories=categories,
        out_of_scope=(
            *(topic.name for topic in registry.vocabulary.out_of_scope),
            *(subject.names[0] for subject in general.out_of_scope),
        ),
        terms=terms,
        spellings=spellings,
        variants=((variant, spelling) for spelling in spellings for variant in deletion_variants(spelling)),
    )


class _CategoryKeys:
    """The keys of whole texts of the categories: names, and keywords.

    A pattern of one word counts as a name: it states that the word alone means the topic.
    """

    def __init__(self, categories: Iterable[Iterable[FieldText]]) -> None:
        texts = [list(category) for category in categories]
        self.whole = [frozenset(_whole_names(own)) for own in texts]
        self.names = frozenset().union(*self.whole)
        self.keywords = frozenset(_key(text) for own in texts for field, text in own if field == "keyword")


def _whole_names(texts: Iterable[FieldText]) -> Iterator[str]:
    """The keys of the names of a category, with and without the words in them that carry no topic."""
    for field, text in texts:
        words = analyse(text)
        content = [word for word in words if not is_empty(word.stem)]
        if field in _NAMING_FIELDS:
            yield _key(text)
            if len(content) > 1:
                yield phrase_key(content)
        elif field == "pattern" and len(words) == 1:
            yield words[0].stem


def _key(text: str) -> str:
    words = analyse(text)
    return phrase_key(words) if words else ""


def _topics(registry: Registry, general: GeneralWords) -> Iterator[Iterable[FieldText]]:
    """The texts of every topic with their fields, in the order in which postings number topics."""
    for slug, category in sorted(registry.categories.items()):
        own = _category_texts(slug, category, registry.vocabulary.of(slug))
        yield (*own, *(("subject", word) for word in general.categories.get(slug, ())))
    yield from map(_out_of_scope_texts, registry.vocabulary.out_of_scope)
    for subject in general.out_of_scope:
        words = (("subject", text) for text in (*subject.names[1:], *subject.words))
        yield (("name", subject.names[0]), *words)


def _category_texts(slug: str, category: Category, words: CategoryVocabulary) -> Iterator[FieldText]:
    yield "slug", slug.replace("-", " ")
    yield "name", category.name
    yield from (("alias", alias) for alias in words.aliases)
    yield from (("keyword", keyword) for keyword in words.keywords)
    yield from (("pattern", pattern) for pattern in category.query_patterns)
    yield "description", category.description
    for source in category.sources:
        yield from (("source", source.name), ("source", source.why), ("source", _address_words(source.url)))


def _address_words(url: str) -> str:
    """The words of a URL, without those that nearly every one has."""
    return _ADDRESS_PARTS.sub(" ", url)


def _out_of_scope_texts(topic: OutOfScopeTopic) -> Iterator[FieldText]:
    yield "name", topic.name
    yield from (("keyword", keyword) for keyword in topic.keywords)


def _uses(topics: Iterable[Iterable[FieldText]], categories: int, own: _CategoryKeys) -> Mapping[str, Uses]:
    uses: dict[str, Uses] = defaultdict(dict)
    for topic, texts in enumerate(topics):
        for field, text in texts:
            is_general = field == "subject"
            runs = () if topic < categories or is_general else tuple(_runs_of_names(text, own.names))
            for key, impact, rarity in _keys_of_subject(text) if is_general else _keys(field, text):
                if topic >= categories and (key in own.names or key in runs):
                    continue  # "python snake" is no evidence against "python" as the language
                whole = (
                    key in own.whole[topic] if topic < categories else (field == "name" and key == _key(text))
                )
                share = OUTSIDE_SHARE if is_general and topic >= categories else 1.0
                use = Use(impact * share, field, whole, rarity)
                former = uses[key].get(topic)
                uses[key][topic] = use if former is None else _combined(former, use)
    return uses


def _runs_of_names(text: str, names: frozenset[str]) -> Iterator[str]:
    """The keys of the parts of a longer text that are only names: "docker kubernetes" before "exams"."""
    words = analyse(text)
    for length in range(2, min(len(words), MAX_PHRASE_WORDS + 1)):
        for begin in range(len(words) - length + 1):
            run = words[begin : begin + length]
            if all(word.stem in names for word in run):
                yield phrase_key(run)


def _combined(one: Use, other: Use) -> Use:
    """Two uses of a key by one topic as one: names before other fields."""
    more, less = (one, other) if one.impact >= other.impact else (other, one)
    naming = [use for use in (more, less) if use.field in _NAMING_FIELDS]
    impact = min(1.0, more.impact + REPEATED_SHARE * less.impact)
    return Use(impact, (naming or [more])[0].field, one.whole or other.whole, one.rarity)


def _keys(field: str, text: str) -> Iterator[Key]:
    """The keys of a text."""
    words = analyse(text)
    whole = IMPACTS[field].whole
    if field in _NAMING_FIELDS or field == "pattern":
        yield Key(exact_key(text), 1.0, 1.0)
    if len(words) == 1:
        yield Key(words[0].stem, whole, _rarity(words))
        return
    yield from _word_keys(words, IMPACTS[field])
    yield from _phrase_keys(words, whole, is_name=field in _NAMING_FIELDS)
    if (
        field in _TERM_FIELDS
        and 1 < len(words) <= MAX_PHRASE_WORDS
        and joined_key(words) != phrase_key(words)
    ):
        yield Key(joined_key(words), whole, _rarity(words))


@cache
def _keys_of_subject(text: str) -> tuple[Key, ...]:
    """The keys of a general word: the same in every registry."""
    return tuple(_keys("subject", text))


def _word_keys(words: list[Word], impact: Impact) -> Iterator[Key]:
    empty = [is_empty(word.stem) for word in words]
    alone = empty.count(False) == 1
    for word, word_is_empty in zip(words, empty, strict=True):
        share = impact.word
        if word_is_empty:
            share *= EMPTY_SHARE
        elif alone and not common_words.is_common(word.stem):
            share = impact.whole * ONLY_SPECIFIC_SHARE
        yield Key(word.stem, share, _rarity([word]))


def _phrase_keys(words: list[Word], whole: float, *, is_name: bool) -> Iterator[Key]:
    for length in range(2, MAX_PHRASE_WORDS + 1):
        impact = whole if length == len(words) else whole * PHRASE_SHARE
        for begin in range(len(words) - length + 1):
            phrase = words[begin : begin + length]
            empty = [is_empty(word.stem) for word in phrase]
            is_whole = length == len(words)
            # Empty words are a term only as a name, "erste Hilfe", and no part of a text has one at its end.
            if (is_whole and (is_name or not all(empty))) or not (empty[0] or empty[-1]):
                yield Key(phrase_key(phrase), impact, _rarity(phrase))


def _rarity(words: Sequence[Word]) -> float:
    """How rare a word or phrase is in general, from 0.1 to 1; a phrase is rarer than its words."""
    rarities = [
        common_words.LEAST_RARITY if is_empty(word.stem) else common_words.rarity(word.stem) for word in words
    ]
    return rarities[0] if len(words) == 1 else min(1.0, PHRASE_RARITY + sum(rarities) / len(words))


def _term(key: str, used: Uses, own: _CategoryKeys, topics: int) -> Term:
    weight = _weight(key, used, own, topics)
    if weight == EMPTY_WEIGHT and key not in own.names:
        used = {}  # nearly every topic has such a word, so it is evidence for none
    postings = [pack_posting(topic, use.field, use.impact, whole=use.whole) for topic, use in used.items()]
    return Term(weight, postings, common_words.is_common(key))


def _weight(key: str, used: Uses, own: _CategoryKeys, topics: int) -> float:
    """The weight of a key: higher if few topics have it, if it is rare in general, or a name or keyword."""
    rarity = next(iter(used.values())).rarity
    if key in own.names and key not in material_stems():
        return _specificity(used, topics) * max(rarity, NAME_RARITY)
    if _is_letter_or_short_number(key):
        return LETTER_WEIGHT
    is_keyword = key in own.keywords
    if key in material_stems() or (is_empty(key) and not is_keyword):
        return EMPTY_WEIGHT
    least = KEYWORD_RARITY if is_keyword and not common_words.is_common(key) else OTHER_RARITY
    return _specificity(used, topics) * max(rarity, least)


def _specificity(used: Uses, topics: int) -> float:
    """1 for a key of one topic, less for each further topic, in relation to the strongest."""
    impacts = [use.impact for use in used.values()]
    return 1 - log(sum(impacts) / max(impacts)) / log(topics + 1)


def _is_letter_or_short_number(key: str) -> bool:
    return len(key) == 1 or (key.isdigit() and len(key) < MIN_LENGTH)


@cache
def _common_terms() -> Mapping[str, Term]:
    """Common words of all languages: in every vocabulary, with less weight than an unknown word."""
    weights = dict.fromkeys(sorted(empty_stems()), EMPTY_WEIGHT)
    for language, count, factor in (
        (common_words.ENGLISH, _ENGLISH_STEMS, ENGLISH_FACTOR),
        *((language, _FOREIGN_STEMS, FOREIGN_FACTOR) for language in common_words.FOREIGN),
    ):
        for stem in common_words.commonest_stems(language, count):
            weights.setdefault(stem, factor * common_words.rarity_in(language, stem))
    return {stem: Term(weight, (), common_words.is_common(stem)) for stem, weight in weights.items()}


def _spellings(topics: Iterable[Iterable[FieldText]], terms: Mapping[str, Term]) -> dict[str, str]:
    """The key of each word that a misspelt word can be corrected to: the registry's own, and common ones."""
    texts = (text for own in topics for field, text in own if field != "subject")
    own = (word for text in texts for word in analyse(text))
    material = (word for text in material_words(common_words.ENGLISH) for word in analyse(text))
    return {
        word.text: word.stem
        for word in (*own, *material, *_common_spellings())
        if len(word.text) >= MIN_LENGTH
        and word.text.isalpha()
        and not is_unspaced(word.text)
        and word.stem in terms
    }


@cache
def _common_spellings() -> list[Word]:
    common = common_words.commonest_words(common_words.ENGLISH, _ENGLISH_SPELLINGS)
    return [word for text in common for word in analyse(text)]
