"""Word frequencies: rarity, function words, the most common words."""

import pytest

from sources.matching.analysis import analyse
from threegood.baking.common_words import (
    ENGLISH,
    FOREIGN,
    commonest_stems,
    is_foreign_function_word,
    rarity,
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


def test_rarity_depends_on_the_language() -> None:
    assert rarity(stem("haben"), "de") == 0.1
    assert rarity(stem("haben")) == 1.0


@pytest.mark.parametrize("word", ["der", "und", "para", "avec", "que", "voor", "как"])
def test_function_words_of_foreign_languages_are_recognised(word: str) -> None:
    assert is_foreign_function_word(stem(word))


@pytest.mark.parametrize("word", ["rust", "kubernetes", "garten", "livre", "пароль", "zymurgy", ""])
def test_content_words_are_no_function_words(word: str) -> None:
    assert not is_foreign_function_word(word)


@pytest.mark.parametrize("language", [ENGLISH, *FOREIGN])
def test_the_most_common_stems_come_first(language: str) -> None:
    values, stems = zipf_values(language), commonest_stems(language, 500)

    assert len(set(stems)) == 500
    assert [values[stem] for stem in stems] == sorted(values.values(), reverse=True)[:500]
    assert commonest_stems(language, 20) == stems[:20]
