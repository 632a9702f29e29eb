"""The canonical form of a registry, which is hashed and signed."""

import json
from typing import Any

from tests.support.registries import a_category, a_registry, content_of, fixture
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes, digest_of


def test_members_are_sorted_and_without_white_space() -> None:
    assert canonical_bytes(validate(fixture("valid"))) == sorted_json(content_of("valid"))


def test_text_is_utf_8_with_the_shortest_escapes() -> None:
    registry = a_registry({"a": a_category('Crème \u20ac \U0001f600 "quoted" back\\slash')})

    assert '"name":"Crème \u20ac \U0001f600 \\"quoted\\" back\\\\slash"'.encode() in canonical_bytes(registry)


def test_a_registry_without_vocabulary_is_its_file_and_nothing_more() -> None:
    canonical = canonical_bytes(validate(fixture("valid")))

    assert digest_of(canonical) == "sha256:40b9bc7c4cbde4c350ae25c6696ce2f9e7cb9a3e6afbbcff921824e514cc63c3"


def test_the_form_has_the_digest_of_the_vocabulary_that_the_files_state() -> None:
    words: dict[str, Any] = {"learn-rust": {"keywords": [], "aliases": ["rustlang"]}, "sourdough-bread": {}}
    topics = [{"name": "Käse", "keywords": ["cheese"]}]
    files: dict[str, Any] = {**words, "out-of-scope": {"topics": topics}}
    vocabulary = {"categories": words, "out_of_scope": topics}

    registry = validate(
        as_json({"$schema": "a", **content_of("valid")}),
        {f"vocabulary/{name}.json": as_json({"$schema": "b", **each}) for name, each in files.items()},
    )

    assert canonical_bytes(registry) == sorted_json(
        {**content_of("valid"), "vocabulary": digest_of(sorted_json(vocabulary))}
    )


def test_a_part_of_the_vocabulary_that_has_no_file_is_not_in_its_form() -> None:
    topics = {"vocabulary/out-of-scope.json": b'{"topics": []}'}

    canonical = json.loads(canonical_bytes(validate(fixture("valid"), topics)))

    assert canonical["vocabulary"] == digest_of(b'{"out_of_scope":[]}')


def sorted_json(content: Any) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def as_json(content: Any) -> bytes:
    return json.dumps(content).encode()
