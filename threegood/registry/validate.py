"""Validates the files of a registry: a Registry, or all faults, each with file, position and rule."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from threegood.registry.checking import AnyRecord, check
from threegood.registry.document import Document, read_document
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import REGISTRY_FILE, misnamed, name_of, read_files
from threegood.registry.patterns import redundant_patterns
from threegood.registry.records import CategoryVocabulary, OutOfScopeFile, Registry, RegistryFile, Vocabulary
from threegood.registry.rules import OUT_OF_SCOPE, Breach
from threegood.registry.vocabulary import ambiguous_words

_NO_FILES: Final[Mapping[str, bytes]] = MappingProxyType({})


def read_registry(file: Path) -> Registry:
    """The registry in `file`, with the vocabulary beside it.

    Raises:
        FaultyRegistry: as `validate`.
        OSError: a file cannot be read.
    """
    return validate(*read_files(file))


def validate(data: bytes, vocabulary: Mapping[str, bytes] = _NO_FILES) -> Registry:
    """The registry in the bytes of a `registry.json`, and in those of its vocabulary files, by path.

    Raises:
        FaultyRegistry: at least one rule is broken; it has all faults of all files, in their order. Of a file
            that is not JSON, it has the first syntax error only.
    """
    files = _Files({REGISTRY_FILE: data, **vocabulary})
    registry = files.check(REGISTRY_FILE, RegistryFile)
    stated: dict[str, Any] = {}
    for file in vocabulary:
        name = name_of(file)
        if name == OUT_OF_SCOPE:
            topics = files.check(file, OutOfScopeFile)
            stated["out_of_scope"] = topics and topics.topics
        elif name is not None:
            stated.setdefault("categories", {})[name] = files.check(file, CategoryVocabulary)
    if files.faults or registry is None:
        raise FaultyRegistry(files.faults)
    members = {**dict(registry), "vocabulary": Vocabulary.model_construct(**stated)}
    return Registry.model_construct({*registry.model_fields_set, "vocabulary"}, **members)


class _Files:
    """The files of a registry, which are checked one by one; `faults` are those of all."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.faults: list[Fault] = []
        self._documents: dict[str, Document] = {}
        for file, data in files.items():
            self._read(file, data)
        values = {file: document.value for file, document in self._documents.items()}
        registry = values.pop(REGISTRY_FILE, None)
        for file, breach in misnamed((file for file in files if file != REGISTRY_FILE), registry):
            self.faults.append(Fault(file, 1, 1, "", breach.rule, breach.sentence))
        self._breaches: dict[str, list[Breach]] = defaultdict(list)
        self._breaches[REGISTRY_FILE] += redundant_patterns(registry)
        for file, breach in ambiguous_words(registry, values):
            self._breaches[file].append(breach)

    def _read(self, file: str, data: bytes) -> None:
        if file != REGISTRY_FILE and name_of(file) is None:
            return  # its name is a fault
        try:
            self._documents[file] = read_document(data, file=file)
        except FaultyRegistry as faulty:
            self.faults += faulty.faults

    def check(self, file: str, kind: type[AnyRecord]) -> AnyRecord | None:
        """The record in `file`; `None` if there is no such file, or it has faults."""
        document = self._documents.get(file)
        if document is None:
            return None
        try:
            return check(document, kind, self._breaches[file])
        except FaultyRegistry as faulty:
            self.faults += faulty.faults
            return None
