"""Word frequencies: rarity, the commonest words of a language, and common words."""

import pytest

from sources.matching.analysis import analyse
from threegood.baking.common_words import (
    ENGLISH,
    FOREIGN,
    commonest_stems,
    is_common,
    rarity,
    rarity_in,
    zipf_values,
)


def stem(word: str) -> str:
    (only,) = analyse(word)
    return only.stem


def test_rarity_rises_from_common_to_unknown_words() -> None:
    values = [rarity(stem(word)) for word in ("know", "water", "lawyer", "falcon", "zymurgy")]

    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.1, 1.0)


def test_inflections_are_counted_together() -> None:
    values = zipf_values(ENGLISH)

    assert stem("compiler") == stem("compilers") in values
    assert "compilers" not in values


def test_a_word_that_english_does_not_have_is_as_rare_as_in_the_language_that_uses_it_most() -> None:
    assert rarity_in(ENGLISH, stem("haben")) == 1.0
    assert rarity(stem("haben")) == rarity_in("de", stem("haben")) == 0.1


def test_the_stems_of_the_commonest_english_words_of_three_letters_are_common() -> None:
    words = ("cow", "Boxes", "breads", "never", "helmets", "kubernetes", "zymurgy", "garten")

    assert [word for word in words if is_common(stem(word))] == list(words[:5])


@pytest.mark.parametrize("language", [ENGLISH, *FOREIGN])
def test_the_most_common_stems_come_first(language: str) -> None:
    values, stems = zipf_values(language), commonest_stems(language, 500)

    assert len(set(stems)) == 500
    assert [values[stem] for stem in stems] == sorted(values.values(), reverse=True)[:500]
    assert commonest_stems(language, 20) == stems[:20]
