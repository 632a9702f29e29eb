"""What is read of a query: the weights of its words, what they are taken for, and what nobody knows."""

import pytest

from sources.baked import Lexicon
from sources.matching.analysis import analyse, phrase_key
from sources.matching.reading import Clue, Reading, read
from tests.support.lexicons import Key, a_lexicon

NOTHING = a_lexicon({})


def phrase(text: str) -> str:
    return phrase_key(analyse(text))


def clue(lexicon: Lexicon, key: str, begin: int, *, weight: float, words: str, read_as: str = "") -> Clue:
    """What is expected of a key that is found from place `begin` on, one place for each of `words`."""
    row = lexicon.find(key)
    assert row is not None
    return Clue(row, begin, begin + len(words.split()), weight, words, read_as or words)


def reading_of(query: str, lexicon: Lexicon) -> Reading:
    """What is read of `query`, the weights with as many digits as are written here."""
    reading = read(query, lexicon)
    return reading._replace(
        weights=tuple(round(weight, 3) for weight in reading.weights),
        clues=tuple(each._replace(weight=round(each.weight, 3)) for each in reading.clues),
    )


def knowing(*words: str, weight: float = 1.0) -> Lexicon:
    return a_lexicon(dict.fromkeys(words, Key(weight)))


def test_a_known_word_weighs_what_its_key_tells() -> None:
    lexicon = a_lexicon({"rust": Key(0.75), "learn": Key(0.06)})

    assert reading_of("How do I learn Rust?", lexicon) == Reading(
        weights=(0.06, 0.75),
        clues=(
            clue(lexicon, "learn", 0, weight=0.06, words="learn"),
            clue(lexicon, "rust", 1, weight=0.75, words="rust"),
        ),
        unknown=(),
    )


def test_a_known_word_is_found_by_its_stem_and_told_as_it_was_written() -> None:
    lexicon = knowing("compil")

    assert reading_of("COMPILERS", lexicon).clues == (
        clue(lexicon, "compil", 0, weight=1, words="compilers"),
    )


@pytest.mark.parametrize(
    ("word", "weight"),
    [
        ("falconry", 0.7),
        ("xy", 0.7),
        ("8675309", 0.1),
        ("7", 0.1),
        ("x", 0.08),
        ("鷹狩り", 0.05),
        ("매사냥", 0.05),
    ],
)
def test_an_unknown_word_weighs_by_what_it_looks_like(word: str, weight: float) -> None:
    assert reading_of(word, NOTHING) == Reading((weight,), (), (word,))


@pytest.mark.parametrize("query", ["", "the", "?!", "🦀", "\u0301"])
def test_nothing_is_read_of_a_query_that_says_nothing(query: str) -> None:
    assert reading_of(query, knowing("rust")) == Reading((), (), ())


def test_each_word_counts_once_at_its_first_place() -> None:
    lexicon = knowing("rust", "go")

    reading = reading_of("rust go rust Rust falconry go falconry", lexicon)

    assert [(found.words, found.begin) for found in reading.clues] == [("rust", 0), ("go", 1)]
    assert (len(reading.weights), reading.unknown) == (3, ("falconry",))


def test_inflections_of_one_stem_are_different_words() -> None:
    assert len(reading_of("run running runs", knowing("run")).weights) == 3


def test_no_more_than_64_words_are_read() -> None:
    reading = reading_of(" ".join(f"w{number}" for number in range(100)), knowing("w63", "w64"))

    assert len(reading.weights) == 64
    assert [found.words for found in reading.clues] == ["w63"]
    assert len(reading.unknown) == 63


def test_words_that_come_again_do_not_use_up_the_64() -> None:
    assert [found.words for found in reading_of("falconry " * 100 + "rust", knowing("rust")).clues] == [
        "rust"
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("borrow checker", "borrow checker"),
        ("Borrow-checkers", "borrow checkers"),
        ("borrowing the checker", "borrowing checker"),
    ],
)
def test_words_that_stand_together_are_a_clue_of_their_own_at_each_of_their_places(
    text: str, words: str
) -> None:
    lexicon = a_lexicon({phrase("borrow checker"): Key(1)})

    assert reading_of(f"my {text} hates me", lexicon).clues == (
        clue(lexicon, phrase("borrow checker"), 0, weight=0.6, words=words),
    )


