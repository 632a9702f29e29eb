"""`threegood verify`: compares every byte of a baked registry with the digests in its manifest."""

import sys
from pathlib import Path

import click

from sources.baked import BakedRegistry
from threegood.commands.output import remark, show
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER


@click.command(epilog="Example: threegood verify .aws-sam/build/RegistryLayer/registry")
@click.argument("folder", type=A_PATH, default=BAKED_FOLDER)
def verify(folder: Path) -> None:
    """Verify that the files of a baked registry are as they were baked.

    FOLDER is the registry's.
    """
    damaged = BakedRegistry.open(folder).damaged_files()
    if damaged:
        remark(f"{folder}: not as it was baked: {', '.join(damaged)}")
        sys.exit(1)
    show([f"{folder}: every byte is as it was baked"])
