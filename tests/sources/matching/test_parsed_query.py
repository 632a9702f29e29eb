"""Parsing a query: the weights of its words, the terms they match, and the unknown ones."""

import pytest

from sources.baked import Lexicon
from sources.matching.analysis import analyse, phrase_key
from sources.matching.parsed_query import ParsedQuery, TermMatch, parse_query
from sources.matching.weights import (
    EDIT_DISCOUNTS,
    PHRASE_DISCOUNT,
    UNKNOWN_LETTER_WEIGHT,
    UNKNOWN_NUMBER_WEIGHT,
    UNKNOWN_UNSPACED_WEIGHT,
    UNKNOWN_WORD_WEIGHT,
)
from tests.support.lexicons import Key, Uses, a_lexicon

NOTHING = a_lexicon({})
SOMEWHERE: Uses = {0: ("keyword", 1.0)}
ONE_EDIT, TWO_EDITS = EDIT_DISCOUNTS[1:]


def phrase(text: str) -> str:
    return phrase_key(analyse(text))


def term_match(
    lexicon: Lexicon, key: str, begin: int, *, weight: float, words: str, read_as: str = ""
) -> TermMatch:
    """The expected match of a key from position `begin` on, one position for each of `words`."""
    row = lexicon.find(key)
    assert row is not None
    return TermMatch(row, begin, begin + len(words.split()), weight, words, read_as or words)


def parsed(query: str, lexicon: Lexicon) -> ParsedQuery:
    """`query` parsed, with rounded weights."""
    found = parse_query(query, lexicon)
    return found._replace(
        weights=tuple(round(weight, 3) for weight in found.weights),
        term_matches=tuple(each._replace(weight=round(each.weight, 3)) for each in found.term_matches),
    )


def knowing(*words: str, weight: float = 1.0) -> Lexicon:
    return a_lexicon(dict.fromkeys(words, Key(weight)))


def test_a_known_word_has_the_weight_of_its_key() -> None:
    lexicon = a_lexicon({"rust": Key(0.75), "learn": Key(0.06)})

    assert parsed("How do I learn Rust?", lexicon) == ParsedQuery(
        weights=(0.06, 0.75),
        term_matches=(
            term_match(lexicon, "learn", 0, weight=0.06, words="learn"),
            term_match(lexicon, "rust", 1, weight=0.75, words="rust"),
        ),
        unknown=(),
    )


def test_a_known_word_is_found_by_its_stem() -> None:
    lexicon = knowing("compil")

    assert parsed("COMPILERS", lexicon).term_matches == (
        term_match(lexicon, "compil", 0, weight=1, words="compilers"),
    )


@pytest.mark.parametrize(
    ("words", "weight"),
    [
        ("falconry xy", UNKNOWN_WORD_WEIGHT),
        ("8675309 7", UNKNOWN_NUMBER_WEIGHT),
        ("x", UNKNOWN_LETTER_WEIGHT),
        ("鷹狩り 매사냥", UNKNOWN_UNSPACED_WEIGHT),
    ],
)
def test_an_unknown_word_has_a_weight_by_its_form(words: str, weight: float) -> None:
    unknown = tuple(words.split())

    assert parsed(words, NOTHING) == ParsedQuery((weight,) * len(unknown), (), unknown)


@pytest.mark.parametrize("query", ["", "the", "?!", "🦀", "\u0301"])
def test_a_query_without_words_has_no_weights(query: str) -> None:
    assert parsed(query, knowing("rust")) == ParsedQuery((), (), ())


def test_a_repeated_word_counts_once_at_its_first_position() -> None:
    lexicon = knowing("rust", "go")

    found = parsed("rust go rust Rust falconry go falconry", lexicon)

    assert [(found.words, found.begin) for found in found.term_matches] == [("rust", 0), ("go", 1)]
    assert (len(found.weights), found.unknown) == (3, ("falconry",))


def test_only_the_first_64_words_count() -> None:
    found = parsed(" ".join(f"w{number}" for number in range(100)), knowing("w63", "w64"))

    assert len(found.weights) == 64
    assert [found.words for found in found.term_matches] == ["w63"]
    assert len(found.unknown) == 63


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("borrow checker", "borrow checker"),
        ("Borrow-checkers", "borrow checkers"),
        ("borrowing the checker", "borrowing checker"),
    ],
)
def test_a_phrase_is_a_term_at_each_position_of_its_words(text: str, words: str) -> None:
    lexicon = a_lexicon({phrase("borrow checker"): Key(1, SOMEWHERE)})

    assert parsed(f"my {text} hates me", lexicon).term_matches == (
        term_match(lexicon, phrase("borrow checker"), 0, weight=PHRASE_DISCOUNT, words=words),
    )


def test_phrases_of_a_topic_are_of_two_or_three_words_in_their_order() -> None:
    texts = ("point time", "point time recovery", "a1 b2 c3 d4")
    lexicon = a_lexicon({**{phrase(text): Key(1, SOMEWHERE) for text in texts}, phrase("e mail"): Key(1)})

    assert [found.words for found in parsed("point in time recovery", lexicon).term_matches] == [
        "point time",
        "point time recovery",
    ]
    assert parsed("time point", lexicon).term_matches == ()
    assert parsed("e mail", lexicon).term_matches == ()
    assert parsed("a1 b2 c3 d4", lexicon).term_matches == ()


