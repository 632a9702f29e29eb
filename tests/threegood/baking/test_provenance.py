"""The answer of `get_provenance`, as it is baked."""

import json
from typing import Any, Final

from pydantic import TypeAdapter

from sources.answers import ProvenanceResult
from tests.support.registries import CURATOR, fixture, signing_by
from threegood.baking.provenance import render_provenance
from threegood.baking.rendered import Rendered
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.checks import UNSIGNED, Signing

REGISTRY: Final = validate(fixture("valid"))
DIGEST: Final = digest_of(canonical_bytes(REGISTRY))


def provenance(signing: Signing) -> Rendered:
    return render_provenance(REGISTRY, signing, digest=DIGEST, root="sha256:12")


def says(signing: Signing) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(provenance(signing).structured)
    return content


def test_it_names_curator_key_digest_and_signature() -> None:
    signing = signing_by(CURATOR, REGISTRY, valid_seconds=86_400)
    assert signing.signature is not None
    found = says(signing)
    verification, steps = found.pop("verification"), found.pop("steps")

    assert found == {
        "curator": {
            "name": "Ada Example",
            "pubkey": str(CURATOR.public),
            "spellings": CURATOR.public.spellings(),
        },
        "version": "1.2.0",
        "updated": "2026-03-31",
        "digest": DIGEST,
        "root": "sha256:12",
        "status": "signed",
        "demonstration": False,
        "statement": signing.signature.signed.statement,
        "signature": signing.signature.signed.signature,
        "signed_at": "2026-11-22T00:00:00Z",
        "expires_at": "2026-11-23T00:00:00Z",
        "categories": 2,
        "endorsements": 1,
    }
    assert "whoever has the private key has stated this registry" in verification
    assert (steps[0], len(steps)) == ('curl -fsS "$NODE/registry" -o registry.canonical', 7)
    text = provenance(signing).text
    assert all(each in text for each in ("Status: signed\n", verification, *steps, CURATOR.public.zbase32))


def test_without_a_signature_it_says_what_the_digest_proves() -> None:
    unsigned, edited = says(UNSIGNED), says(Signing("edited"))

    assert (unsigned["signature"], unsigned["status"], edited["status"]) == (None, "unsigned", "edited")
    assert "Signature: none\n" in provenance(UNSIGNED).text
    assert unsigned["verification"].endswith("the digest shows what is published, but not by whom.")
    assert "The registry was edited since the curator signed it" in edited["verification"]
    assert len(unsigned["steps"]) == 2


def test_it_fits_its_output_type() -> None:
    for signing in (UNSIGNED, signing_by(CURATOR, REGISTRY)):
        TypeAdapter(ProvenanceResult).validate_json(provenance(signing).structured, strict=True)
