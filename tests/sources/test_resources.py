"""The resources: lists by pages, the canonical registry, one category, and completion of slugs."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import pytest

from mcpcore import ResourceInfo
from mcpcore.testing import Client
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import build_strategy
from sources.resources import RegistryResources
from tests.support.registries import CURATOR, a_category, a_registry, baked, content_of, fixture, signing_by
from threegood.baking.render import render_registry
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes
from threegood.trust.checks import UNSIGNED

REGISTRY: Final = validate(fixture("valid"))
SIGNING: Final = signing_by(CURATOR, REGISTRY)
SLUGS: Final = ("bread-rye", "learn-go", "learn-rust", "rust-web", "trust")


@pytest.fixture
def registry(tmp_path: Path) -> BakedRegistry:
    return baked(tmp_path, REGISTRY, SIGNING)


@pytest.fixture
def resources(registry: BakedRegistry) -> RegistryResources:
    return RegistryResources(registry)


@pytest.fixture
def many(tmp_path: Path) -> RegistryResources:
    """Of a registry with five categories."""
    named = {slug: a_category(slug.replace("-", " ").title()) for slug in SLUGS}
    return RegistryResources(baked(tmp_path, a_registry(named)))


def test_the_registry_resource_names_the_address_of_the_text_that_the_digest_covers(
    registry: BakedRegistry,
) -> None:
    assert facts_of(registry) == {
        "version": "1.2.0",
        "updated": "2026-03-31",
        "curator": content_of("valid")["curator"],
        "digest": registry.manifest.digest,
        "status": "signed",
        "signature": SIGNING.signature and SIGNING.signature.signed.signature,
        "endorsements": 1,
        "categories": 2,
        "category_uris": ["registry://categories/learn-rust", "registry://categories/sourdough-bread"],
        "document": "/registry",
    }
    assert registry.canonical() == canonical_bytes(REGISTRY)
    assert registry.manifest.digest == f"sha256:{hashlib.sha256(registry.canonical()).hexdigest()}"


def test_a_thousand_categories_are_named_at_most() -> None:
    slugs = [f"topic-{number:04}" for number in range(1, 1003)]
    rendered = render_registry(
        REGISTRY.model_copy(update={"categories": dict.fromkeys(slugs)}), UNSIGNED, digest=""
    )

    facts = json.loads(rendered.structured)
    assert facts["categories"] == 1002
    assert [facts["category_uris"][at] for at in (0, -1)] == [
        "registry://categories/topic-0001",
        "registry://categories/topic-1000",
    ]


def facts_of(registry: BakedRegistry) -> Any:
    """The content of the resource of the registry, read by a client."""
    server = build_server(registry, build_strategy("lexicon", registry))
    (contents,) = Client(server).read_resource("registry://registry")
    return json.loads(contents["text"])


def test_a_category_is_read_with_its_three_sources(resources: RegistryResources) -> None:
    content: dict[str, Any] = content_of("valid")["categories"]["learn-rust"]
    text = resources.category("learn-rust")
    assert text is not None
    assert json.loads(text) == {
        "category": {
            "slug": "learn-rust",
            "name": content["name"],
            "description": content["description"],
        },
        "sources": content["sources"],
    }


@pytest.mark.parametrize(
    "slug", ["", "learn", "learn-rust ", "LEARN-RUST", "../manifest", "ü", "\x00", "\ud800"]
)
def test_an_unknown_slug_has_no_resource(resources: RegistryResources, slug: str) -> None:
    assert resources.category(slug) is None


def test_categories_are_listed_by_slug_under_the_uri_of_each(resources: RegistryResources) -> None:
    content = content_of("valid")["categories"]
    assert list(resources.categories()) == [
        ResourceInfo(
            uri=f"registry://categories/{slug}",
            name=slug,
            title=content[slug]["name"],
            description=content[slug]["description"],
            mime_type="application/json",
        )
        for slug in sorted(content)
    ]


def test_categories_are_a_sequence(many: RegistryResources) -> None:
    listed = many.categories()

    pages = [tuple(each.name for each in listed[begin : begin + 2]) for begin in (0, 2, 4, 6)]
    assert pages == [SLUGS[:2], SLUGS[2:4], SLUGS[4:], ()]
    assert (len(listed), tuple(each.name for each in listed)) == (5, SLUGS)
    with pytest.raises(IndexError):
        listed[-1]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", ["bread-rye", "learn-go", "learn-rust", "rust-web", "trust"]),
        ("learn", ["learn-go", "learn-rust"]),
        ("rust", ["rust-web", "learn-rust", "trust"]),
        ("RUST-", ["rust-web"]),
        ("learn rust", []),
        ("zzz", []),
        ("\x00", []),
    ],
)
def test_completion_lists_slugs_that_begin_with_the_text_before_those_that_contain_it(
    many: RegistryResources, typed: str, expected: list[str]
) -> None:
    assert many.complete_slug(typed, {}) == expected
