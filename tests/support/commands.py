"""Runs the commands of `threegood` in this process."""

from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from threegood.__main__ import main

__all__ = ["Ended", "threegood"]


class Ended(NamedTuple):
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str


def threegood(*arguments: str | Path) -> Ended:
    """Run `threegood` with these arguments."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="threegood")
    return Ended(result.exit_code, result.stdout, result.stderr)
