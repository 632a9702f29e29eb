"""`threegood prepare`: what a cold start would find out about the server, found out when it is built."""

import argparse
from pathlib import Path

from sources.baked import BakedRegistry, BakedRegistryError
from sources.catalog import build_server
from sources.matching import build_strategy
from sources.prepared import prepared_file
from threegood.commands.output import done, unable


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("prepare", help="put what a cold start needs beside the built function")
    parser.add_argument("folder", type=Path, help="of the built function, where its handler lies")
    parser.add_argument(
        "--baked", type=Path, default=Path("layers/registry/baked"), help="default: %(default)s"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        registry = BakedRegistry.open(options.baked)
        server = build_server(registry, build_strategy("lexicon", registry))
        file = prepared_file(options.folder, registry.manifest.digest)
        file.write_bytes(server.prebuild())
    except BakedRegistryError as refusal:
        return unable(refusal)
    except OSError as error:
        return unable(f"{error.filename or options.folder}: {error.strerror}.")
    return done(f"{file}: prepared")