def test_the_words_of_a_phrase_stay_unknown_and_have_at_least_its_weight() -> None:
    phrases = {phrase("light node"): Key(1, SOMEWHERE), phrase("node set"): Key(0.9, SOMEWHERE)}
    lexicon = a_lexicon({**phrases, "light": Key(0.1)})

    found = parsed("light node set", lexicon)

    assert found.weights == (PHRASE_DISCOUNT, UNKNOWN_WORD_WEIGHT, UNKNOWN_WORD_WEIGHT)
    assert found.unknown == ("node", "set")


def test_a_phrase_written_as_one_word_is_found() -> None:
    lexicon = a_lexicon({phrase("pass word"): Key(0.5)})

    assert parsed("passwords", lexicon).term_matches == (
        term_match(lexicon, "password", 0, weight=0.5, words="passwords"),
    )


def test_a_misspelt_word_matches_a_known_one_with_less_weight() -> None:
    lexicon = a_lexicon({"kubernet": Key(1)}, spellings={"kubernetes": "kubernet"})

    found = parsed("kuberntes", lexicon)

    assert found == ParsedQuery(
        (ONE_EDIT,),
        (term_match(lexicon, "kubernet", 0, weight=ONE_EDIT, words="kuberntes", read_as="kubernetes"),),
        (),
    )
    assert parsed("kuberntis", lexicon).term_matches == (
        term_match(lexicon, "kubernet", 0, weight=TWO_EDITS, words="kuberntis", read_as="kubernetes"),
    )


def test_a_word_with_several_corrections_has_the_highest_of_their_weights() -> None:
    lexicon = a_lexicon({"charter": Key(0.2), "chatter": Key(0.8)})

    found = parsed("chater", lexicon)

    assert [found.read_as for found in found.term_matches] == ["charter", "chatter"]
    assert found.weights == (round(0.8 * ONE_EDIT, 3),)


def test_phrases_are_found_after_correction() -> None:
    keys = {"borrow": Key(0.1), "checker": Key(0.1), phrase("borrow checker"): Key(1, SOMEWHERE)}
    lexicon = a_lexicon(keys)

    assert parsed("borow cheker", lexicon).term_matches[-1] == term_match(
        lexicon,
        phrase("borrow checker"),
        0,
        weight=PHRASE_DISCOUNT,
        words="borow cheker",
        read_as="borrow checker",
    )


@pytest.mark.parametrize(
    ("query", "known", "expected", "unknown"),
    [
        ("日本語入門", "日本語 入門", "日本語 入門", ""),
        ("私は日本語を学習する", "日本語 学習", "日本語 学習", "私は する"),
        ("日本語", "日本 日本語 本語", "日本語", ""),
        ("rust入門", "入門 rust", "rust 入門", ""),
        ("파이썬을", "파이썬", "파이썬", ""),
        ("เรียนภาษาไทย", "ภาษา", "ภาษา", "เรียน ไทย"),
        ("鷹狩り", "日本", "", "鷹狩り"),
    ],
)
def test_known_words_are_found_in_unspaced_script_the_longest_first_and_what_is_between_is_unknown(
    query: str, known: str, expected: str, unknown: str
) -> None:
    found = parsed(query, knowing(*known.split()))

    assert [each.words for each in found.term_matches] == expected.split()
    assert found.unknown == tuple(unknown.split())
    assert len(found.weights) == len(found.term_matches) + len(found.unknown)


def test_words_of_up_to_eight_characters_are_found_in_unspaced_script() -> None:
    eight, nine = "プログラミング言", "データベース管理者"

    lexicon = a_lexicon(dict.fromkeys([eight, nine], Key(1)), spellings={})

    assert parsed(f"{eight}と{nine}", lexicon).unknown == (f"と{nine}",)


NAMES = a_lexicon(
    {
        "threat": Key(0.5),
        "thread": Key(0.5),
        "model": Key(0.5),
        phrase("threat modelling"): Key(1, {0: ("name", 1.0)}, whole=True),
        phrase("thread pool"): Key(1, SOMEWHERE),
        "rust": Key(1, {1: ("name", 1.0)}, whole=True),
        "rusk": Key(0.5),
        "tutori": Key(0.05),
        "tutor": Key(0.6),
    },
    spellings={
        "threat": "threat",
        "thread": "thread",
        "modelling": "model",
        "rust": "rust",
        "rusk": "rusk",
        "tutorial": "tutori",
    },
)


@pytest.mark.parametrize(
    ("query", "read_as"),
    [
        ("thread modelling", "thread|modelling"),  # no unknown word
        ("thread modellign", "thread|modelling|threat modelling"),
        ("threat pool", "threat"),  # a phrase that names nothing
        ("rusk", "rusk"),  # a known word alone
        ("thread modelling with w3 w4 w5 w6 w7", "thread|modelling"),  # a long query
    ],
)
def test_in_a_short_query_whole_names_are_found_through_slips_of_known_words(
    query: str, read_as: str
) -> None:
    assert "|".join(each.read_as for each in parsed(query, NAMES).term_matches) == read_as


def test_in_a_short_query_a_slip_of_a_word_that_asks_for_material_is_read_as_it() -> None:
    # The stem of "tutorals" is that of "tutors", which is known.
    short, long = (parsed(f"tutorals{rest}", NAMES) for rest in ("", " w2 w3 w4 w5 w6 w7"))

    assert [each.read_as for each in short.term_matches] == ["tutorial"]
    assert [each.read_as for each in long.term_matches] == ["tutorals"]
