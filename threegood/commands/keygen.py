"""`threegood keygen`: a new key pair; the private key goes into a file, the public one is printed."""

import os
from pathlib import Path

import click

from threegood.baking.sign import key_to_pem, new_key, pubkey_of
from threegood.commands.output import CannotBegin, show
from threegood.commands.registry_file import A_PATH


@click.command(epilog="Example: threegood keygen ~/three-good-sources.key")
@click.argument("file", type=A_PATH)
def keygen(file: Path) -> None:
    """Make a key pair.

    The private key is written to FILE, which must not exist; the public key is printed.
    """
    key = new_key()
    try:
        _write_secret(file, key_to_pem(key))
    except FileExistsError as error:
        raise CannotBegin(
            f"{file}: this file exists, and no key is overwritten. Name another file."
        ) from error
    except OSError as error:
        raise CannotBegin(f"{file}: the key cannot be written ({error.strerror}).") from error
    show([pubkey_of(key)])


def _write_secret(file: Path, secret: bytes) -> None:
    """Create `file` so that only its owner can read it, from the first moment."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(secret)
