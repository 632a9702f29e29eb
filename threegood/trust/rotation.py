"""The rotation of a curator's key: the old key signs a statement that names the new one."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import rfc8785

from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.signer import Signer
from threegood.trust.statement import MalformedSignature, Signed, sign_text, utc

__all__ = ["Rotation", "leads_to", "sign_rotation"]

KIND: Final = "three-good-sources/rotation"


class Rotation(NamedTuple):
    """That the curator signs with `new_key` instead of `old_key` (`ed25519:<hex>`), since `rotated_at`."""

    new_key: str
    old_key: str
    rotated_at: str

    def text(self) -> str:
        """The text whose bytes are signed (RFC 8785)."""
        return rfc8785.dumps({"kind": KIND, **self._asdict()}).decode("utf-8")

    @classmethod
    def parse(cls, signed: Signed) -> Self:
        """The rotation that `signed` states.

        Raises:
            MalformedSignature: it is none, is not in canonical form, or the old key did not sign it.
        """
        try:
            members: dict[str, Any] = json.loads(signed.statement)
            if members.pop("kind") != KIND:
                raise ValueError("kind")
            rotation = cls(**members)
            keys = [PublicKey.parse(each) for each in (rotation.old_key, rotation.new_key)]
        except (ValueError, TypeError, LookupError, AttributeError, NoPublicKey):
            raise MalformedSignature(f'This is no statement of the kind "{KIND}".') from None
        if rotation.text() != signed.statement or PublicKey.parse(signed.key) != keys[0]:
            raise MalformedSignature("A rotation of the key is not signed by the old key.")
        if not signed.verified():
            raise MalformedSignature("The signature of a rotation of the key does not verify.")
        return rotation


def sign_rotation(old: Signer, new_key: PublicKey, *, now: float) -> Signed:
    """The statement that `new_key` follows the key of `old`, signed by that one.

    Raises:
        KeyUnusable: the signer did not sign.
    """
    return sign_text(Rotation(str(new_key), str(old.public), utc(now)).text(), old)


def leads_to(rotations: Sequence[Signed], old_key: PublicKey, new_key: PublicKey) -> bool:
    """Whether these rotations, oldest first, lead from one key to the other without a gap.

    Raises:
        MalformedSignature: one of them is none.
    """
    steps = [Rotation.parse(each) for each in rotations]
    current = str(old_key)
    for step in steps:
        if step.old_key == current:
            current = step.new_key
    return current == str(new_key)
