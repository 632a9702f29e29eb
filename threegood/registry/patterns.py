"""The rules over query patterns that ask how a query is compared: each pattern must add something to that.

They stand here and not with the other rules, because the normalising is the matching's, and the records know
nothing of it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sources.matching.normalise import normalise
from threegood.registry.rules import Breach


def idle_patterns(registry: Any) -> Iterator[Breach]:
    """What is wrong with the patterns of a registry as JSON gave it, each breach with its place below that.

    What is not of the expected type is passed over, since that is another rule's to tell.
    """
    categories = registry.get("categories") if isinstance(registry, dict) else None
    if not isinstance(categories, dict):
        return
    for slug, category in categories.items():
        patterns = category.get("query_patterns") if isinstance(category, dict) else None
        if isinstance(patterns, list):
            for breach in _idle(patterns, _compared_anyway(slug, category.get("name"))):
                yield breach._replace(at=("categories", slug, "query_patterns", *breach.at))


def _compared_anyway(slug: str, name: Any) -> Mapping[str, str]:
    """The phrases that a query is compared with whatever the patterns say: normalised text → whose it is."""
    phrases = {normalise(slug.replace("-", " ")): "slug"}
    if isinstance(name, str):
        phrases[normalise(name)] = "name"
    return phrases


def _idle(patterns: list[Any], compared_anyway: Mapping[str, str]) -> Iterator[Breach]:
    seen: dict[str, int] = {}
    for index, pattern in enumerate(patterns):
        if not isinstance(pattern, str) or not pattern.strip():
            continue
        phrase = normalise(pattern)
        first = seen.setdefault(phrase, index)
        if not phrase:
            yield Breach("empty-pattern", _EMPTY, (index,))
        elif phrase in compared_anyway:
            yield Breach("known-pattern", _KNOWN.format(whose=compared_anyway[phrase]), (index,))
        elif first != index:
            yield Breach("same-pattern", _SAME.format(number=first + 1), (index,))


_EMPTY: Final = (
    'Nothing is left of this pattern, since words like "how" and "the" and punctuation do not count. '
    "Name the topic in it."
)
_KNOWN: Final = (
    "This pattern says what the category's {whose} says already, and adds nothing. "
    "Write another way in which people ask, or remove it."
)
_SAME: Final = (
    'This repeats pattern {number}, since case, punctuation and words like "how" and "the" do not count. '
    "Remove it."
)
