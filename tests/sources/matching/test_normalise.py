"""From text to terms, the same for baking and for queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.matching.normalise import STOP_WORDS, normalise, terms, without_accents, words


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("  learn\t\n Rust  ", "learn rust"),
        ("How do I run a Bitcoin node?", "run bitcoin node"),
        ("self-hosted e-mail", "self hosted e mail"),
        ("snake_case/and/paths", "snake case paths"),
        ("Don't panic! It's fine.", "panic fine"),
        ("Newton\u2019s laws", "newtons laws"),
        ("C++, C# & .NET 8.0", "c c net 8 0"),
        ("\uff26\uff35\uff2c\uff2c ﬁne ﬂour", "full fine flour"),
        ("STRASSE Straße İstanbul", "strasse strasse i\u0307stanbul"),
        ("x² + y²", "x2 y2"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("control\x00chars\x1b[31m line\u2028separated", "control chars 31m line separated"),
        ("cre\u0300me", "cr\u00e8me"),
    ],
)
def test_case_punctuation_stop_words_and_spacing_make_no_difference(text: str, normalised: str) -> None:
    assert normalise(text) == normalised


@pytest.mark.parametrize(
    "text",
    ["हिन्दी सीखें", "العربية", "日本語を学ぶ", "русский язык", "ελληνικά", "ภาษาไทย", "한국어 배우기"],
)
def test_words_of_every_script_stay_whole(text: str) -> None:
    assert len(terms(text)) == len(text.split())
    assert terms(terms(text)[0]) == terms(text)[:1]


@pytest.mark.parametrize(
    "text", ["", " ", "How do I do?", "!?…", "🦀", "❤️ 👩‍👩‍👧", "\x00\x1b", "\u200b\u202e", "\u0301", "\ud800"]
)
def test_text_without_letters_or_only_with_stop_words_has_no_terms(text: str) -> None:
    assert terms(text) == ()


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_ascii_text_has_the_same_words_beside_other_letters(text: str) -> None:
    assert [*words(text), "é"] == words(f"{text} é")


@given(st.text())
def test_terms_are_the_words_that_are_no_stop_words(text: str) -> None:
    assert terms(text) == tuple(word for word in words(text) if word not in STOP_WORDS)
    assert [word for word in words(text) if not any(map(str.isalnum, word)) or word.split() != [word]] == []


def test_accents_of_latin_greek_and_cyrillic_letters_are_removed_except_the_breve_of_short_i() -> None:
    accented = ("café", "cafe\u0301", "größe", "việt", "ёж", "ήχος", "rust", "", "\u0301", "мои\u0306", "моѝ")

    plain = ["cafe", "cafe", "große", "viet", "еж", "ηχος", "rust", "", "", "мой", "мои"]
    assert list(map(without_accents, accented)) == plain


@pytest.mark.parametrize("word", ["が", "ガ", "हिन्दी", "หนี้", "한국어", "øre", "ł", "שלום", "عربي"])
def test_marks_that_make_another_letter_stay(word: str) -> None:
    assert without_accents(word) == word
