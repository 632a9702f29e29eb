"""The phrases of each category, normalised: one line per category, tabs between slug and phrases.

Normalised text holds no tab and no line break, so nothing is escaped, and the file is read with two splits.
"""

from collections.abc import Iterator
from typing import NamedTuple


class PhraseLine(NamedTuple):
    """A category and its phrases; the first phrase is the words of its slug, and may be empty."""

    slug: str
    phrases: tuple[str, ...]


def read_phrases(data: bytes) -> Iterator[PhraseLine]:
    """The lines of a file of phrases, in the order of the file."""
    for line in data.decode("utf-8").splitlines():
        slug, *phrases = line.split("\t")
        yield PhraseLine(slug, tuple(phrases))
