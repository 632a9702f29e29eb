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


class ForgedSignature(click.ClickException):
    """A signature does not verify, for the reason in the message; exit code 1."""

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
            remark(fault_line(self._file, fault))
        remark(f"{self._file}: {counted(len(self._faults), 'fault')}")


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


def fault_line(file: Path, fault: Fault) -> str:
    """A fault of the registry in `file`, in a form that editors can jump to."""
    return f"{_place(file, fault)} {_text(fault)}"


def warning_line(file: Path, warning: Fault) -> str:
    """A warning about the registry in `file`, in the same form."""
    return f"{_place(file, warning)} warning: {_text(warning)}"


def counted(count: int, one: str) -> str:
    """A number with its noun: "1 fault", "2 faults"."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


def _place(file: Path, fault: Fault) -> str:
    return f"{file.parent / fault.file if fault.file else file}:{fault.line}:{fault.column}:"


def _text(fault: Fault) -> str:
    return f"{fault.pointer or '(root)'}: {fault.message} [{fault.rule}]"
