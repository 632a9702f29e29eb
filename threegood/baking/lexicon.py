"""The vocabulary of a registry: which keys speak for which topics, what they tell, how they are misspelt."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import log
from typing import Final, NamedTuple

from sources.baked import Term, pack_lexicon
from sources.baked.postings import MOST_TOPICS, pack_posting
from sources.matching.analysis import (
    LONGEST_PHRASE,
    Word,
    analyse,
    exact_key,
    is_exact,
    joined_key,
    phrase_key,
    unspaced,
)
from sources.matching.spelling import SHORTEST, variants
from threegood.baking import common_words
from threegood.baking.generic_terms import seeking_stems
from threegood.registry.records import Category, OutsideTopic, Registry


class Impact(NamedTuple):
    """How much words of a field speak for its topic: a text as a whole, and one word of several."""

    whole: float
    word: float


_IMPACTS: Final = {
    "slug": Impact(0.9, 0.5),
    "name": Impact(1.0, 0.5),
    "alias": Impact(1.0, 0.5),
    "keyword": Impact(0.85, 0.35),
    "pattern": Impact(0.6, 0.4),
    "description": Impact(0.55, 0.4),
    "source": Impact(0.6, 0.3),
}
# Texts that mean their topic when they are all that a query says. A keyword does if no other topic has it.
_MEANING: Final = ("slug", "name", "alias", "pattern")
# Texts that are one term, and may be written as one word.
_TERMS: Final = ("slug", "name", "alias", "keyword")

_PART_OF_PHRASE: Final = 0.7  # of the impact of a whole text, for words that stand together in a longer one
_ONLY_OTHERS_SEEK: Final = 0.8  # of it too, for a word of which all others ask for material: "learn rust"
_SEEKING_WORD: Final = 0.3  # of the impact of one word of several, if it asks for material
_REPEATED: Final = 0.25  # of the lesser impact, when a key stands in a topic twice

# The least weight of keys by what they are, before the share of what few topics have in common.
_NAME: Final = 0.8
_KEYWORD: Final = 0.6
_ANYTHING: Final = 0.3

# Weights of words by what they are, whatever topics have them.
_SEEKING: Final = 0.06
_EMPTY: Final = 0.08
_NO_TOPIC_S: Final = 0.6  # times how rare it is, for an English word that is in no vocabulary
_FOREIGN: Final = 0.4  # the same for a foreign one

_ENGLISH_STEMS: Final = 30_000
_FOREIGN_STEMS: Final = 3_000
_ENGLISH_SPELLINGS: Final = 6_000

Text = tuple[str, str]
Uses = dict[int, tuple[float, str]]  # topic → impact and the field of the strongest use


def lexicon(registry: Registry) -> bytes:
    """The file of the vocabulary; see `sources.baked.lexicon`."""
    topics = [list(texts) for texts in _topics(registry)]
    if len(topics) > MOST_TOPICS:
        raise ValueError(f"A registry has {MOST_TOPICS:,} topics at most, and this has {len(topics):,}.")
    categories = len(registry.categories)
    own = _Own(topics[:categories])
    uses = _uses(topics, categories, own)
    terms = {
        **_common(),
        **{key: Term(_weight(key, used, own, len(topics)), _postings(used)) for key, used in uses.items()},
    }
    spellings = _spellings(topics, terms)
    return pack_lexicon(
        categories=categories,
        outside=(topic.name for topic in registry.outside),
        terms=terms,
        spellings=spellings,
        variants=((variant, spelling) for spelling in spellings for variant in variants(spelling)),
    )


class _Own:
    """The keys of whole texts that are the categories' own: names, and what else their curator listed.

    A pattern of one word is a name: it says that the word alone means the topic.
    """

    def __init__(self, categories: Iterable[Iterable[Text]]) -> None:
        texts = [text for category in categories for text in category]
        self.names = frozenset(
            _whole(text)
            for field, text in texts
            if field in ("slug", "name", "alias") or (field == "pattern" and len(analyse(text)) == 1)
        )
        self.listed = frozenset(_whole(text) for field, text in texts if field == "keyword")


def _whole(text: str) -> str:
    words = analyse(text)
    return phrase_key(words) if words else ""


def _topics(registry: Registry) -> Iterator[Iterator[Text]]:
    """The texts of every topic with their fields, in the order in which postings count topics."""
    for slug, category in sorted(registry.categories.items()):
        yield _texts(slug, category)
    yield from map(_outside_texts, registry.outside)


def _texts(slug: str, category: Category) -> Iterator[Text]:
    yield "slug", slug.replace("-", " ")
    yield "name", category.name
    yield from (("alias", alias) for alias in category.aliases)
    yield from (("keyword", keyword) for keyword in category.keywords)
    yield from (("pattern", pattern) for pattern in category.query_patterns)
    yield "description", category.description
    yield from (("source", source.name) for source in category.sources)


def _outside_texts(topic: OutsideTopic) -> Iterator[Text]:
    yield "name", topic.name
    yield from (("keyword", keyword) for keyword in topic.keywords)


def _uses(topics: Iterable[Iterable[Text]], categories: int, own: _Own) -> Mapping[str, Uses]:
    uses: dict[str, Uses] = defaultdict(dict)
    for topic, texts in enumerate(topics):
        for field, text in texts:
            for key, impact in _keys(field, text):
                if topic >= categories and key in own.names:
                    continue  # "python snake" is no reason to doubt that "python" means the language
                former, former_field = uses[key].get(topic, (0.0, field))
                strongest = field if impact > former else former_field
                together = max(former, impact) + _REPEATED * min(former, impact)
                uses[key][topic] = min(1.0, together), strongest
    return {key: kept for key, used in uses.items() if (kept := _unambiguous(key, used))}


def _unambiguous(key: str, used: Uses) -> Uses:
    """A whole text means its topic if it is a name there, or a keyword that no other topic has."""
    if not is_exact(key) or len(used) == 1:
        return used
    return {topic: (impact, field) for topic, (impact, field) in used.items() if field in _MEANING}


def _keys(field: str, text: str) -> Iterator[tuple[str, float]]:
    """The keys that a text gives, with their impacts."""
    words = analyse(text)
    whole = _IMPACTS[field].whole
    if field in _MEANING:
        yield exact_key(text), 1.0
    if field == "keyword":
        yield exact_key(text), whole
    if len(words) == 1:
        yield words[0].stem, whole
        return
    yield from _single(words, _IMPACTS[field])
    for length in range(2, LONGEST_PHRASE + 1):
        for begin in range(len(words) - length + 1):
            run = words[begin : begin + length]
            if not all(word.stem in seeking_stems() for word in run):
                yield phrase_key(run), whole * (length == len(words) or _PART_OF_PHRASE)
    if field in _TERMS and 1 < len(words) <= LONGEST_PHRASE and joined_key(words) != phrase_key(words):
        yield joined_key(words), whole


def _single(words: list[Word], impact: Impact) -> Iterator[tuple[str, float]]:
    seeking = [word.stem in seeking_stems() for word in words]
    alone = seeking.count(False) == 1
    for word, seeks in zip(words, seeking, strict=True):
        if seeks:
            yield word.stem, impact.word * _SEEKING_WORD
        else:
            yield word.stem, impact.whole * _ONLY_OTHERS_SEEK if alone else impact.word


def _postings(used: Uses) -> list[int]:
    return [pack_posting(topic, field, impact) for topic, (impact, field) in used.items()]


def _weight(key: str, used: Uses, own: _Own, topics: int) -> float:
    """How much a key tells: more if few topics have it, if it is rare in general or a curator's own word."""
    if key in seeking_stems():
        return _SEEKING
    specificity, rarity = _specificity(used, topics), common_words.rarity(key)
    if key in own.names:
        return specificity * max(rarity, _NAME)
    if _is_mark(key) or (key not in own.listed and common_words.functional(key)):
        return _EMPTY
    return specificity * max(rarity, _KEYWORD if key in own.listed else _ANYTHING)


