"""`threegood bake`: a registry validated, signed if there is a key, and written as it is deployed."""

import os.path
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from sources.baked import BakedRegistry
from threegood.baking.bake import SignatureWouldBeLost
from threegood.baking.bake import bake as bake_registry
from threegood.baking.sign import read_key
from threegood.commands.log_beside import log_beside
from threegood.commands.output import CannotBegin, counted, remark, show, warning_line
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER, load_with_warnings, registry_argument
from threegood.commands.report import pattern_warnings

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
    content, warnings = load_with_warnings(registry)
    try:
        log = log_beside(registry, content)
        bake_registry(content, out, key=private_key, log=log, allow_unsigned=unsigned)
    except SignatureWouldBeLost as error:
        raise CannotBegin(f"{error} {_KEEP_OR_DROP_SIGNATURE}") from error
    _warn(registry, [warning_line(registry, each) for each in warnings], lists="validate")
    weak = pattern_warnings(content, BakedRegistry.open(out).vocabulary())
    _warn(registry, [f"{registry}: {sentence}" for sentence in weak], lists="report")
    signed = "not signed" if private_key is None else "signed"
    show([f"{out}: baked, {signed}; categories: {len(content.categories)}"])


def _warn(registry: Path, lines: Sequence[str], *, lists: str) -> None:
    """Print the first of these warnings, how many more there are, and the command that lists all of them."""
    for line in lines[:_MAX_WARNINGS]:
        remark(line)
    if len(lines) > _MAX_WARNINGS:
        more = counted(len(lines) - _MAX_WARNINGS, "more warning")
        remark(f"{registry}: {more}; threegood {lists} lists all of them.")
