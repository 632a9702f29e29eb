"""`python -m cli bake`: a registry checked, signed if there is a key, and written as it is deployed."""

import argparse
from pathlib import Path

from baking.bake import FolderTaken, bake
from baking.faults import FaultyRegistry
from baking.sign import KeyUnusable, read_key
from baking.validate import validate
from cli.report import done, faulty, unable


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("bake", help="turn a registry into the folder that is deployed")
    parser.add_argument(
        "registry", nargs="?", type=Path, default=Path("registry.json"), help="default: %(default)s"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("layers/registry/baked"), help="default: %(default)s"
    )
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="private key to sign with; default: not signed"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    file: Path = options.registry
    out: Path = options.out
    try:
        key = None if options.key is None else read_key(options.key)
        registry = validate(file.read_bytes())
        bake(registry, out, key=key)
    except FaultyRegistry as refusal:
        return faulty(file, refusal)
    except (KeyUnusable, FolderTaken) as refusal:
        return unable(refusal)
    except OSError as error:
        return unable(f"{error.filename or out}: {error.strerror}.")
    return done(
        f"{out}: baked, {'not signed' if key is None else 'signed'}; categories: {len(registry.categories)}"
    )
