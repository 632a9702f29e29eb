"""What the commands say: results on standard output, everything else on standard error."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from threegood.registry.faults import Fault, FaultyRegistry

DONE: Final = 0
FAULTY: Final = 1
UNABLE: Final = 2


def done(sentence: str) -> int:
    """Says what was done; the exit code for it."""
    sys.stdout.write(f"{sentence}\n")
    return DONE


def shown(lines: Iterable[str]) -> int:
    """Says what was found out, line by line; the exit code for it."""
    return done("\n".join(map(printable, lines)))


def remark(sentence: str) -> None:
    """Says something beside the result."""
    sys.stderr.write(f"{printable(sentence)}\n")


def unable(reason: object) -> int:
    """Says why nothing was done; the exit code for it."""
    sys.stderr.write(f"{printable(str(reason))}\n")
    return UNABLE


def faulty(file: Path, registry: FaultyRegistry) -> int:
    """One line for each fault, in a form that editors can jump to, and their count; the exit code for it."""
    for fault in registry.faults:
        sys.stderr.write(f"{printable(_line(file, fault))}\n")
    count = len(registry.faults)
    sys.stderr.write(f"{file}: {count} {'fault' if count == 1 else 'faults'}\n")
    return FAULTY


def _line(file: Path, fault: Fault) -> str:
    pointer = fault.pointer or "(root)"
    return f"{file}:{fault.line}:{fault.column}: {pointer}: {fault.message} [{fault.rule}]"


def printable(text: str) -> str:
    """`text` with an escape for each character that would command the terminal or cannot be encoded."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )
