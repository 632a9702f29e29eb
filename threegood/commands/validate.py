"""`python -m threegood validate`: what is wrong with a registry, all of it, each fault with its place."""

import argparse
from pathlib import Path

from threegood.commands.output import done, faulty, unable
from threegood.registry.faults import FaultyRegistry
from threegood.registry.validate import validate


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("validate", help="say what is wrong with a registry, and where")
    parser.add_argument(
        "registry", nargs="?", type=Path, default=Path("registry.json"), help="default: %(default)s"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    file: Path = options.registry
    try:
        registry = validate(file.read_bytes())
    except OSError as error:
        return unable(f"{file}: {error.strerror}.")
    except FaultyRegistry as refusal:
        return faulty(file, refusal)
    return done(
        f"{file}: valid; version {registry.version}, categories: {len(registry.categories)}, "
        f"endorsements: {len(registry.endorsements)}"
    )