def test_phrases_are_of_two_or_three_words_in_their_order() -> None:
    lexicon = a_lexicon(
        {phrase(text): Key(1) for text in ("point time", "point time recovery", "a1 b2 c3 d4")}
    )

    assert [found.words for found in reading_of("point in time recovery", lexicon).clues] == [
        "point time",
        "point time recovery",
    ]
    assert reading_of("time point", lexicon).clues == ()
    assert reading_of("a1 b2 c3 d4", lexicon).clues == ()


def test_words_of_a_phrase_are_not_known_by_it_and_weigh_no_less_than_it() -> None:
    lexicon = a_lexicon({phrase("light node"): Key(1), "light": Key(0.1), phrase("node set"): Key(1)})

    reading = reading_of("light node set", lexicon)

    assert reading.weights == (0.6, 0.7, 0.7)
    assert reading.unknown == ("node", "set")


def test_words_written_as_one_are_found_by_the_key_of_the_phrase() -> None:
    lexicon = a_lexicon({phrase("pass word"): Key(0.5)})

    assert reading_of("passwords", lexicon).clues == (
        clue(lexicon, "password", 0, weight=0.5, words="passwords"),
    )


def test_a_misspelt_word_is_read_as_a_known_one_and_weighs_less() -> None:
    lexicon = a_lexicon({"kubernet": Key(1)}, spellings={"kubernetes": "kubernet"})

    reading = reading_of("kuberntes", lexicon)

    assert reading == Reading(
        (0.9,),
        (clue(lexicon, "kubernet", 0, weight=0.9, words="kuberntes", read_as="kubernetes"),),
        (),
    )
    assert reading_of("kuberntis", lexicon).clues == (
        clue(lexicon, "kubernet", 0, weight=0.75, words="kuberntis", read_as="kubernetes"),
    )


def test_a_word_that_is_known_is_no_misspelling() -> None:
    lexicon = knowing("form", "from1", "fort")

    assert [found.read_as for found in reading_of("form", lexicon).clues] == ["form"]


def test_a_misspelt_word_with_several_readings_weighs_as_its_heaviest() -> None:
    lexicon = a_lexicon({"charter": Key(0.2), "chatter": Key(0.8)})

    reading = reading_of("chater", lexicon)

    assert [found.read_as for found in reading.clues] == ["charter", "chatter"]
    assert reading.weights == (0.72,)


def test_a_phrase_is_made_of_what_its_words_were_taken_for() -> None:
    keys = {"borrow": Key(0.1), "checker": Key(0.1), phrase("borrow checker"): Key(1)}
    lexicon = a_lexicon(keys)

    assert reading_of("borow cheker", lexicon).clues[-1] == clue(
        lexicon,
        phrase("borrow checker"),
        0,
        weight=0.6,
        words="borow cheker",
        read_as="borrow checker",
    )


@pytest.mark.parametrize(
    ("query", "known", "found"),
    [
        ("日本語入門", ["日本語", "入門"], ["日本語", "入門"]),
        ("私は日本語を学習する", ["日本語", "学習"], ["日本語", "学習"]),
        ("日本語", ["日本", "日本語", "本語"], ["日本語"]),
        ("rust入門", ["入門", "rust"], ["rust", "入門"]),
        ("파이썬을", ["파이썬"], ["파이썬"]),
        ("เรียนภาษาไทย", ["ภาษา"], ["ภาษา"]),
    ],
)
def test_known_words_are_found_within_a_run_without_spaces_the_longest_first(
    query: str, known: list[str], found: list[str]
) -> None:
    reading = reading_of(query, knowing(*known))

    assert [each.words for each in reading.clues] == found
    assert (len(reading.weights), reading.unknown) == (len(found), ())


def test_a_run_without_spaces_that_holds_no_known_word_stays_whole() -> None:
    assert reading_of("鷹狩り", knowing("日本")).unknown == ("鷹狩り",)


def test_a_single_sign_is_no_word_of_a_run() -> None:
    assert reading_of("日本語", knowing("日", "本", "語")).unknown == ("日本語",)


def test_words_of_up_to_eight_signs_are_found_in_a_run() -> None:
    eight, nine = "プログラミング言", "データベース管理者"

    assert [each.words for each in reading_of(f"{eight}と{nine}", knowing(eight, nine)).clues] == [eight]
