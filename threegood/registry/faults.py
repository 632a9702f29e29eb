"""What is wrong with a registry file, and where."""

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing that is wrong. Sorted, faults stand in the order of the file.

    `line` and `column` count characters from 1. `pointer` is a JSON pointer (RFC 6901); it is empty for the
    whole document. `rule` is a short id that stays the same when the wording of `message` changes.
    """

    line: int
    column: int
    pointer: str
    rule: str
    message: str


class FaultyRegistry(Exception):
    """A registry file breaks a rule; `faults` holds all that was found, in the order of the file."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("; ".join(f"{fault.line}:{fault.column}: {fault.message}" for fault in self.faults))
