"""The phrases of each category, normalised: one line for a category, tabs between slug and phrases.

Normalised text holds no tab and no line break, so nothing is escaped, and the whole is read with two splits.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class PhraseLine(NamedTuple):
    """A category and its phrases; the first one is the words of its slug, and may be empty."""

    slug: str
    phrases: tuple[str, ...]


def pack_phrases(lines: Iterable[PhraseLine]) -> bytes:
    """The file that `read_phrases` reads."""
    return "".join("\t".join((line.slug, *line.phrases)) + "\n" for line in lines).encode("utf-8")


def read_phrases(data: bytes) -> Iterator[PhraseLine]:
    """The lines of a file of phrases, in its order."""
    for line in data.decode("utf-8").splitlines():
        slug, *phrases = line.split("\t")
        yield PhraseLine(slug, tuple(phrases))
