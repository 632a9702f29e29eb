"""Text to the keys that vocabularies and queries have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.matching.analysis import Word, analyse, exact_key, is_unspaced, joined_key, phrase_key
from sources.matching.normalise import STOP_WORDS


def texts(text: str) -> list[str]:
    return [word.text for word in analyse(text)]


def stems(text: str) -> list[str]:
    return [word.stem for word in analyse(text)]


def test_a_word_comes_as_it_was_written_and_as_its_stem_without_stop_words() -> None:
    assert analyse("How do I start LEARNING the Compilers?") == [
        Word("start", "start"),
        Word("learning", "learn"),
        Word("compilers", "compil"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("compiler", "compilers"),
        ("learning", "learn"),
        ("running", "runs"),
        ("recovery", "recoveries"),
        ("Café", "cafe"),
        ("naïve", "naive"),
        ("cre\u0300me", "cr\u00e8me"),
        ("ёлка", "елка"),
        ("Άλφα", "αλφα"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("\uff32\uff35\uff33\uff34", "rust"),
        ("\u017crod\u0142o", "zrod\u0142o"),
    ],
)
def test_inflections_case_and_accents_make_no_difference_to_a_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)
    assert len(stems(one)) == 1


@pytest.mark.parametrize("word", ["aws", "dns", "css", "sed", "os", "c", "ios", "ide", "3ds"])
def test_a_word_of_three_letters_or_less_is_a_name_and_stays_whole(word: str) -> None:
    assert analyse(word) == [Word(word, word)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++", ["cpp"]),
        ("c#", ["csharp"]),
        ("F#, Q# and g++", ["fsharp", "qsharp", "gpp"]),
        ("(C++)/C#.", ["cpp", "csharp"]),
        ("C++17 or c++ 20", ["cpp", "17", "cpp", "20"]),
        ("C++入門", ["cpp", "入門"]),
        ("学习C#", ["学习", "csharp"]),
        ("\uff23\uff0b\uff0b と \uff23\uff03", ["cpp", "と", "csharp"]),
        ("C", ["c"]),
        ("C+", ["c"]),
        ("C+++", ["c"]),
        ("C##", ["c"]),
        ("a++ z#", ["z"]),
        ("abc++ 3c# _c#", ["abc", "3c", "c"]),
        ("c#sharp", ["c", "sharp"]),
        ("#c ++c", ["c", "c"]),
    ],
)
def test_names_with_a_symbol_are_not_the_letter_alone(text: str, words: list[str]) -> None:
    assert texts(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("日本語rust入門", ["日本語", "rust", "入門"]),
        ("学习 python 教程", ["学习", "python", "教程"]),
        ("カタカナ123", ["カタカナ", "123"]),
        ("파이썬을 배우기", ["파이썬을", "배우기"]),
        ("ภาษาgoไทย", ["ภาษา", "go", "ไทย"]),
        ("ﾌﾟﾛｸﾞﾗﾑ", ["プログラム"]),
        ("हिन्दी rust", ["हिन्दी", "rust"]),
        ("русский язык", ["русскии", "язык"]),
    ],
)
def test_scripts_without_spaces_come_apart_from_the_words_they_touch(text: str, words: list[str]) -> None:
    assert texts(text) == words


@pytest.mark.parametrize(
    "text", ["", "the", "?!", "🦀", "\x00", "\u0301", "\u200b", "\ud800", "don't", "thé"]
)
def test_text_that_says_nothing_has_no_words(text: str) -> None:
    assert analyse(text) == []


@pytest.mark.parametrize("text", ["学\u0301", "学\u20dd", "\u0301学", "学\u0301\u0336 "])
def test_marks_beside_a_script_without_spaces_are_no_words(text: str) -> None:
    assert texts(text) == ["学"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("日本語", True),
        ("ภาษาไทย", True),
        ("한국어", True),
        ("rust", False),
        ("日本rust", False),
        ("русский", False),
        ("हिन्दी", False),
        ("", False),
    ],
)
def test_a_run_without_spaces_is_told_from_a_word(word: str, expected: bool) -> None:
    assert is_unspaced(word) is expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How to learn Rust", "how  to: LEARN rust?!"),
        ("self-hosted e-mail", "Self Hosted E Mail"),
        ("C++ für alle", "c++ fur alle"),
        ("point-in-time recovery", "Point in time, recovery"),
    ],
)
def test_an_exact_key_is_equal_for_the_same_words_in_the_same_order(one: str, other: str) -> None:
    assert exact_key(one) == exact_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("learn rust", "rust learn"),
        ("learn rust", "learning rust"),
        ("learn rust", "how to learn rust"),
        ("C", "C++"),
        ("e mail", "email"),
    ],
)
def test_an_exact_key_differs_if_a_word_does_stop_words_among_them(one: str, other: str) -> None:
    assert exact_key(one) != exact_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("machine learning", "machine-learning"),
        ("machine learning", "Machines, learning"),
        ("point-in-time recovery", "point time recoveries"),
        ("borrow checker", "borrowing the checkers"),
        ("web site", "website"),
        ("e mail", "email"),
        ("e-mails", "email"),
        ("pass words", "password"),
        ("3d printing", "3-d print"),
    ],
)
def test_a_phrase_key_is_equal_for_words_apart_with_hyphens_and_inflected(one: str, other: str) -> None:
    assert phrase_key(analyse(one)) == phrase_key(analyse(other))


@pytest.mark.parametrize(
    ("apart", "joined"), [("machine learning", "machinelearning"), ("water colouring", "watercolouring")]
)
def test_a_joined_key_is_the_stem_of_the_words_written_as_one(apart: str, joined: str) -> None:
    assert joined_key(analyse(apart)) == analyse(joined)[0].stem


@given(st.text(max_size=40))
def test_whatever_the_text_its_words_are_words_and_no_stop_words(text: str) -> None:
    found = analyse(text)

    assert [word for word in found if not word.text or not word.stem or word.text in STOP_WORDS] == []
    assert [word for word in found if not any(map(str.isalnum, word.text)) or " " in word.text] == []


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "Zs"]), max_size=40))
def test_a_word_analysed_again_is_itself(text: str) -> None:
    found = analyse(text)

    assert [analyse(word.text) for word in found] == [[word] for word in found]


@given(st.lists(st.sampled_from(["rust", "learning", "Café", "C++", "日本語", "3d"]), min_size=1, max_size=5))
def test_words_are_the_same_alone_and_beside_others(words: list[str]) -> None:
    assert analyse(" ".join(words)) == [found for word in words for found in analyse(word)]
