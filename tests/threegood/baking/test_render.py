"""The answers of the tools, as they are rendered at build time."""

import json
from typing import Any

from pydantic import TypeAdapter

from sources.answers import CategoriesResult, CategoryAnswer, EndorsementsResult
from tests.support.registries import a_category, a_registry, content_of, fixture
from threegood.baking.render import (
    render_categories,
    render_category,
    render_endorsements,
)
from threegood.baking.rendered import Rendered
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


def test_every_answer_fits_its_output_type() -> None:
    TypeAdapter(CategoryAnswer).validate_json(SOURDOUGH.structured, strict=True)
    TypeAdapter(CategoriesResult).validate_json(render_categories(REGISTRY).structured, strict=True)
    TypeAdapter(EndorsementsResult).validate_json(render_endorsements(REGISTRY).structured, strict=True)
