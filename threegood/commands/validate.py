"""`threegood validate`: every fault of a registry, or every warning, with its place."""

from pathlib import Path

import click

from threegood.commands.output import counted, remark, show, warning_line
from threegood.commands.registry_file import load_with_warnings, registry_argument


@click.command(epilog="Example: threegood validate registry.json")
@registry_argument
def validate(registry: Path) -> None:
    """Check a registry and its vocabulary, and list the faults.

    Each fault has its file, line, column and rule. A valid registry may have warnings, in the same form.
    """
    content, warnings = load_with_warnings(registry)
    for warning in warnings:
        remark(warning_line(registry, warning))
    if warnings:
        remark(f"{registry}: {counted(len(warnings), 'warning')}")
    show(
        [
            f"{registry}: valid; version {content.version}, categories: {len(content.categories)}, "
            f"endorsements: {len(content.endorsements)}"
        ]
    )
