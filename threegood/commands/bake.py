"""`threegood bake`: a registry validated, its signature verified, and both written as they are deployed."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from sources.baked import BakedRegistry
from threegood.baking.bake import bake as bake_registry
from threegood.commands.log_beside import log_beside
from threegood.commands.output import counted, remark, show, warning_line
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER, load_with_warnings, registry_argument
from threegood.commands.report import pattern_warnings
from threegood.trust.checks import Signing
from threegood.trust.statement import RegistrySignature, signature_file

_MAX_WARNINGS: Final = 10
_HOW: Final = {
    "signed": "signed",
    "edited": "edited since it was signed, so unsigned",
    "unsigned": "not signed",
}


@click.command(epilog="Example: threegood bake registry.json")
@registry_argument
@click.option("--out", type=A_PATH, default=BAKED_FOLDER, help="The folder to write, replacing a former one.")
def bake(registry: Path, out: Path) -> None:
    """Bake a registry into the deployed folder.

    The signature that `threegood sign` has written beside it is verified and baked too; no key is needed.
    """
    content, warnings = load_with_warnings(registry)
    log, lag = log_beside(registry, content)
    signing = bake_registry(content, out, RegistrySignature.beside(registry), log)
    _warn(registry, [warning_line(registry, each) for each in warnings], lists="validate")
    weak = pattern_warnings(content, BakedRegistry.open(out).vocabulary())
    _warn(registry, [f"{registry}: {sentence}" for sentence in weak], lists="report")
    for sentence in _about(signing, time.time()):
        remark(f"{signature_file(registry)}: warning: {sentence}")
    if lag and signing.status != "edited":
        remark(lag)
    show([f"{out}: baked, {_HOW[signing.status]}; categories: {len(content.categories)}"])


def _about(signing: Signing, now: float) -> Iterator[str]:
    """What the curator should know about the signature."""
    if signing.status == "edited":
        yield (
            "it is not of this registry, which was edited since: it is baked as unsigned, and make deploy "
            "refuses it. Raise its version and run `threegood sign`."
        )
    if signing.signature is not None and signing.signature.statement.expired(now):
        expired = signing.signature.statement.expires_at
        yield f"it expired on {expired}, and make deploy refuses it. Run `threegood sign` again."


def _warn(registry: Path, lines: Sequence[str], *, lists: str) -> None:
    """Print the first of these warnings, how many more there are, and the command that lists all of them."""
    for line in lines[:_MAX_WARNINGS]:
        remark(line)
    if len(lines) > _MAX_WARNINGS:
        more = counted(len(lines) - _MAX_WARNINGS, "more warning")
        remark(f"{registry}: {more}; threegood {lists} lists all of them.")
