"""The bytes of a registry's files to a registry, or to all faults, each with its place and its rule.

An input is a JSON object of the files by path. A file that is a text is taken as it is, another one as JSON.
"""

import json
from typing import Final

from tests.fuzz.mutation import as_sent
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import REGISTRY_FILE
from threegood.registry.validate import validate

__all__ = ["check"]

_MOST_FILES: Final = 6


def check(data: bytes) -> None:
    """Nothing if the files in `data` are accepted, or every fault has a place that is in its file.

    Raises:
        AssertionError: a fault lacks its place, rule or sentence.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    files = {path: as_sent(content) for path, content in list(document.items())[:_MOST_FILES]}
    registry = files.pop("registry.json", b"")
    try:
        validate(registry, files)
    except FaultyRegistry as faulty:
        faults = faulty.faults
    else:
        return
    assert faults
    for fault in faults:
        _check_fault(fault, {REGISTRY_FILE: registry, **files})


def _check_fault(fault: Fault, files: dict[str, bytes]) -> None:
    lines = files[fault.file].decode("utf-8", "replace").split("\n")
    assert fault.rule
    assert fault.message
    assert 1 <= fault.line <= max(1, len(lines)), fault
    assert fault.column >= 1, fault
    assert fault.pointer == "" or fault.pointer.startswith("/"), fault
