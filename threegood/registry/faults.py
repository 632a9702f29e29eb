"""The faults of the files of a registry, with their positions."""

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """One fault. Sorted, faults are in the order of the files, and those of `registry.json` come first.

    `file` is the path of a vocabulary file from the registry's folder, and empty for the registry file.
    `line` and `column` count characters from 1. `pointer` is a JSON pointer (RFC 6901); it is empty for the
    whole document. `rule` is a short id that stays the same when the wording of `message` changes.
    """

    file: str
    line: int
    column: int
    pointer: str
    rule: str
    message: str


class FaultyRegistry(Exception):
    """A registry breaks at least one rule; `faults` are all of them, in the order of the files."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(
            "; ".join(f"{fault.file}:{fault.line}:{fault.column}: {fault.message}" for fault in self.faults)
        )
