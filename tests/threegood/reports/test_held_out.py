"""Cross-validation: what is held out of a fold, and what held-out patterns find."""

from tests.support.registries import a_category, a_registry
from threegood.reports.held_out import FOLDS, HeldOut, Missed, folds, held_out

REGISTRY = a_registry(
    {
        "pasta": a_category("Pasta", "learn pasta", "pasta guide", "best pasta"),
        "topology": a_category("Rubber Sheets", "open sets", "doughnut handles", "own free pasta", "knots"),
    },
    outside=[{"name": name, "keywords": [name.lower()]} for name in ("Chess", "Sewing")],
)


def test_each_pattern_is_held_out_of_one_fold_and_is_in_the_others() -> None:
    made = list(folds(REGISTRY))
    patterns = {
        (slug, pattern)
        for slug, category in REGISTRY.categories.items()
        for pattern in category.query_patterns
    }
    remaining = [
        {
            (slug, pattern)
            for slug, category in fold.registry.categories.items()
            for pattern in category.query_patterns
        }
        for fold in made
    ]

    assert sorted(pattern for fold in made for pattern in fold.patterns) == sorted(patterns)
    assert [rest | {*fold.patterns} for rest, fold in zip(remaining, made, strict=True)] == [patterns] * FOLDS
    assert [rest & {*fold.patterns} for rest, fold in zip(remaining, made, strict=True)] == [set()] * FOLDS


def test_held_out_patterns_that_miss_their_category_are_listed_with_what_they_find() -> None:
    assert held_out(REGISTRY) == [
        HeldOut("pasta", 3, ()),
        HeldOut(
            "topology",
            4,
            (
                Missed("open sets", None),
                Missed("knots", None),
                Missed("doughnut handles", None),
                Missed("own free pasta", "pasta"),
            ),
        ),
    ]
