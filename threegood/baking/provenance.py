"""The answer of `get_provenance`: whose registry it is, what is signed, and how to verify that."""

import shlex
from collections.abc import Iterator
from typing import Final, cast

from sources.answers import CuratorKey, KeySpellings, ProvenanceResult
from threegood.baking.rendered import Rendered, paragraphs, rendered
from threegood.registry.records import Registry
from threegood.trust.checks import Signing
from threegood.trust.keys import PublicKey
from threegood.trust.statement import RegistrySignature

_DIGEST: Final = (
    "GET /registry is the registry in canonical form (RFC 8785), with the digest of its vocabulary as one "
    "more member; the SHA-256 hash of these bytes is the digest."
)
_SIGNED: Final = (
    "The statement has the digest and the root of a Merkle tree over the categories, and the signature is "
    "Ed25519 (RFC 8032) over its bytes: whoever has the private key has stated this registry. Whose key it "
    "is, is not proven here: compare it with one that you have from the curator."
)
_DEMONSTRATION: Final = (
    "This is the demonstration key, which is published with the project, so that anyone can sign with it: "
    "the signature proves nobody's judgement."
)
_EDITED: Final = (
    "The registry was edited since the curator signed it, so no signature covers it: the digest shows what "
    "is published, but not by whom."
)
_UNSIGNED: Final = "This registry is not signed, so the digest shows what is published, but not by whom."


def render_provenance(registry: Registry, signing: Signing, *, digest: str, root: str) -> Rendered:
    """The registry's curator, version, digest and signature, and how to verify them."""
    curator, key = registry.curator, PublicKey.parse(registry.curator.pubkey)
    signature = signing.signature
    statement = None if signature is None else signature.statement
    structured = ProvenanceResult(
        curator=CuratorKey(
            name=curator.name, pubkey=str(key), spellings=cast("KeySpellings", key.spellings())
        ),
        version=registry.version,
        updated=registry.updated,
        digest=digest,
        root=root,
        status=signing.status,
        demonstration=statement is not None and statement.demonstration,
        statement=None if signature is None else signature.signed.statement,
        signature=None if signature is None else signature.signed.signature,
        signed_at=None if statement is None else statement.signed_at,
        expires_at=None if statement is None else statement.expires_at,
        categories=len(registry.categories),
        endorsements=len(registry.endorsements),
        verification=f"{_DIGEST} {_meaning(signing)}",
        steps=list(_steps(digest, signature)),
    )
    return rendered(structured, _text(structured))


def _meaning(signing: Signing) -> str:
    if signing.signature is None:
        return _EDITED if signing.status == "edited" else _UNSIGNED
    return f"{_SIGNED} {_DEMONSTRATION}" if signing.signature.statement.demonstration else _SIGNED


def _steps(digest: str, signature: RegistrySignature | None) -> Iterator[str]:
    """Commands for a POSIX shell with curl and OpenSSL 3, run one after the other; each fails if it fails."""
    hexadecimal = digest.removeprefix("sha256:")
    yield 'curl -fsS "$NODE/registry" -o registry.canonical'
    yield f"openssl dgst -sha256 registry.canonical | grep {hexadecimal}"
    if signature is None:
        return
    statement, key = signature.signed.statement, signature.key
    yield f"printf %s {shlex.quote(statement)} > statement"
    yield f"grep {digest} statement"
    yield f"echo {signature.signed.signature} | openssl base64 -d -A > signature"
    yield f"echo {shlex.quote(key.pem)} > key.pem"
    yield "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in statement -sigfile signature"


def _text(found: ProvenanceResult) -> str:
    lines = (
        f"Curator: {found['curator']['name']}",
        f"Public key: {found['curator']['pubkey']}",
        f"The same key in z-base-32 (PKARR): {found['curator']['spellings']['zbase32']}",
        f"Registry version: {found['version']}, updated {found['updated']}",
        f"Categories: {found['categories']}; endorsements: {found['endorsements']}",
        f"Digest: {found['digest']}",
        f"Root: {found['root']}",
        f"Status: {found['status']}{', by a demonstration key' if found['demonstration'] else ''}",
        f"Signature: {found['signature'] or 'none'}",
        *([f"Signed {found['signed_at']}, valid until {found['expires_at']}"] if found["signature"] else []),
    )
    steps = "\n".join(["With NODE set to the address of this server without /mcp:", *found["steps"]])
    return paragraphs("\n".join(lines), found["verification"], steps)
