"""Ed25519 keys and signatures (RFC 8032), as the registry writes them: `ed25519:` and hexadecimal digits."""

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from threegood.trust.signer import KeyUnusable

__all__ = ["KeyUnusable", "key_to_pem", "new_key", "pubkey_of", "read_key", "sign", "verified"]

_PREFIX: Final = "ed25519:"


def new_key() -> Ed25519PrivateKey:
    """A new private key from the operating system's random source."""
    return Ed25519PrivateKey.generate()


def key_to_pem(key: Ed25519PrivateKey) -> bytes:
    """The private key in PEM (PKCS #8, not encrypted), as `read_key` and OpenSSL read it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def read_key(file: Path) -> Ed25519PrivateKey:
    """The private key in a PEM file.

    Raises:
        KeyUnusable: the file cannot be read, or holds no Ed25519 private key without a passphrase.
    """
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except OSError as error:
        raise KeyUnusable(f"{file}: the key file cannot be read ({error.strerror}).") from error
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # The library's message may quote the file, so it is not repeated.
        raise KeyUnusable(
            f"{file}: this is no private key in PEM without a passphrase. {_MAKE_ONE}"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(f"{file}: this is a private key, but not an Ed25519 one. {_MAKE_ONE}")
    return key


def pubkey_of(key: Ed25519PrivateKey) -> str:
    """The public half of `key`, as `curator.pubkey` states it."""
    return _PREFIX + key.public_key().public_bytes_raw().hex()


def sign(data: bytes, key: Ed25519PrivateKey, *, pubkey: str) -> str:
    """The signature of `data`, as `ed25519:` and 128 hexadecimal digits. Same data and key, same signature.

    Raises:
        KeyUnusable: `pubkey`, which the registry names, is not the public half of `key`.
    """
    if pubkey_of(key) != pubkey:
        raise KeyUnusable(
            f"The private key belongs to {pubkey_of(key)}, but curator.pubkey in the registry is {pubkey}. "
            "Use the key of that curator, or change curator.pubkey."
        )
    return _PREFIX + key.sign(data).hex()


def verified(data: bytes, signature: str, *, pubkey: str) -> bool:
    """Whether `signature` was made over `data` with the private half of `pubkey`."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(pubkey.removeprefix(_PREFIX)))
        public.verify(bytes.fromhex(signature.removeprefix(_PREFIX)), data)
    except (ValueError, InvalidSignature):
        return False
    return True


_MAKE_ONE: Final = "`threegood keygen FILE` makes one."
