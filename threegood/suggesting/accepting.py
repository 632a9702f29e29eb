"""Adds words to the vocabulary file of a category, if the registry is valid with them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from threegood.registry.faults import FaultyRegistry
from threegood.registry.files import read_files, vocabulary_file
from threegood.registry.validate import validate
from threegood.suggesting.atomic_file import replace_file


class Accepted(NamedTuple):
    """A word that the curator wants to add, and the member of the file for it: `aliases` or `keywords`."""

    member: str
    word: str


class Refused(NamedTuple):
    """A word that breaks a rule, and the sentence of the rule."""

    word: str
    sentence: str


class VocabularyFile:
    """The vocabulary file of a category of the registry in `registry`, which is valid."""

    def __init__(self, registry: Path, slug: str) -> None:
        self.path: Final = registry.parent / vocabulary_file(slug)
        self._name = vocabulary_file(slug)
        self._registry, self._vocabulary = read_files(registry)
        self._content: dict[str, Any] = json.loads(self._vocabulary.get(self._name, b"{}"))

    def add(self, words: Sequence[Accepted]) -> list[Refused]:
        """Write the file with these words at the end of their lists; those that break a rule are left out.

        Raises:
            OSError: the file cannot be written; it is as it was.
        """
        kept, refused = (words, []) if self._fault(words) is None else self._one_by_one(words)
        if kept:
            self.path.parent.mkdir(exist_ok=True)
            replace_file(self.path, self._with(kept))
        return list(refused)

    def _one_by_one(self, words: Sequence[Accepted]) -> tuple[list[Accepted], list[Refused]]:
        kept: list[Accepted] = []
        refused = []
        for each in words:
            sentence = self._fault([*kept, each])
            if sentence is None:
                kept.append(each)
            else:
                refused.append(Refused(each.word, sentence))
        return kept, refused

    def _fault(self, words: Sequence[Accepted]) -> str | None:
        """The first rule that the registry would break with these words."""
        files: Mapping[str, bytes] = {**self._vocabulary, self._name: self._with(words)}
        try:
            validate(self._registry, files)
        except FaultyRegistry as faulty:
            fault = faulty.faults[0]
            if fault.file == self._name:
                return fault.message
            return f"With it, {fault.file}:{fault.line} would break a rule: {fault.message}"
        return None

    def _with(self, words: Sequence[Accepted]) -> bytes:
        content = dict(self._content)
        for member, word in words:
            content[member] = [*content.get(member, ()), word]
        return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
