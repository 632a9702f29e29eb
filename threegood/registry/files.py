"""The files of a registry: where its vocabulary is, and the names of the files there.

The vocabulary of a registry is in the folder `vocabulary` beside its file: `<slug>.json` for a category, and
`out-of-scope.json`. All of them may be missing.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from threegood.registry.rules import OUT_OF_SCOPE, Breach

REGISTRY_FILE: Final = ""
"""The path of the registry file itself, as faults name it, since it may be called anything."""

_FOLDER: Final = "vocabulary"
_SUFFIX: Final = ".json"


def vocabulary_file(name: str) -> str:
    """The path, from the registry's folder, of the vocabulary of a category, or of `OUT_OF_SCOPE`."""
    return f"{_FOLDER}/{name}{_SUFFIX}"


def name_of(file: str) -> str | None:
    """The slug that a file of the vocabulary is called after, or `OUT_OF_SCOPE`; `None` if it is no JSON."""
    name = file.removeprefix(f"{_FOLDER}/")
    return name.removesuffix(_SUFFIX) if name.endswith(_SUFFIX) else None


class RegistryFiles(NamedTuple):
    """The bytes of a registry file, and of each file of the vocabulary, by its path from the same folder."""

    registry: bytes
    vocabulary: dict[str, bytes]


def read_files(registry: Path) -> RegistryFiles:
    """The files of the registry in the file `registry`.

    Hidden files, which editors and file managers make, are left out. A file that does not end in `.json` is
    no vocabulary, so it is listed without its bytes.

    Raises:
        OSError: a file cannot be read.
    """
    folder = registry.parent / _FOLDER
    entries = sorted(folder.iterdir()) if folder.exists() else []
    return RegistryFiles(
        registry.read_bytes(),
        {
            f"{_FOLDER}/{entry.name}": entry.read_bytes() if entry.name.endswith(_SUFFIX) else b""
            for entry in entries
            if not entry.name.startswith(".")
        },
    )


def misnamed(files: Iterable[str], registry: Any) -> Iterator[tuple[str, Breach]]:
    """The files of a vocabulary that are called after no category of a registry parsed from JSON.

    If the registry has no categories, which another rule reports, every slug passes.
    """
    categories = registry.get("categories") if isinstance(registry, dict) else None
    slugs = list(categories) if isinstance(categories, dict) else []
    for file in files:
        name = name_of(file)
        if name is None:
            yield file, Breach("vocabulary-file", _NO_VOCABULARY)
        elif slugs and name not in (*slugs, OUT_OF_SCOPE):
            close = get_close_matches(name, [*slugs, OUT_OF_SCOPE], n=1)
            hint = f' Did you mean "{close[0]}{_SUFFIX}"?' if close else ""
            yield file, Breach("vocabulary-file", _NO_CATEGORY.format(name=name, hint=hint))


_NO_VOCABULARY: Final = (
    "This is no file of the vocabulary: those are called after a category, such as "
    f'"learn-rust{_SUFFIX}", or "{OUT_OF_SCOPE}{_SUFFIX}". Rename it, or move it elsewhere.'
)
_NO_CATEGORY: Final = (
    'The registry has no category "{name}".{hint} Call the file after the category whose words it has, or '
    "remove it."
)
