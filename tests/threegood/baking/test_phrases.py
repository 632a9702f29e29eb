"""The phrases of the strategy `reference`."""

from tests.support.registries import a_category, a_registry
from threegood.baking.phrases import bake_phrases


def test_each_category_is_a_line_of_its_slug_and_its_phrases_normalised_and_in_order() -> None:
    registry = a_registry(
        {
            "rust-lang": a_category("Learning Rust!", "How to learn Rust?", "borrow-checker", "RUST"),
            "bread": a_category("Bread", "sourdough", "what is a starter", "Brot für alle"),
        }
    )

    assert bake_phrases(registry).decode("utf-8") == (
        "bread\tbread\tsourdough\tstarter\tbrot für alle\n"
        "rust-lang\trust lang\tlearning rust\tlearn rust\tborrow checker\trust\n"
    )


def test_a_name_of_stop_words_is_left_out_and_a_slug_of_stop_words_is_empty() -> None:
    registry = a_registry({"how-to": a_category("All of it", "the rest", "other things", "leftovers")})

    assert bake_phrases(registry).decode("utf-8") == "how-to\t\trest\tthings\tleftovers\n"
