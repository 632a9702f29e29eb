"""`threegood keygen`: a new pair of keys; the private one stays in a file, the public one is printed."""

import argparse
import os
from pathlib import Path

from threegood.baking.sign import key_to_pem, new_key, pubkey_of
from threegood.commands.output import done, unable


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("keygen", help="make a key to sign with, and print its public half")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="where to put the private key; must not exist yet"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    file: Path = options.file
    key = new_key()
    try:
        _write_secret(file, key_to_pem(key))
    except FileExistsError:
        return unable(f"{file}: this file exists, and no key is overwritten. Name another file.")
    except OSError as error:
        return unable(f"{file}: the key cannot be written ({error.strerror}).")
    return done(pubkey_of(key))


def _write_secret(file: Path, secret: bytes) -> None:
    """Creates `file`, from its first moment readable by nobody but its owner."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(secret)
