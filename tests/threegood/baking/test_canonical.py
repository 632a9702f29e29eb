"""The canonical form of a registry, which is hashed and signed."""

import json

from tests.support.registries import a_category, a_registry, content_of, fixture
from threegood.baking.canonical import canonical_bytes, digest_of
from threegood.registry.validate import validate


def test_members_are_sorted_and_without_white_space() -> None:
    expected = json.dumps(content_of("valid"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert canonical_bytes(validate(fixture("valid"))) == expected.encode("utf-8")


def test_text_is_utf_8_with_the_shortest_escapes() -> None:
    registry = a_registry({"a": a_category('Crème \u20ac \U0001f600 "quoted" back\\slash')})

    assert '"name":"Crème \u20ac \U0001f600 \\"quoted\\" back\\\\slash"'.encode() in canonical_bytes(registry)


def test_members_that_the_file_leaves_out_are_not_in_the_form() -> None:
    canonical = canonical_bytes(validate(fixture("valid")))

    assert [name for name in (b"aliases", b"keywords", b"outside") if name in canonical] == []
    assert digest_of(canonical) == "sha256:0b89021879d4f4a01db054fa586c51e23974bef243edd36754980cffdfe22bde"


def test_members_that_the_file_has_are_in_the_form_even_if_they_are_empty() -> None:
    content = content_of("valid")
    content["categories"]["learn-rust"] |= {"aliases": ["rustlang"], "keywords": []}
    content["outside"] = [{"name": "Käse", "keywords": ["cheese"]}]
    expected = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert canonical_bytes(validate(json.dumps(content).encode())) == expected.encode("utf-8")
