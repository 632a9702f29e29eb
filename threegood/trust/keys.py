"""Ed25519 public keys (RFC 8032): 32 bytes, read from and written in each of their spellings."""

import base64
import binascii
import json
from pathlib import Path
from typing import Any, Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

__all__ = ["DEMONSTRATION_KEY", "SPELLINGS", "NoPublicKey", "PublicKey"]

_PREFIX: Final = "ed25519:"
_PUBKY_PREFIX: Final = "pk:"
_KEY_BYTES: Final = 32
_HEX_DIGITS: Final = 64
# z-base-32 (Zooko O'Whielacronx): base32 of RFC 4648, section 6, with other characters and without padding.
_ALPHABET: Final = "ybndrfg8ejkmcpqxot1uwisza345h769"
_FROM_RFC: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET)
_TO_RFC: Final = str.maketrans(_ALPHABET, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
_Z_CHARACTERS: Final = 52
_PADDING: Final = "===="
_PEM: Final = "-----BEGIN"

SPELLINGS: Final = (
    '"ed25519:" and 64 hexadecimal digits, the digits alone, 52 characters of z-base-32, also after "pk:", '
    "PEM (PUBLIC KEY), or a JWK (OKP, Ed25519)"
)


class NoPublicKey(ValueError):
    """A text that is a public key in none of the spellings."""

    def __init__(self, text: str) -> None:
        if "PRIVATE KEY" in text:  # not shown
            super().__init__(
                "This is a private key, and a public one is wanted: `threegood pubkey` prints it."
            )
            return
        shown = text if len(text) <= _Z_CHARACTERS else f"{text[:_Z_CHARACTERS]}…"
        super().__init__(f'"{shown}" is no Ed25519 public key. Write it as {SPELLINGS}.')


class PublicKey:
    """An Ed25519 public key; two are equal if their bytes are."""

    def __init__(self, raw: bytes) -> None:
        """The key of these 32 bytes.

        Raises:
            ValueError: there are more or fewer.
        """
        if len(raw) != _KEY_BYTES:
            raise ValueError(f"An Ed25519 public key has {_KEY_BYTES} bytes, not {len(raw)}.")
        self.raw = raw

    @classmethod
    def parse(cls, text: str) -> Self:
        """The key in any of its spellings.

        Raises:
            NoPublicKey: it is none of them.
        """
        text = text.strip()
        try:
            return cls(_raw(text))
        except (ValueError, LookupError, TypeError, UnsupportedAlgorithm):
            raise NoPublicKey(text) from None

    @classmethod
    def read(cls, text: str) -> Self:
        """The same; or the key in the file that `text` names, if there is such a file.

        Raises:
            NoPublicKey: neither is one.
            OSError: the file cannot be read.
        """
        try:
            return cls.parse(text)
        except NoPublicKey:
            file = Path(text).expanduser()
            if "\n" in text or len(text) > 255 or not file.is_file():
                raise
            return cls.parse(file.read_text(encoding="utf-8", errors="replace"))

    @property
    def hex(self) -> str:
        """64 hexadecimal digits."""
        return self.raw.hex()

    @property
    def zbase32(self) -> str:
        """52 characters of z-base-32, as PKARR and Pubky write a key after `pk:`."""
        return _zbase32(self.raw)

    @property
    def pem(self) -> str:
        """SubjectPublicKeyInfo in PEM (RFC 8410), without a newline at its end, as OpenSSL reads it."""
        encoded = self._key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return encoded.decode("ascii").strip()

    @property
    def jwk(self) -> dict[str, str]:
        """A JSON Web Key (RFC 8037, section 2)."""
        x = base64.urlsafe_b64encode(self.raw).rstrip(b"=").decode("ascii")
        return {"kty": "OKP", "crv": "Ed25519", "x": x}

    def spellings(self) -> dict[str, Any]:
        """The key in every spelling, by name."""
        return {"hex": self.hex, "zbase32": self.zbase32, "pem": self.pem, "jwk": self.jwk}

    def verifies(self, signature: bytes, data: bytes) -> bool:
        """Whether `signature` was made over `data` with the private half of this key."""
        try:
            self._key().verify(signature, data)
        except (ValueError, InvalidSignature):
            return False
        return True

    def _key(self) -> Ed25519PublicKey:
        return Ed25519PublicKey.from_public_bytes(self.raw)

    def __str__(self) -> str:
        """`ed25519:` and 64 hexadecimal digits, as `curator.pubkey` states it."""
        return _PREFIX + self.hex

    def __repr__(self) -> str:
        return f"PublicKey({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)


def _raw(text: str) -> bytes:
    if _PEM in text:
        return _from_pem(text)
    if text.startswith("{"):
        return _from_jwk(json.loads(text))
    digits = text.removeprefix(_PREFIX)
    if len(digits) == _HEX_DIGITS:
        return binascii.unhexlify(digits)
    return _from_zbase32(text.removeprefix(_PUBKY_PREFIX))


def _from_pem(text: str) -> bytes:
    key = load_pem_public_key(text.encode("utf-8"))
    if not isinstance(key, Ed25519PublicKey):
        raise TypeError(key)
    return key.public_bytes_raw()


def _from_jwk(jwk: dict[str, Any]) -> bytes:
    if (jwk["kty"], jwk["crv"]) != ("OKP", "Ed25519"):
        raise LookupError(jwk["crv"])
    x: str = jwk["x"]
    raw = base64.b64decode(x + "=" * (-len(x) % 4), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(raw).rstrip(b"=") != x.encode("ascii"):
        raise ValueError(x)  # bits after the last byte: another text for the same key
    return raw


def _from_zbase32(text: str) -> bytes:
    if len(text) != _Z_CHARACTERS or not frozenset(_ALPHABET).issuperset(text):
        raise ValueError(text)
    raw = base64.b32decode(text.translate(_TO_RFC) + _PADDING)
    if _zbase32(raw) != text:
        raise ValueError(text)  # bits after the last byte: another text for the same key
    return raw


def _zbase32(raw: bytes) -> str:
    return base64.b32encode(raw).decode("ascii").rstrip("=").translate(_FROM_RFC)


DEMONSTRATION_KEY: Final = PublicKey.parse(
    "ed25519:a31f27aad48bfeb9b58857123808ac0fc17ef8570c396ea5268fd4a4d540a68f"
)
"""The key whose private half is public: what it signs proves nobody's judgement, and must say so."""
