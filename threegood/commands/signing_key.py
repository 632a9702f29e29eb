"""The private key of a command: from a file, with its passphrase if it has one, or from an agent."""

import os
import sys
from pathlib import Path
from typing import Final

import click

from threegood.commands.output import CannotBegin
from threegood.trust.agent import AgentSigner
from threegood.trust.keys import PublicKey
from threegood.trust.private_keys import FileSigner, PassphraseNeeded, read_key

PASSPHRASE: Final = "THREEGOOD_PASSPHRASE"
"""The environment variable with the passphrase, for scripts."""

passphrase_file_option = click.option(
    "--passphrase-file",
    metavar="FILE",
    help=f"The file whose first line is the passphrase; or set {PASSPHRASE}. Without, a terminal is asked.",
)


def signer_from_file(file: str, passphrase_file: str | None) -> FileSigner:
    """The private key in `file`; a terminal is asked for the passphrase that it needs.

    Raises:
        KeyUnusable: it cannot be read, or the passphrase is missing or wrong.
    """
    path = expanded(file)
    given = given_passphrase(passphrase_file)
    try:
        return read_key(path, given)
    except PassphraseNeeded:
        if not sys.stdin.isatty():
            raise
        return read_key(path, click.prompt(f"Passphrase of {path}", hide_input=True, err=True))


def signer_from_agent(key: PublicKey) -> AgentSigner:
    """That key in the agent of SSH_AUTH_SOCK.

    Raises:
        KeyUnusable: no agent answers, or it does not have this key.
    """
    return AgentSigner.open(key)


def new_passphrase(passphrase_file: str | None) -> str:
    """The passphrase for a new key: given, or asked for twice."""
    given = given_passphrase(passphrase_file)
    if given:
        return given
    if not sys.stdin.isatty():
        raise CannotBegin(
            f"There is no terminal to ask for the passphrase: set {PASSPHRASE}, or name --passphrase-file."
        )
    entered: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return entered


def given_passphrase(passphrase_file: str | None) -> str:
    """The passphrase of the file or else of the environment; empty if there is none."""
    if passphrase_file is None:
        return os.environ.get(PASSPHRASE, "")
    lines = expanded(passphrase_file).read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0]:
        raise CannotBegin(f"{passphrase_file}: the first line is empty; it should be the passphrase.")
    return lines[0]


def expanded(file: str) -> Path:
    """The path that `file` names; not every shell replaces the ~ of `KEY=~/file.key`."""
    return Path(os.path.expanduser(file))
