"""The output of the commands: results on standard output, faults and remarks on standard error."""

from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import click

from threegood.registry.faults import Fault, FaultyRegistry


class CannotBegin(click.ClickException):
    """The command did nothing, for the reason in the message; exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the reason."""
        del file
        remark(self.message)


class RegistryFaults(click.ClickException):
    """The registry in `file` has faults; exit code 1."""

    exit_code = 1

    def __init__(self, file: Path, faulty: FaultyRegistry) -> None:
        super().__init__(f"{file}: {faulty}")
        self._file = file
        self._faults = faulty.faults

    def show(self, file: IO[Any] | None = None) -> None:
        """Print a line for each fault, in a form that editors can jump to, and their number."""
        del file
        for fault in self._faults:
            remark(_line(self._file, fault))
        count = len(self._faults)
        remark(f"{self._file}: {count} {'fault' if count == 1 else 'faults'}")


def show(lines: Iterable[str]) -> None:
    """Print the lines of a result."""
    click.echo("\n".join(map(printable, lines)))


def remark(sentence: str) -> None:
    """Print a sentence that is not part of the result."""
    click.echo(printable(sentence), err=True)


def printable(text: str) -> str:
    """`text` with an escape for each character that controls the terminal or cannot be encoded."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def _line(file: Path, fault: Fault) -> str:
    pointer = fault.pointer or "(root)"
    faulty = file.parent / fault.file if fault.file else file
    return f"{faulty}:{fault.line}:{fault.column}: {pointer}: {fault.message} [{fault.rule}]"
