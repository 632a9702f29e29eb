"""What signs: a private key in a file (`private_keys`) or in an agent (`agent`)."""

from typing import Protocol

from threegood.trust.keys import PublicKey


class KeyUnusable(Exception):
    """The private key cannot sign; the message has the reason and the remedy."""


class Signer(Protocol):
    """A private key that signs bytes; where it lies is its own affair."""

    @property
    def public(self) -> PublicKey:
        """Its public half."""
        ...

    def sign(self, data: bytes) -> bytes:
        """The Ed25519 signature of `data` (RFC 8032, section 5.1.6), 64 bytes.

        Raises:
            KeyUnusable: it did not sign.
        """
        ...
