"""The rules over query patterns: each pattern must add something to what a query is compared with.

They are apart from the other rules because they need the matching's normalisation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sources.matching.normalise import normalise
from threegood.registry.rules import Breach


def redundant_patterns(registry: Any) -> Iterator[Breach]:
    """The breaches in the patterns of a registry parsed from JSON, each with its path.

    Values of an unexpected type are skipped; another rule reports them.
    """
    categories = registry.get("categories") if isinstance(registry, dict) else None
    if not isinstance(categories, dict):
        return
    for slug, category in categories.items():
        patterns = category.get("query_patterns") if isinstance(category, dict) else None
        if isinstance(patterns, list):
            for breach in _redundant(patterns, _other_phrases(slug, category.get("name"))):
                yield breach._replace(at=("categories", slug, "query_patterns", *breach.at))


def _other_phrases(slug: str, name: Any) -> Mapping[str, str]:
    """The other phrases that a query is compared with: normalised text → the field it comes from."""
    phrases = {normalise(slug.replace("-", " ")): "slug"}
    if isinstance(name, str):
        phrases[normalise(name)] = "name"
    return phrases


def _redundant(patterns: list[Any], other_phrases: Mapping[str, str]) -> Iterator[Breach]:
    seen: dict[str, int] = {}
    for index, pattern in enumerate(patterns):
        if not isinstance(pattern, str) or not pattern.strip():
            continue
        phrase = normalise(pattern)
        first = seen.setdefault(phrase, index)
        if not phrase:
            yield Breach("empty-pattern", _EMPTY, (index,))
        elif phrase in other_phrases:
            yield Breach("known-pattern", _KNOWN.format(field=other_phrases[phrase]), (index,))
        elif first != index:
            yield Breach("same-pattern", _SAME.format(number=first + 1), (index,))


_EMPTY: Final = (
    'Nothing is left of this pattern, since words like "how" and "the" and punctuation do not count. '
    "Name the topic in it."
)
_KNOWN: Final = (
    "This pattern has the same words as the category's {field}, and adds nothing. "
    "Write another way in which people ask, or remove it."
)
_SAME: Final = (
    'This repeats pattern {number}, since case, punctuation and words like "how" and "the" do not count. '
    "Remove it."
)
