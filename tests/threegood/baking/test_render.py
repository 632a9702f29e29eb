"""The answers of the tools, as they are rendered at build time."""

import json
from typing import Any

from pydantic import TypeAdapter

from sources.answers import CategoriesResult, CategoryAnswer, EndorsementsResult, ProvenanceResult
from tests.support.registries import a_category, a_registry, content_of, fixture
from threegood.baking.render import (
    Rendered,
    render_categories,
    render_category,
    render_endorsements,
    render_provenance,
)
from threegood.registry.validate import validate

REGISTRY = validate(fixture("valid"))
SOURDOUGH = render_category("sourdough-bread", REGISTRY.categories["sourdough-bread"])


def says(rendered: Rendered) -> Any:
    return json.loads(rendered.structured)


def test_the_text_of_a_category_has_rank_name_type_url_and_reason_of_each_source() -> None:
    assert SOURDOUGH.text == (
        "Sourdough Bread\n"
        "Bread from a starter: flour, water, salt and time.\n"
        "\n"
        "1. First Loaf (tutorial)\n"
        "   https://bread.example/first-loaf\n"
        "   Why: One loaf, every step with a picture.\n"
        "\n"
        "2. The Old Mill (article)\n"
        "   http://mill.example/flour\n"
        "   Why: Explains flours as nobody else does.\n"
        "   Plain http, because: The mill's site has no certificate.\n"
        "\n"
        "3. Kneading (video)\n"
        "   https://video.example/kneading\n"
        "   Why: Shows how wet dough is folded and shaped."
    )


def test_the_list_of_categories_is_sorted_by_slug() -> None:
    registry = a_registry({"b": a_category("Bees"), "a": a_category("Apples")})

    assert says(render_categories(registry)) == {
        "count": 2,
        "categories": [
            {"slug": "a", "name": "Apples", "description": "All about Apples."},
            {"slug": "b", "name": "Bees", "description": "All about Bees."},
        ],
    }
    assert render_categories(registry).text == (
        "2 categories:\n\na: Apples. All about Apples.\nb: Bees. All about Bees."
    )


def test_endorsements_are_listed_in_the_order_of_the_file() -> None:
    assert says(render_endorsements(REGISTRY)) == {
        "count": 1,
        "endorsements": content_of("valid")["endorsements"],
    }
    assert render_endorsements(REGISTRY).text == (
        "1 endorsement:\n\n"
        "Example Guild (since 2026-01-15), https://guild.example/\n"
        "We read every one of these."
    )


def test_no_endorsements_are_an_empty_list_and_a_sentence() -> None:
    rendered = render_endorsements(a_registry({"a": a_category("Apples")}))

    assert (says(rendered), rendered.text) == (
        {"count": 0, "endorsements": []},
        "Nobody has endorsed the registry of Ada Example yet.",
    )


def test_provenance_names_the_curator_and_explains_the_verification() -> None:
    rendered = render_provenance(REGISTRY, digest="sha256:12", signature="ed25519:34")
    found = says(rendered)
    verification = found.pop("verification")

    assert found == {
        "curator": content_of("valid")["curator"],
        "version": "1.2.0",
        "updated": "2026-03-31",
        "digest": "sha256:12",
        "signature": "ed25519:34",
        "categories": 2,
        "endorsements": 1,
    }
    assert rendered.text == (
        "Curator: Ada Example\n"
        "Public key: ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\n"
        "Registry version: 1.2.0, updated 2026-03-31\n"
        "Categories: 2; endorsements: 1\n"
        "Digest: sha256:12\n"
        "Signature: ed25519:34\n"
        f"\n{verification}"
    )
    assert "The document that the resource registry://registry names" in verification
    assert "The signature is Ed25519" in verification


def test_provenance_without_a_signature_explains_what_the_digest_proves() -> None:
    rendered = render_provenance(REGISTRY, digest="sha256:12", signature=None)

    assert says(rendered)["signature"] is None
    assert "Signature: none\n" in rendered.text
    assert rendered.text.endswith("the digest shows what was published, but not by whom.")


def test_provenance_says_of_a_vocabulary_that_its_digest_is_in_the_canonical_form() -> None:
    words = validate(fixture("valid"), {"vocabulary/learn-rust.json": b"{}"})
    explained = [
        says(render_provenance(registry, digest="sha256:12", signature=None))["verification"]
        for registry in (REGISTRY, words)
    ]

    assert ["the digest of its vocabulary" in each for each in explained] == [False, True]


def test_every_answer_fits_its_output_type() -> None:
    TypeAdapter(CategoryAnswer).validate_json(SOURDOUGH.structured, strict=True)
    TypeAdapter(CategoriesResult).validate_json(render_categories(REGISTRY).structured, strict=True)
    TypeAdapter(EndorsementsResult).validate_json(render_endorsements(REGISTRY).structured, strict=True)
    TypeAdapter(ProvenanceResult).validate_json(
        render_provenance(REGISTRY, digest="sha256:12", signature=None).structured, strict=True
    )
