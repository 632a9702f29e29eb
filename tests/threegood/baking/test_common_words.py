"""How common words are, and what follows from it."""

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


def test_rarity_goes_from_words_of_every_text_to_words_of_none() -> None:
    told = [rarity(stem(word)) for word in ("know", "water", "lawyer", "falcon", "zymurgy")]

    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.1, 1.0)


def test_inflections_are_counted_together() -> None:
    values = zipf_values(ENGLISH)

    assert stem("compiler") == stem("compilers") in values
    assert "compilers" not in values


def test_a_word_is_as_rare_as_it_is_in_its_language() -> None:
    assert rarity(stem("haben"), "de") == 0.1
    assert rarity(stem("haben")) == 1.0


@pytest.mark.parametrize("word", ["der", "und", "para", "avec", "que", "voor", "как"])
def test_words_that_a_language_makes_its_sentences_with_are_functional(word: str) -> None:
    assert is_foreign_function_word(stem(word))


@pytest.mark.parametrize("word", ["rust", "kubernetes", "garten", "livre", "пароль", "zymurgy", ""])
def test_words_with_a_meaning_are_not(word: str) -> None:
    assert not is_foreign_function_word(word)


@pytest.mark.parametrize("language", [ENGLISH, *FOREIGN])
def test_the_commonest_come_first_and_as_many_as_asked_for(language: str) -> None:
    values, stems = zipf_values(language), commonest_stems(language, 500)

    assert len(set(stems)) == 500
    assert [values[stem] for stem in stems] == sorted(values.values(), reverse=True)[:500]
    assert commonest_stems(language, 20) == stems[:20]
