"""The registry that the layer has: baked from the files that REGISTRY names, and every name is found."""

import pytest

from sources.baked import BakedRegistry
from sources.matching import STRATEGIES, build_strategy
from tests.support.processes import ROOT
from tests.support.published import NAMED
from threegood.registry.validate import read_registry
from threegood.trust.canonical import canonical_bytes


@pytest.fixture(scope="module")
def layer() -> BakedRegistry:
    return BakedRegistry.open(ROOT / "layers" / "registry" / "baked")


def test_the_layer_was_baked_from_the_files_of_the_registry(layer: BakedRegistry) -> None:
    assert layer.canonical() == canonical_bytes(read_registry(ROOT / NAMED))


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_category_is_found_by_its_name(layer: BakedRegistry, name: str) -> None:
    strategy = build_strategy(name, layer)
    categories = read_registry(ROOT / NAMED).categories

    found = {slug: strategy.rank(category.name, limit=1).matches for slug, category in categories.items()}

    assert {slug: [match.slug for match in matches] for slug, matches in found.items()} == {
        slug: [slug] for slug in categories
    }
