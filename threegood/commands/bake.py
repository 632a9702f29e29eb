"""`threegood bake`: a registry validated, signed if there is a key, and written as it is deployed."""

import os.path
from pathlib import Path
from typing import Final

import click

from sources.baked import BakedRegistry
from threegood.baking.bake import SignatureWouldBeLost
from threegood.baking.bake import bake as bake_registry
from threegood.baking.sign import read_key
from threegood.commands.output import CannotBegin, remark, show
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER, load_registry, registry_argument
from threegood.commands.report import warnings
from threegood.registry.records import Registry

_KEEP_OR_DROP_SIGNATURE: Final = (
    "Bake with its key: KEY=FILE for make, --key FILE for this command. "
    "To drop the signature instead: UNSIGNED=1 or --unsigned."
)
_MAX_WARNINGS: Final = 10


@click.command(epilog="Example: threegood bake registry.json --key ~/three-good-sources.key")
@registry_argument
@click.option("--out", type=A_PATH, default=BAKED_FOLDER, help="The folder to write, replacing a former one.")
@click.option("--key", metavar="FILE", help="Private key to sign with; without one, it is not signed.")
@click.option("--unsigned", is_flag=True, help="Replace even a signed registry by one that is not signed.")
def bake(registry: Path, out: Path, key: str | None, unsigned: bool) -> None:
    """Bake a registry into the deployed folder."""
    if key is not None and unsigned:
        raise click.UsageError("--key and --unsigned exclude each other.")
    # Not every shell replaces the ~ in `make bake KEY=~/file.key`.
    private_key = None if key is None else read_key(Path(os.path.expanduser(key)))
    content = load_registry(registry)
    try:
        bake_registry(content, out, key=private_key, allow_unsigned=unsigned)
    except SignatureWouldBeLost as error:
        raise CannotBegin(f"{error} {_KEEP_OR_DROP_SIGNATURE}") from error
    _warn(registry, content, out)
    signed = "not signed" if private_key is None else "signed"
    show([f"{out}: baked, {signed}; categories: {len(content.categories)}"])


def _warn(file: Path, registry: Registry, out: Path) -> None:
    """Print the first warnings about a valid registry, and how many more there are."""
    sentences = warnings(registry, BakedRegistry.open(out).vocabulary())
    for sentence in sentences[:_MAX_WARNINGS]:
        remark(f"{file}: {sentence}")
    if len(sentences) > _MAX_WARNINGS:
        remark(f"{file}: {len(sentences) - _MAX_WARNINGS} more warnings; threegood report lists all of them.")
