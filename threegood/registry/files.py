"""The files of a registry: where its vocabulary is, and the names of the files there.

The vocabulary of a registry is in the folder `vocabulary` beside its file: `<slug>.json` for a category, and
`out-of-scope.json`. All of them may be missing.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from threegood.registry.rules import OUT_OF_SCOPE, Breach

_FOLDER: Final = "vocabulary"
_SUFFIX: Final = ".json"


def vocabulary_file(name: str) -> str:
    """The path, from the registry's folder, of the vocabulary of a category, or of `OUT_OF_SCOPE`."""
    return f"{_FOLDER}/{name}{_SUFFIX}"


def name_of(file: str) -> str | None:
    """The slug that a file of the vocabulary is called after, or `OUT_OF_SCOPE`; `None` if it is no JSON."""
    name = file.removeprefix(f"{_FOLDER}/")
    return name.removesuffix(_SUFFIX) if name.endswith(_SUFFIX) else None


def read_vocabulary(folder: Path) -> dict[str, bytes]:
    """The bytes of each file of the vocabulary in `folder`, which is the registry's, by its path from there.

    Hidden files, which editors and file managers make, are left out. A file that does not end in `.json` is
    no vocabulary, so it is listed without its bytes.
    """
    vocabulary = folder / _FOLDER
    if not vocabulary.exists():
        return {}
    names = sorted(entry.name for entry in vocabulary.iterdir() if not entry.name.startswith("."))
    return {
        f"{_FOLDER}/{name}": (vocabulary / name).read_bytes() if name.endswith(_SUFFIX) else b""
        for name in names
    }


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
