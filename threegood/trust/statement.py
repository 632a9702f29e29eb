"""What a curator signs about a registry, and the file `registry.sig` that carries it, beside `registry.json`.

    {"statement": "<text>", "key": "ed25519:<hex>", "signature": "<base64 of 64 bytes>", "rotations": [...]}

The signature is Ed25519 (RFC 8032) over the UTF-8 bytes of `statement`, which is the RFC 8785 form of a
`Statement`. `rotations` is there only if the key has changed: signed statements by which each former key
named the next one, oldest first (see `rotation`).
"""

import base64
import binascii
import json
import time
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import rfc8785

from sources.answers import SignedStatement
from threegood.registry.records import Registry
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.category_tree import category_root
from threegood.trust.keys import DEMONSTRATION_KEY, NoPublicKey, PublicKey
from threegood.trust.signer import Signer

__all__ = [
    "MalformedSignature",
    "RegistrySignature",
    "Signed",
    "Statement",
    "root_of",
    "sign_registry",
    "sign_text",
    "signature_file",
    "utc",
]

KIND: Final = "three-good-sources/registry"
_SIGNATURE_BYTES: Final = 64
_TYPES: Final = {"categories": int, "demonstration": bool}  # the others are texts


class MalformedSignature(Exception):
    """A `registry.sig`, or a part of it, is not of the form that this version reads."""


class Statement(NamedTuple):
    """What is signed: which registry, whose, and from when until when.

    `digest` is that of the canonical registry, `root` that of the Merkle tree over its categories, both as
    `sha256:` and hexadecimal digits; times are UTC, as `2026-11-22T00:00:00Z`.
    """

    categories: int
    curator: str
    digest: str
    expires_at: str
    root: str
    signed_at: str
    version: str
    demonstration: bool = False

    def text(self) -> str:
        """The text whose bytes are signed."""
        members: dict[str, Any] = {"kind": KIND, **self._asdict()}
        if not self.demonstration:
            del members["demonstration"]
        return rfc8785.dumps(members).decode("utf-8")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The statement that `text` is.

        Raises:
            MalformedSignature: it is none, or not in its canonical form.
        """
        try:
            members = json.loads(text)
            if members.pop("kind") != KIND:
                raise ValueError("kind")
            statement = cls(**members)
            if not all(isinstance(value, _TYPES.get(name, str)) for name, value in members.items()):
                raise TypeError(members)
            canonical = statement.text()
        except (ValueError, TypeError, LookupError, AttributeError, rfc8785.CanonicalizationError):
            raise MalformedSignature(f'The statement is no statement of the kind "{KIND}".') from None
        if canonical != text:
            raise MalformedSignature("The statement is not in its canonical form (RFC 8785).")
        return statement

    def expired(self, now: float) -> bool:
        """Whether it was valid until before `now`, in seconds since the epoch."""
        return self.expires_at <= utc(now)


class Signed(NamedTuple):
    """A text, the key that signed it, and the signature, in Base64."""

    statement: str
    key: str
    signature: str

    def verified(self) -> bool:
        """Whether the signature was made over the statement with the private half of the key."""
        try:
            signature = base64.b64decode(self.signature, validate=True)
            return len(signature) == _SIGNATURE_BYTES and PublicKey.parse(self.key).verifies(
                signature, self.statement.encode("utf-8")
            )
        except (binascii.Error, NoPublicKey, UnicodeEncodeError):
            return False


class RegistrySignature(NamedTuple):
    """The content of `registry.sig`."""

    signed: Signed
    rotations: tuple[Signed, ...] = ()

    @property
    def key(self) -> PublicKey:
        """The key that signed; `NoPublicKey` was raised when it was read, if it is none."""
        return PublicKey.parse(self.signed.key)

    @property
    def statement(self) -> Statement:
        """What was signed.

        Raises:
            MalformedSignature: it is no statement about a registry.
        """
        return Statement.parse(self.signed.statement)

    def content(self) -> SignedStatement:
        """The three members that every answer with a proof has."""
        statement, key, signature = self.signed
        return SignedStatement(statement=statement, key=key, signature=signature)

    def to_bytes(self) -> bytes:
        """The file: JSON, indented by two spaces."""
        members: dict[str, Any] = self.signed._asdict()
        if self.rotations:
            members["rotations"] = [each._asdict() for each in self.rotations]
        return (json.dumps(members, indent=2, ensure_ascii=False) + "\n").encode("utf-8")

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What the file says; its signature is not verified.

        Raises:
            MalformedSignature: it is no such file.
        """
        try:
            members = json.loads(data)
            rotations = members.pop("rotations", [])
            signature = cls(_signed(members), tuple(map(_signed, rotations)))
            _ = signature.key, signature.statement
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise MalformedSignature("This is no registry.sig: `threegood sign` writes one.") from error
        return signature

    @classmethod
    def beside(cls, registry: Path) -> Self | None:
        """That of the registry file `registry`: `registry.sig` for `registry.json`; None if there is none.

        Raises:
            MalformedSignature: the file is there, and is none.
        """
        file = signature_file(registry)
        try:
            return cls.from_bytes(file.read_bytes())
        except FileNotFoundError:
            return None
        except MalformedSignature as error:
            raise MalformedSignature(f"{file}: {error}") from error


def signature_file(registry: Path) -> Path:
    """Where the signature of a registry file lies."""
    return registry.with_suffix(".sig")


def root_of(registry: Registry) -> str:
    """The root over the categories, as `sha256:` and hexadecimal digits."""
    return f"sha256:{category_root(registry).hex()}"


def sign_registry(
    registry: Registry,
    signer: Signer,
    *,
    now: float,
    valid_seconds: float,
    rotations: tuple[Signed, ...] = (),
) -> RegistrySignature:
    """The signature of `registry`, made `now` and valid for so long.

    What the demonstration key signs is labelled as a demonstration.

    Raises:
        KeyUnusable: the signer did not sign.
    """
    statement = Statement(
        categories=len(registry.categories),
        curator=registry.curator.name,
        digest=digest_of(canonical_bytes(registry)),
        expires_at=utc(now + valid_seconds),
        root=root_of(registry),
        signed_at=utc(now),
        version=registry.version,
        demonstration=signer.public == DEMONSTRATION_KEY,
    )
    return RegistrySignature(sign_text(statement.text(), signer), rotations)


def sign_text(text: str, signer: Signer) -> Signed:
    """`text`, signed."""
    signature = base64.b64encode(signer.sign(text.encode("utf-8"))).decode("ascii")
    return Signed(text, str(signer.public), signature)


def utc(seconds: float) -> str:
    """A time in seconds since the epoch as `2026-11-22T00:00:00Z`; such texts sort as the times do."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _signed(members: Any) -> Signed:
    signed = Signed(**members)
    if not all(isinstance(each, str) for each in signed):
        raise TypeError(members)
    return signed
