"""Private keys in files: made, written, encrypted if wanted, and read."""

import os
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_ssh_private_key,
)

from threegood.trust.keys import PublicKey
from threegood.trust.signer import KeyUnusable

__all__ = ["FileSigner", "key_to_openssh", "key_to_pem", "new_key", "read_key", "write_secret"]

_OPENSSH: Final = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_ENCRYPTED: Final = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"
_MAKE_ONE: Final = "`threegood keygen FILE` makes one."


class PassphraseNeeded(KeyUnusable):
    """The key file is encrypted, and no passphrase was given."""


class FileSigner:
    """A private key in memory, which signs."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes_raw())

    def sign(self, data: bytes) -> bytes:
        """The signature of `data`, 64 bytes. Same data and key, same signature."""
        return self._key.sign(data)


def new_key() -> Ed25519PrivateKey:
    """A new private key from the operating system's random source."""
    return Ed25519PrivateKey.generate()


def key_to_pem(key: Ed25519PrivateKey, passphrase: str | None = None) -> bytes:
    """The private key in PEM (PKCS #8), as `read_key` and OpenSSL read it; a passphrase encrypts it."""
    encryption = BestAvailableEncryption(passphrase.encode("utf-8")) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def key_to_openssh(key: Ed25519PrivateKey) -> bytes:
    """The private key in the format of OpenSSH, not encrypted, as `ssh-add` reads it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())


def write_secret(file: Path, secret: bytes) -> None:
    """Create `file` so that only its owner can read it, from the first moment.

    Raises:
        FileExistsError: there is such a file.
        OSError: it cannot be written.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(secret)


def read_key(file: Path, passphrase: str | None = None) -> FileSigner:
    """The private key in a file: PEM (PKCS #8), or the format of OpenSSH if it is not encrypted.

    Raises:
        PassphraseNeeded: the file is encrypted, and there is no `passphrase`.
        KeyUnusable: the file cannot be read, holds no Ed25519 private key, or has another passphrase.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise KeyUnusable(f"{file}: the key file cannot be read ({error.strerror}).") from error
    if _ENCRYPTED in content and not passphrase:
        raise PassphraseNeeded(
            f"{file}: this key is encrypted. Give its passphrase on a terminal, or by THREEGOOD_PASSPHRASE."
        )
    load = load_ssh_private_key if _OPENSSH in content else load_pem_private_key
    password = passphrase.encode("utf-8") if passphrase and _ENCRYPTED in content else None
    try:
        key = load(content, password=password)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # The library's message may quote the file, so it is not repeated.
        if password:
            raise KeyUnusable(
                f"{file}: this is not the passphrase of the key, or the file is damaged."
            ) from None
        raise KeyUnusable(
            f"{file}: this is no private key in PEM, nor one of OpenSSH without a passphrase. {_MAKE_ONE}"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(f"{file}: this is a private key, but not an Ed25519 one. {_MAKE_ONE}")
    return FileSigner(key)
