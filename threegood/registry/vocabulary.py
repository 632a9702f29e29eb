"""The rules over aliases, keywords and out-of-scope topics: how the matching parses their words.

Within a topic, two texts are the same if they have the same words after normalising. Between topics, they are
also the same if only inflections or the joining of words differ, since the matching treats them as the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sources.matching.analysis import Word, analyse, phrase_key
from threegood.registry.files import vocabulary_file
from threegood.registry.rules import OUT_OF_SCOPE, Breach

Location = tuple[str | int, ...]


class _Entry(NamedTuple):
    """A text with its path in its file, and its words after normalising."""

    at: Location
    parsed: list[Word]

    @property
    def words(self) -> str:
        """Equal for texts with the same words."""
        return " ".join(word.text for word in self.parsed)

    @property
    def key(self) -> str:
        """Equal for texts that the matching treats as the same."""
        return phrase_key(self.parsed)


class _Owner(NamedTuple):
    """The category that has a text, and what the text is there."""

    slug: str
    role: str


def ambiguous_words(registry: Any, vocabulary: Mapping[str, Any]) -> Iterator[tuple[str, Breach]]:
    """The breaches in a vocabulary parsed from JSON, each with its file; `vocabulary` has the files by path.

    Values of an unexpected type are skipped; another rule reports them.
    """
    categories = dict(_categories(registry))
    owners = _names_and_slugs(categories)
    for slug in categories:
        file = vocabulary_file(slug)
        for breach in _in_category(slug, vocabulary.get(file), owners):
            yield file, breach
    file = vocabulary_file(OUT_OF_SCOPE)
    for breach in _in_out_of_scope_topics(vocabulary.get(file), owners):
        yield file, breach


def _in_category(slug: str, words: Any, owners: dict[str, _Owner]) -> Iterator[Breach]:
    """The breaches in the aliases and keywords of a category; adds the aliases to `owners`."""
    aliases = list(_entries(words, "aliases"))
    yield from _redundant([*aliases, *_entries(words, "keywords")])
    for alias in filter(_has_words, aliases):
        owner = owners.setdefault(alias.key, _Owner(slug, "an alias"))
        if owner.slug != slug:
            yield Breach("shared-alias", _SHARED.format(words=alias.words, owner=owner), alias.at)


def _in_out_of_scope_topics(content: Any, owners: dict[str, _Owner]) -> Iterator[Breach]:
    """The breaches in the out-of-scope topics; `owners` has the categories' names, slugs and aliases."""
    numbers: dict[str, int] = {}
    for index, topic in enumerate(_array(content, "topics")):
        if not isinstance(topic, dict):
            continue
        names = list(_parse([(("topics", index, "name"), topic.get("name"))]))
        keywords = list(_entries(topic, "keywords", ("topics", index)))
        for name in filter(_has_words, names):
            if numbers.setdefault(name.words, index) != index:
                yield Breach("same-outside", _SAME_TOPIC.format(number=numbers[name.words] + 1), name.at)
        yield from _redundant(names)
        yield from _redundant(keywords)
        yield from _covered([*names, *keywords], owners)


def _redundant(entries: Iterable[_Entry]) -> Iterator[Breach]:
    """The breaches of texts without words, or with the same words as an earlier one."""
    seen: dict[str, _Entry] = {}
    for entry in entries:
        words = entry.words
        first = seen.setdefault(words, entry)
        if not words:
            yield Breach("empty-words", _EMPTY, entry.at)
        elif first is not entry:
            yield Breach("same-words", _SAME.format(words=words, first=_designation(first)), entry.at)


def _covered(entries: Iterable[_Entry], owners: dict[str, _Owner]) -> Iterator[Breach]:
    for entry in filter(_has_words, entries):
        owner = owners.get(entry.key)
        if owner is not None:
            yield Breach("covered-outside", _COVERED.format(words=entry.words, owner=owner), entry.at)


def _names_and_slugs(categories: Mapping[str, dict[str, Any]]) -> dict[str, _Owner]:
    """The owners of all names and slugs, by key."""
    owners: dict[str, _Owner] = {}
    for slug, category in categories.items():
        for role, text in (("the name", category.get("name")), ("the slug", slug.replace("-", " "))):
            for entry in filter(_has_words, _parse([((), text)])):
                owners.setdefault(entry.key, _Owner(slug, role))
    return owners


def _categories(registry: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    categories = registry.get("categories") if isinstance(registry, dict) else None
    if isinstance(categories, dict):
        yield from ((slug, category) for slug, category in categories.items() if isinstance(category, dict))


def _entries(record: Any, field: str, at: Location = ()) -> Iterator[_Entry]:
    return _parse(((*at, field, index), text) for index, text in enumerate(_array(record, field)))


def _array(record: Any, field: str) -> list[Any]:
    value = record.get(field) if isinstance(record, dict) else None
    return value if isinstance(value, list) else []


def _parse(texts: Iterable[tuple[Location, Any]]) -> Iterator[_Entry]:
    for at, text in texts:
        if isinstance(text, str) and text.strip():
            yield _Entry(at, analyse(text))


def _has_words(entry: _Entry) -> bool:
    return entry.parsed != []


def _designation(entry: _Entry) -> str:
    """The text's designation for the curator: "alias 3"."""
    *_, field, index = entry.at
    return f"{'alias' if field == 'aliases' else 'keyword'} {int(index) + 1}"


_EMPTY: Final = (
    'Nothing is left of this, since words like "how" and "the" and punctuation do not count. '
    "Write a word with content, or remove this."
)
_SAME: Final = (
    'This repeats {first}, since case, accents, punctuation and words like "how" and "the" do not count: '
    'both are read as "{words}". Remove it.'
)
_SHARED: Final = (
    'An alias alone must mean its topic, but this one, read as "{words}", is {owner.role} of the category '
    '"{owner.slug}" too. Make it a keyword, or remove it.'
)
_SAME_TOPIC: Final = (
    "Topic {number} outside the registry has this name already. Make one of the two, or rename this."
)
_COVERED: Final = (
    'This is read as "{words}", which is {owner.role} of the category "{owner.slug}", and would have its '
    "queries refused. Remove it, or add the word that makes the difference."
)
