"""`threegood validate`: every fault of a registry, with its place in the file."""

from pathlib import Path

import click

from threegood.commands.output import show
from threegood.commands.registry_file import load_registry, registry_argument


@click.command(epilog="Example: threegood validate registry.json")
@registry_argument
def validate(registry: Path) -> None:
    """Check a registry and list its faults.

    Each fault has its line, column and rule.
    """
    content = load_registry(registry)
    show(
        [
            f"{registry}: valid; version {content.version}, categories: {len(content.categories)}, "
            f"endorsements: {len(content.endorsements)}"
        ]
    )
