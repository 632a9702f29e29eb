"""The checks of a registry against its `registry.sig`, each with a name by which failures are told apart."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from threegood.registry.records import Registry
from threegood.trust.keys import DEMONSTRATION_KEY, PublicKey
from threegood.trust.rotation import Rotation
from threegood.trust.statement import MalformedSignature, RegistrySignature, Statement, root_of

__all__ = ["UNSIGNED", "Finding", "SignatureInvalid", "Signing", "check_signature", "signing_of"]

Status: TypeAlias = Literal["signed", "edited", "unsigned"]

DIGEST: Final = "digest"
EXPIRY: Final = "expiry"


class Finding(NamedTuple):
    """What one check has found; `check` is its name, which stays the same."""

    check: str
    ok: bool
    says: str


class SignatureInvalid(Exception):
    """A signature that states this registry's digest, and is wrong nevertheless."""


class Signing(NamedTuple):
    """Whether a registry is signed as it is now; `signature` is there only if it is."""

    status: Status = "unsigned"
    signature: RegistrySignature | None = None


UNSIGNED: Final = Signing()


def signing_of(registry: Registry, digest: str, signature: RegistrySignature | None) -> Signing:
    """How the registry with that digest stands to its `registry.sig`; an expired signature counts.

    Raises:
        SignatureInvalid: the signature is one of this digest, and a check fails.
    """
    if signature is None:
        return UNSIGNED
    if signature.statement.digest != digest:
        return Signing("edited")
    failed = [each for each in check_signature(registry, digest, signature, now=0) if not each.ok]
    if failed:
        raise SignatureInvalid(" ".join(f"{each.check}: {each.says}" for each in failed))
    return Signing("signed", signature)


def check_signature(
    registry: Registry,
    digest: str,
    signature: RegistrySignature,
    *,
    now: float,
    pinned: PublicKey | None = None,
) -> Iterator[Finding]:
    """All checks of a registry with that digest; `pinned` is the key that the curator is known to have."""
    statement, key = signature.statement, signature.key
    yield _finding("signature", signature.signed.verified(), f"by {key}", "It does not verify with its key.")
    yield _equal(DIGEST, statement.digest, digest)
    yield _equal("curator key", str(key), registry.curator.pubkey)
    if pinned is not None:
        yield _equal("pinned key", str(key), str(pinned))
    yield _equal("version", statement.version, registry.version)
    yield _equal("curator", statement.curator, registry.curator.name)
    yield _equal("categories", statement.categories, len(registry.categories))
    yield _equal("root", statement.root, root_of(registry))
    yield _demonstration(statement, key)
    yield _rotations(signature)
    yield _expiry(statement, now)


def _finding(check: str, ok: bool, says: str, otherwise: str) -> Finding:
    return Finding(check, ok, says if ok else otherwise)


def _equal(check: str, stated: object, found: object) -> Finding:
    return _finding(check, stated == found, str(found), f"The signature is for {stated}; here it is {found}.")


def _demonstration(statement: Statement, key: PublicKey) -> Finding:
    otherwise = (
        "The demonstration key signed, and the statement does not say so."
        if key == DEMONSTRATION_KEY
        else "It is labelled as a demonstration, and another key signed."
    )
    says = "the demonstration key: it proves nobody's judgement" if statement.demonstration else "no"
    return _finding("demonstration", statement.demonstration == (key == DEMONSTRATION_KEY), says, otherwise)


def _rotations(signature: RegistrySignature) -> Finding:
    try:
        steps = [Rotation.parse(each) for each in signature.rotations]
    except MalformedSignature as error:
        return Finding("rotation", False, str(error))
    keys = [step.old_key for step in steps] + [str(signature.key)]
    joined = all(step.new_key == following for step, following in zip(steps, keys[1:], strict=True))
    return _finding("rotation", joined, f"{len(steps)} so far", "The rotations do not lead to this key.")


def _expiry(statement: Statement, now: float) -> Finding:
    return _finding(
        EXPIRY,
        not statement.expired(now),
        f"valid until {statement.expires_at}",
        f"It expired on {statement.expires_at}: the curator has not renewed it.",
    )
