"""From text to the keys that vocabularies and queries share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.matching.analysis import Word, analyse, exact_key, is_unspaced, joined_key, phrase_key
from sources.matching.normalise import STOP_WORDS

# Pairs of texts, and texts with the words that are expected, stand around an equals sign.
SAME_STEM = (
    "compiler=compilers learning=learn running=runs recovery=recoveries Café=cafe naïve=naive ёлка=елка "
    "cre\u0300me=cr\u00e8me Άλφα=αλφα Straße=STRASSE İstanbul=istanbul \uff32\uff35\uff33\uff34=rust "
    "\u017crod\u0142o=zrod\u0142o VPNs=vpn LLMs=llm книгами=книга γλώσσες=γλώσσα الكتاب=كتاب किताबें=किताबों"
)
SYMBOLS = (
    "C++=cpp|c#=csharp|F#, Q# and g++=fsharp qsharp gpp|(C++)/C#.=cpp csharp|C++17 or c++ 20=cpp 17 cpp 20|"
    "C++入門=cpp 入門|学习C#=学习 csharp|\uff23\uff0b\uff0b と \uff23\uff03=cpp と csharp|C=c|C+=c|C+++=c|"
    "C##=c|a++ z#=z|abc++ 3c# _c#=abc 3c c|c#sharp=c sharp|#c ++c=c c"
)
UNSPACED = (
    "日本語rust入門=日本語 rust 入門|学习 python 教程=学习 python 教程|カタカナ123=カタカナ 123|"
    "파이썬을 배우기=파이썬을 배우기|ภาษาgoไทย=ภาษา go ไทย|ﾌﾟﾛｸﾞﾗﾑ=プログラム|हिन्दी rust=हिन्दी rust|"
    "русский язык=русский язык|\u0301学=学|学\u20dd=学"
)
SAME_PHRASE = (
    "machine learning=machine-learning|machine learning=Machines, learning|web site=website|e mail=email|"
    "point-in-time recovery=point time recoveries|borrow checker=borrowing the checkers|e-mails=email|"
    "pass words=password|3d printing=3-d print"
)
SAME_EXACTLY = (
    "How to learn Rust=how  to: LEARN rust?!|self-hosted e-mail=Self Hosted E Mail|"
    "C++ für alle=c++ fur alle|point-in-time recovery=Point in time, recovery"
)
DIFFERENT = "learn rust=rust learn|learn rust=learning rust|learn rust=how to learn rust|C=C++|e mail=email"


def texts(text: str) -> list[str]:
    return [word.text for word in analyse(text)]


def pairs(joined: str, separator: str = "|") -> list[list[str]]:
    return [pair.split("=") for pair in joined.split(separator)]


def test_a_word_has_its_text_and_its_stem_and_stop_words_are_left_out() -> None:
    assert analyse("How do I start LEARNING the Compilers?") == [
        Word("start", "start"),
        Word("learning", "learn"),
        Word("compilers", "compil"),
    ]


@pytest.mark.parametrize(("one", "other"), pairs(SAME_STEM, " "))
def test_inflections_case_and_accents_make_no_difference_to_a_stem(one: str, other: str) -> None:
    (first,), (second,) = analyse(one), analyse(other)

    assert first.stem == second.stem


@pytest.mark.parametrize("word", ["aws", "dns", "css", "sed", "os", "c", "ios", "ide", "3ds", "нос"])
def test_a_word_of_three_letters_or_less_is_not_stemmed(word: str) -> None:
    assert analyse(word) == [Word(word, word)]


@pytest.mark.parametrize(("text", "words"), pairs(SYMBOLS))
def test_a_name_with_a_symbol_keeps_it_as_letters(text: str, words: str) -> None:
    assert texts(text) == words.split()


@pytest.mark.parametrize(("text", "words"), pairs(UNSPACED))
def test_unspaced_script_is_split_from_the_words_beside_it(text: str, words: str) -> None:
    assert texts(text) == words.split()


@pytest.mark.parametrize(
    "text", ["", "the", "?!", "🦀", "\x00", "\u0301", "\u200b", "\ud800", "don't", "thé"]
)
def test_text_without_letters_or_only_with_stop_words_has_no_words(text: str) -> None:
    assert analyse(text) == []


def test_a_run_of_unspaced_script_is_recognised() -> None:
    assert [is_unspaced(word) for word in ("日本語", "ภาษาไทย", "한국어")] == [True] * 3
    assert [is_unspaced(word) for word in ("rust", "日本rust", "русский", "हिन्दी", "")] == [False] * 5


@pytest.mark.parametrize(("one", "other"), pairs(SAME_EXACTLY))
def test_an_exact_key_is_equal_for_the_same_words_in_the_same_order(one: str, other: str) -> None:
    assert exact_key(one) == exact_key(other)


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERENT))
def test_an_exact_key_differs_if_any_word_differs(one: str, other: str) -> None:
    assert exact_key(one) != exact_key(other)


@pytest.mark.parametrize(("one", "other"), pairs(SAME_PHRASE))
def test_a_phrase_key_is_equal_for_words_apart_with_hyphens_and_inflected(one: str, other: str) -> None:
    assert phrase_key(analyse(one)) == phrase_key(analyse(other))


@pytest.mark.parametrize(
    ("apart", "joined"), [("machine learning", "machinelearning"), ("water colouring", "watercolouring")]
)
def test_a_joined_key_is_the_stem_of_the_words_written_as_one(apart: str, joined: str) -> None:
    assert joined_key(analyse(apart)) == analyse(joined)[0].stem


@given(st.text(max_size=40))
def test_words_have_letters_and_are_no_stop_words(text: str) -> None:
    found = analyse(text)

    assert [word for word in found if not word.text or not word.stem or word.text in STOP_WORDS] == []
    assert [word for word in found if not any(map(str.isalnum, word.text)) or " " in word.text] == []


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "Zs"]), max_size=40))
def test_a_word_analysed_again_is_itself(text: str) -> None:
    found = analyse(text)

    assert [analyse(word.text) for word in found] == [[word] for word in found]
