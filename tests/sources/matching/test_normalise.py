"""Text to terms, the same for the index and for the query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.matching.normalise import STOP_WORDS, normalise, terms, without_accents, words


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("Learn Rust", "learn rust"),
        ("  learn\t\n rust  ", "learn rust"),
        ("How do I run a Bitcoin node?", "run bitcoin node"),
        ("self-hosted e-mail", "self hosted e mail"),
        ("snake_case/and/paths", "snake case paths"),
        ("Don't panic! It's fine.", "panic fine"),
        ("Newton\u2019s laws", "newtons laws"),
        ("C++, C# & .NET 8.0", "c c net 8 0"),
        ("\uff26\uff35\uff2c\uff2c", "full"),
        ("ﬁne ﬂour", "fine flour"),
        ("STRASSE Straße", "strasse strasse"),
        ("İstanbul", "i\u0307stanbul"),
        ("x² + y²", "x2 y2"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("control\x00chars\x1b[31m", "control chars 31m"),
        ("line\u2028separated", "line separated"),
    ],
)
def test_case_punctuation_stop_words_and_spacing_make_no_difference(text: str, normalised: str) -> None:
    assert normalise(text) == normalised


@pytest.mark.parametrize(
    "text",
    ["हिन्दी सीखें", "العربية", "日本語を学ぶ", "русский язык", "ελληνικά", "ภาษาไทย", "한국어 배우기"],
)
def test_words_of_every_script_are_kept_whole(text: str) -> None:
    assert len(terms(text)) == len(text.split())
    assert terms(terms(text)[0]) == terms(text)[:1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "the a an",
        "How do I do?",
        "!?…",
        "🦀",
        "❤️ 👩‍👩‍👧",
        "\x00\x1b",
        "\u200b\u202e",
        "\u0301",
        "\ud800",
    ],
)
def test_text_that_says_nothing_has_no_terms(text: str) -> None:
    assert terms(text) == ()


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_plain_english_is_read_as_it_is_beside_other_letters(text: str) -> None:
    assert [*words(text), "é"] == words(f"{text} é")


@given(st.text())
def test_terms_are_the_words_that_are_no_stop_words(text: str) -> None:
    assert terms(text) == tuple(word for word in words(text) if word not in STOP_WORDS)
    assert [word for word in words(text) if not any(map(str.isalnum, word)) or word.split() != [word]] == []


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("größe", "große"),
        ("việt", "viet"),
        ("ёж", "еж"),
        ("ήχος", "ηχος"),
        ("rust", "rust"),
        ("", ""),
        ("\u0301", ""),
    ],
)
def test_accents_that_people_leave_out_are_left_out(word: str, plain: str) -> None:
    assert without_accents(word) == plain


@pytest.mark.parametrize("word", ["が", "ガ", "हिन्दी", "หนี้", "한국어", "øre", "ł", "שלום", "عربي"])
def test_marks_that_make_another_letter_stay(word: str) -> None:
    assert without_accents(word) == word