def _specificity(used: Uses, topics: int) -> float:
    """1 for a key of one topic, and less the more topics it speaks for, in relation to its strongest."""
    impacts = [impact for impact, _ in used.values()]
    return 1 - log(sum(impacts) / max(impacts)) / log(topics + 1)


def _is_mark(key: str) -> bool:
    """Whether a key is one letter, or a short number."""
    return len(key) == 1 or (key.isdigit() and len(key) < SHORTEST)


@cache
def _common() -> Mapping[str, Term]:
    """Words that are known whatever the registry holds: they weigh less than a word that nobody knows."""
    weights = dict.fromkeys(sorted(seeking_stems()), _SEEKING)
    for language, most, share in (
        (common_words.ENGLISH, _ENGLISH_STEMS, _NO_TOPIC_S),
        *((language, _FOREIGN_STEMS, _FOREIGN) for language in common_words.FOREIGN),
    ):
        for stem in common_words.commonest_stems(language, most):
            weights.setdefault(stem, share * common_words.rarity(stem, language))
    return {stem: Term(weight, ()) for stem, weight in weights.items()}


def _spellings(topics: Iterable[Iterable[Text]], terms: Mapping[str, Term]) -> dict[str, str]:
    """The words that a misspelling may have meant, and their keys: those of the topics, and common ones."""
    own = (word for texts in topics for _, text in texts for word in analyse(text))
    return {
        word.text: word.stem
        for word in (*own, *_common_spellings())
        if len(word.text) >= SHORTEST
        and word.text.isalpha()
        and not unspaced(word.text)
        and word.stem in terms
    }


@cache
def _common_spellings() -> list[Word]:
    common = common_words.commonest_words(common_words.ENGLISH, _ENGLISH_SPELLINGS)
    return [word for text in common for word in analyse(text)]
