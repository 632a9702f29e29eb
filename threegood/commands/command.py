"""The command line as a function of its arguments."""

import argparse
from collections.abc import Sequence

from threegood.commands import bake, keygen, match, prepare, report, validate


def run(arguments: Sequence[str]) -> int:
    """Does what `arguments` say and gives the exit code; see `threegood`."""
    parser = argparse.ArgumentParser(
        prog="python -m threegood", description="Check, sign and bake a registry, and see how it matches."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (validate, bake, match, report, keygen, prepare):
        command.add_to(commands)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code
