"""What a registry has already: the texts of one category, and those of all other topics."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import log
from typing import NamedTuple

from threegood.registry.records import Category, CategoryVocabulary, Registry
from threegood.suggesting.phrases import Phrase, phrase_of, phrases


class Use(NamedTuple):
    """A topic that has a text, and the field that it is in; `topic` is a slug, or an out-of-scope name."""

    topic: str
    field: str
    out_of_scope: bool = False

    def __str__(self) -> str:
        return (
            f'the out-of-scope topic "{self.topic}"' if self.out_of_scope else f"{self.topic} ({self.field})"
        )

    @property
    def excludes_alias(self) -> bool:
        """Whether a rule refuses the same text as an alias of a category."""
        return self.out_of_scope or self.field in ("slug", "name", "alias")


class OwnTexts:
    """The texts of the category itself."""

    def __init__(self, registry: Registry, slug: str) -> None:
        category, words = registry.categories[slug], registry.vocabulary.of(slug)
        named = [text for _, text in _whole_texts(slug, category, words)]
        whole = [phrase for phrase in map(phrase_of, named) if phrase is not None]
        self._keys = {phrase.key for phrase in whole}
        self.single_words = {phrase.stems[0] for phrase in whole if len(phrase.stems) == 1}
        self._texts = (slug.replace("-", " "), category.name, category.description, *category.query_patterns)

        terms = (text for field, text in _whole_texts(slug, category, words) if field != "pattern")
        self._parts = {phrase.key for text in terms for phrase in phrases(text)}

    def has(self, phrase: Phrase) -> bool:
        """Whether it is a whole text of the category: a name, an alias, a keyword, a pattern."""
        return phrase.key in self._keys

    def has_within_term(self, phrase: Phrase) -> bool:
        """Whether a name, alias or keyword holds it: "checker" where "borrow checker" is a keyword."""
        return phrase.key in self._parts

    def phrases(self) -> Iterator[Phrase]:
        """The phrases in its slug, name, description and patterns."""
        for text in self._texts:
            yield from phrases(text)


class OtherTopics:
    """The texts of all topics but one category."""

    def __init__(self, registry: Registry, slug: str) -> None:
        self._uses: dict[str, dict[str, Use]] = defaultdict(dict)
        self._topics_with: Counter[str] = Counter()
        self._topics = 0
        for other, category in registry.categories.items():
            if other != slug:
                texts = _whole_texts(other, category, registry.vocabulary.of(other))
                self._add([(text, Use(other, field)) for field, text in texts])
        for topic in registry.vocabulary.out_of_scope:
            uses = [(keyword, Use(topic.name, "keyword", out_of_scope=True)) for keyword in topic.keywords]
            self._add([(topic.name, Use(topic.name, "name", out_of_scope=True)), *uses])

    def uses(self, phrase: Phrase) -> list[Use]:
        """The topics that have it as a whole text, each once: as a name rather than as a keyword."""
        return list(self._uses[phrase.key].values()) if phrase.key in self._uses else []

    def specificity(self, phrase: Phrase) -> float:
        """From 1 for a phrase with a word that no other topic has, to 0 if all topics have all its words."""
        least = min(self._topics_with[stem] for stem in phrase.stems)
        return 1 - log(1 + least) / log(2 + self._topics)

    def _add(self, texts: list[tuple[str, Use]]) -> None:
        self._topics += 1
        stems: set[str] = set()
        for text, use in texts:
            phrase = phrase_of(text)
            if phrase is not None:
                self._uses[phrase.key].setdefault(use.topic, use)
                stems.update(phrase.stems)
        self._topics_with.update(stems)


def _whole_texts(slug: str, category: Category, words: CategoryVocabulary) -> Iterator[tuple[str, str]]:
    yield "slug", slug.replace("-", " ")
    yield "name", category.name
    yield from (("alias", alias) for alias in words.aliases)
    yield from (("keyword", keyword) for keyword in words.keywords)
    yield from (("pattern", pattern) for pattern in category.query_patterns)
