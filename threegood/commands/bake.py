"""`python -m threegood bake`: a registry checked, signed if there is a key, and written as it is deployed."""

import argparse
from pathlib import Path
from typing import Final

from sources.baked import BakedRegistry
from threegood.baking.bake import FolderTaken, SignatureAtStake, bake
from threegood.baking.sign import KeyUnusable, read_key
from threegood.commands.output import done, faulty, remark, unable
from threegood.commands.report import warnings
from threegood.registry.faults import FaultyRegistry
from threegood.registry.records import Registry
from threegood.registry.validate import validate

_GO_ON: Final = (
    "Bake with its key: KEY=FILE for make, --key FILE for this command. "
    "If it shall lose its signature, say so: UNSIGNED=1 or --unsigned."
)

_MOST_WARNINGS: Final = 10


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("bake", help="turn a registry into the folder that is deployed")
    parser.add_argument(
        "registry", nargs="?", type=Path, default=Path("registry.json"), help="default: %(default)s"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("layers/registry/baked"), help="default: %(default)s"
    )
    signing = parser.add_mutually_exclusive_group()
    signing.add_argument(
        "--key", type=_key_file, metavar="FILE", help="private key to sign with; default: not signed"
    )
    signing.add_argument(
        "--unsigned", action="store_true", help="replace even a signed registry by one that is not"
    )
    parser.set_defaults(run=_run)


def _key_file(text: str) -> Path:
    """A file that may begin with ~, since not every shell replaces it in `make bake KEY=~/file.key`."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # a ~ that is nobody's home: then it is part of the name
        return Path(text)


def _warn(file: Path, registry: Registry, out: Path) -> None:
    """Says what is valid and still not as it should be, but does not go on for ever about it."""
    told = warnings(registry, BakedRegistry.open(out).lexicon())
    for sentence in told[:_MOST_WARNINGS]:
        remark(f"{file}: {sentence}")
    if len(told) > _MOST_WARNINGS:
        remark(f"{file}: {len(told) - _MOST_WARNINGS} more like these; python -m threegood report tells all.")


def _run(options: argparse.Namespace) -> int:
    file: Path = options.registry
    out: Path = options.out
    try:
        key = None if options.key is None else read_key(options.key)
        registry = validate(file.read_bytes())
        bake(registry, out, key=key, give_up_signature=options.unsigned)
    except FaultyRegistry as refusal:
        return faulty(file, refusal)
    except (KeyUnusable, FolderTaken) as refusal:
        return unable(refusal)
    except SignatureAtStake as refusal:
        return unable(f"{refusal} {_GO_ON}")
    except OSError as error:
        return unable(f"{error.filename or out}: {error.strerror}.")
    _warn(file, registry, out)
    return done(
        f"{out}: baked, {'not signed' if key is None else 'signed'}; categories: {len(registry.categories)}"
    )
