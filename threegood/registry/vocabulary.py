"""The rules over aliases, keywords and outside topics that ask how a query is read.

Two texts that are read as the same words are the same here. Where one topic could be taken for another, so
are two that differ in the endings of their words only, or in how these are joined, since the matching takes
them for the same.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from sources.matching.analysis import Word, analyse, phrase_key
from threegood.registry.rules import Breach

Location = tuple[str | int, ...]


class _Entry(NamedTuple):
    """A text with its place in the registry, and the words that it is read as."""

    at: Location
    read: list[Word]

    @property
    def words(self) -> str:
        """The same for texts that say the same."""
        return " ".join(word.text for word in self.read)

    @property
    def key(self) -> str:
        """The same for texts that the matching takes for the same."""
        return phrase_key(self.read)


class _Owner(NamedTuple):
    """The category that goes by a text, and what the text is there."""

    slug: str
    role: str


def misleading_words(registry: Any) -> Iterator[Breach]:
    """What is wrong with the vocabulary of a registry as JSON gave it, each breach with its place below that.

    What is not of the expected type is passed over, since that is another rule's to tell.
    """
    if not isinstance(registry, dict):
        return
    known = _names(registry)
    yield from _in_categories(registry, known)
    yield from _outside(registry, known)


def _in_categories(registry: dict[str, Any], known: dict[str, _Owner]) -> Iterator[Breach]:
    """The breaches in aliases and keywords; `known` learns the aliases."""
    for slug, category in _categories(registry):
        at = ("categories", slug)
        aliases = list(_entries(category, "aliases", at))
        yield from _idle([*aliases, *_entries(category, "keywords", at)])
        for alias in filter(_says_something, aliases):
            owner = known.setdefault(alias.key, _Owner(slug, "an alias"))
            if owner.slug != slug:
                yield Breach("shared-alias", _SHARED.format(words=alias.words, owner=owner), alias.at)


def _outside(registry: dict[str, Any], known: dict[str, _Owner]) -> Iterator[Breach]:
    """The breaches in the topics outside the registry, `known` being what its categories go by."""
    numbers: dict[str, int] = {}
    for index, topic in enumerate(_array(registry, "outside")):
        if not isinstance(topic, dict):
            continue
        names = list(_read([(("outside", index, "name"), topic.get("name"))]))
        keywords = list(_entries(topic, "keywords", ("outside", index)))
        for name in filter(_says_something, names):
            if numbers.setdefault(name.words, index) != index:
                yield Breach("same-outside", _SAME_OUTSIDE.format(number=numbers[name.words] + 1), name.at)
        yield from _idle(names)
        yield from _idle(keywords)
        yield from _covered([*names, *keywords], known)


def _idle(entries: Iterable[_Entry]) -> Iterator[Breach]:
    """The breaches of texts that add nothing to those before them."""
    seen: dict[str, _Entry] = {}
    for entry in entries:
        words = entry.words
        first = seen.setdefault(words, entry)
        if not words:
            yield Breach("empty-words", _EMPTY, entry.at)
        elif first is not entry:
            yield Breach("same-words", _SAME.format(words=words, first=_called(first)), entry.at)


def _covered(entries: Iterable[_Entry], known: dict[str, _Owner]) -> Iterator[Breach]:
    for entry in filter(_says_something, entries):
        owner = known.get(entry.key)
        if owner is not None:
            yield Breach("covered-outside", _COVERED.format(words=entry.words, owner=owner), entry.at)


def _names(registry: dict[str, Any]) -> dict[str, _Owner]:
    """What each category goes by whatever its aliases are, by key."""
    known: dict[str, _Owner] = {}
    for slug, category in _categories(registry):
        for role, text in (("the name", category.get("name")), ("the slug", slug.replace("-", " "))):
            for entry in filter(_says_something, _read([((), text)])):
                known.setdefault(entry.key, _Owner(slug, role))
    return known


def _categories(registry: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    categories = registry.get("categories")
    if isinstance(categories, dict):
        yield from ((slug, category) for slug, category in categories.items() if isinstance(category, dict))


def _entries(record: dict[str, Any], field: str, at: Location) -> Iterator[_Entry]:
    return _read(((*at, field, index), text) for index, text in enumerate(_array(record, field)))


def _array(record: dict[str, Any], field: str) -> list[Any]:
    value = record.get(field)
    return value if isinstance(value, list) else []


def _read(texts: Iterable[tuple[Location, Any]]) -> Iterator[_Entry]:
    for at, text in texts:
        if isinstance(text, str) and text.strip():
            yield _Entry(at, analyse(text))


def _says_something(entry: _Entry) -> bool:
    return entry.read != []


def _called(entry: _Entry) -> str:
    """What a curator calls the text: "alias 3"."""
    *_, field, index = entry.at
    return f"{'alias' if field == 'aliases' else 'keyword'} {int(index) + 1}"


_EMPTY: Final = (
    'Nothing is left of this, since words like "how" and "the" and punctuation do not count. '
    "Write a word that tells something, or remove this."
)
_SAME: Final = (
    'This repeats {first}, since case, accents, punctuation and words like "how" and "the" do not count: '
    'both are read as "{words}". Remove it.'
)
_SHARED: Final = (
    'An alias alone must mean its topic, but this one, read as "{words}", is {owner.role} of the category '
    '"{owner.slug}" too. Make it a keyword, or remove it.'
)
_SAME_OUTSIDE: Final = (
    "Topic {number} outside the registry has this name already. Make one of the two, or rename this."
)
_COVERED: Final = (
    'This is read as "{words}", which is {owner.role} of the category "{owner.slug}", and would have its '
    "queries refused. Remove it, or add the word that makes the difference."
)
