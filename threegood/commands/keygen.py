"""`threegood keygen`: a new key pair; the private key goes into a file, the public one is printed."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from threegood.commands.output import CannotBegin, show
from threegood.commands.registry_file import A_PATH
from threegood.commands.signing_key import new_passphrase, passphrase_file_option
from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.private_keys import FileSigner, key_to_openssh, key_to_pem, new_key, write_secret


@click.command(epilog="Example: threegood keygen ~/three-good-sources.key --passphrase")
@click.argument("file", type=A_PATH)
@click.option(
    "--passphrase", is_flag=True, help="Encrypt the file by a passphrase, which is asked for twice."
)
@passphrase_file_option
@click.option("--openssh", is_flag=True, help="Write the format of OpenSSH, which ssh-add reads.")
def keygen(file: Path, passphrase: bool, passphrase_file: str | None, openssh: bool) -> None:
    """Make a key pair.

    The private key is written to FILE, which must not exist and which only you can read; the public key is
    printed in all its spellings. With --openssh the file is not encrypted: `ssh-keygen -p -f FILE` does that.
    """
    encrypted = passphrase or passphrase_file is not None
    if encrypted and openssh:
        raise click.UsageError("--openssh writes no passphrase: use `ssh-keygen -p -f FILE` afterwards.")
    key = new_key()
    secret = key_to_openssh(key) if openssh else key_to_pem(key, _passphrase(encrypted, passphrase_file))
    try:
        write_secret(file, secret)
    except FileExistsError as error:
        raise CannotBegin(
            f"{file}: this file exists, and no key is overwritten. Name another file."
        ) from error
    except OSError as error:
        raise CannotBegin(f"{file}: the key cannot be written ({error.strerror}).") from error
    show(spellings(FileSigner(key).public))


@click.command(epilog="Example: threegood pubkey curator.pem")
@click.argument("key")
def pubkey(key: str) -> None:
    """Print a public key in all its spellings.

    KEY is one of them, or a file with one.
    """
    try:
        show(spellings(PublicKey.read(key)))
    except NoPublicKey as error:
        raise CannotBegin(str(error)) from error


def spellings(key: PublicKey) -> Iterator[str]:
    """The lines that show a public key; the first is what `curator.pubkey` takes."""
    yield str(key)
    yield f"hex       {key.hex}"
    yield f"z-base-32 {key.zbase32}"
    yield f"JWK       {json.dumps(key.jwk)}"
    yield from key.pem.splitlines()


def _passphrase(encrypted: bool, passphrase_file: str | None) -> str:
    return new_passphrase(passphrase_file) if encrypted else ""
