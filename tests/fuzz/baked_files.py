"""Baked files with changed bytes: what is read of them is as it was baked, or a clear error.

An input is bytes: one for the file, then for each change its kind and place, and the new byte.
"""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.damage import DAMAGED, REGISTRY, answers
from tests.support.registries import files_of

__all__ = ["check"]

_MOST_CHANGES: Final = 8
_CHANGE_BYTES: Final = 5


class _Baked(NamedTuple):
    """A folder with the files, their content by name, and what is read of them."""

    folder: Path
    files: dict[str, bytes]
    intact: list[Any]


@cache
def _baked() -> _Baked:
    folder = Path(tempfile.mkdtemp(prefix="baked-"))
    atexit.register(shutil.rmtree, folder)
    files = files_of(REGISTRY)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return _Baked(folder, files, answers(folder))


def check(data: bytes) -> None:
    """Nothing if the changes in `data` change no answer.

    Raises:
        AssertionError: an answer is another one.
    """
    if not data:
        return
    baked = _baked()
    name = sorted(baked.files)[data[0] % len(baked.files)]
    (baked.folder / name).write_bytes(_changed(baked.files[name], data[1:]))
    found = answers(baked.folder)
    (baked.folder / name).write_bytes(baked.files[name])
    assert all(each in (DAMAGED, before) for each, before in zip(found, baked.intact, strict=False))


def _changed(content: bytes, changes: bytes) -> bytes:
    result = bytearray(content)
    for start in range(0, min(len(changes), _MOST_CHANGES * _CHANGE_BYTES), _CHANGE_BYTES):
        kind, *place, byte = changes[start : start + _CHANGE_BYTES].ljust(_CHANGE_BYTES, b"\0")
        at = int.from_bytes(bytes(place), "big") % (len(result) or 1)
        if kind == 0:
            del result[at:]
        elif kind == 1:
            result.insert(at, byte)
        else:
            result[at : at + 1] = bytes([byte])
    return bytes(result)
