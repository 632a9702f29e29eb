"""`threegood prebuild`: builds the server at build time, so that a cold start need not."""

from pathlib import Path

import click

from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import DEFAULT_STRATEGY, build_strategy
from sources.prebuilt import prebuilt_file
from threegood.commands.output import show
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER


@click.command(epilog="Example: threegood prebuild .aws-sam/build/McpFunction")
@click.argument("folder", type=A_PATH)
@click.option("--baked", type=A_PATH, default=BAKED_FOLDER, help="The baked registry that it will serve.")
def prebuild(folder: Path, baked: Path) -> None:
    """Prebuild the server of a built function.

    FOLDER is the function's, with its handler.
    """
    registry = BakedRegistry.open(baked)
    server = build_server(registry, build_strategy(DEFAULT_STRATEGY, registry))
    file = Path(prebuilt_file(folder, registry.manifest.digest))
    file.write_bytes(server.prebuild())
    show([f"{file}: prebuilt"])
