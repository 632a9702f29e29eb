"""Spelling correction: which known spellings are found for a misspelt word."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from string import ascii_lowercase

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from sources.matching.spelling import MIN_LENGTH, Correction, corrections, deletion_variants, is_spelling

Spelled = Callable[[str], Iterable[tuple[str, int]]]

letters = st.text(alphabet="abcde", min_size=MIN_LENGTH, max_size=12)


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """A word, and the same with one letter left out, put in, mistaken, or changed with its neighbour."""
    word = draw(letters)
    place = draw(st.integers(0, len(word) - 1))
    before, letter, after = word[:place], word[place], word[place + 1 :]
    other = draw(st.sampled_from("abcdex"))
    kinds = [before + after, before + other + letter + after, word + other, before + other + after]
    return word, draw(st.sampled_from([*kinds, before + after[:1] + letter + after[1:]]))


def knowing(*spellings: str) -> Spelled:
    """A vocabulary of those spellings, each with its place as the row of its key."""
    known: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row, spelling in enumerate(spellings):
        for variant in deletion_variants(spelling):
            known[variant].append((spelling, row))
    return lambda variant: known.get(variant, ())


def read_as(word: str, *spellings: str) -> list[str]:
    return [reading.spelling for reading in corrections(word, knowing(*spellings))]


def test_the_variants_of_a_word_are_its_letters_without_one() -> None:
    assert deletion_variants("rust") == {"rust", "ust", "rst", "rut", "rus"}


def test_the_variants_of_a_longer_word_are_its_beginning_without_one_letter_or_two() -> None:
    found = deletion_variants("abcdefghij")

    assert {len(variant) for variant in found} == {5, 6, 7}
    assert {"abcdefg", "bcdefg", "abcdef", "cdefg", "abcde", "acdeg"} < found
    assert len(found) == 1 + 7 + 21


@given(st.text(min_size=1, max_size=60))
def test_no_word_has_more_than_29_variants(word: str) -> None:
    assert 1 <= len(deletion_variants(word)) <= 29


@given(slips())
@example(("abcd", "bcd"))
@example(("abcdef", "abcdefe"))
@example(("abcdefg", "bacdefg"))
@example(("abcdefgh", "abcdefhg"))
@example(("abcdefgh", "xabcdefgh"))
def test_a_word_and_its_misspelling_share_a_variant(slip: tuple[str, str]) -> None:
    word, slipped = slip

    assert OSA.distance(word, slipped) <= 1
    assert deletion_variants(word) & deletion_variants(slipped)


@given(slips())
def test_a_word_with_one_edit_is_corrected_unless_a_short_word_has_another_first_letter(
    slip: tuple[str, str],
) -> None:
    word, slipped = slip
    assume(slipped != word)
    short = min(len(word), len(slipped)) <= MIN_LENGTH
    unlikely = short and word[0] != slipped[0] and sorted(word) != sorted(slipped)

    assert read_as(slipped, word) == ([] if unlikely or len(slipped) < MIN_LENGTH else [word])


@pytest.mark.parametrize(
    ("word", "spelling"),
    [
        ("kuberntes", "kubernetes"),
        ("kubernettes", "kubernetes"),
        ("kubernetis", "kubernetes"),
        ("kuebrnetes", "kubernetes"),
        ("kubrenetse", "kubernetes"),
        ("postgersql", "postgresql"),
        ("terrafrom", "terraform"),
        ("wireguad", "wireguard"),
        ("pyhton", "python"),
        ("rsut", "rust"),
    ],
)
def test_a_misspelt_word_is_corrected(word: str, spelling: str) -> None:
    assert read_as(word, "sourdough", spelling, "falconry") == [spelling]


@pytest.mark.parametrize("word", ["", "r", "rst", "rus1", "2024", "e0382", "c++x", "日本"])
def test_short_words_and_words_with_digits_are_not_corrected(word: str) -> None:
    assert read_as(word, "rust", "rest", "20242", "e0383", "c++xy", "日本語") == []


def test_a_word_of_another_script_is_corrected_from_seven_letters_on_and_with_one_edit() -> None:
    assert read_as("русткий", "русский") == ["русский"]
    assert read_as("русзкии", "русский") == []
    assert read_as("кошка", "кошки") == []


def test_a_word_of_six_letters_or_less_has_one_edit_and_a_longer_one_two() -> None:
    assert read_as("pithen", "python") == []
    assert read_as("pithon", "python") == ["python"]
    assert read_as("kubernatis", "kubernetes") == ["kubernetes"]
    assert read_as("kabernatis", "kubernetes") == []


@pytest.mark.parametrize(
    ("word", "spellings", "found"),
    [
        ("bust", ["rust"], []),  # another first letter
        ("urst", ["rust"], ["rust"]),  # the same letters in another order
        ("rusk", ["rust"], ["rust"]),
        ("brust", ["rust"], []),
        ("fython", ["python"], ["python"]),  # long enough
    ],
)
def test_a_short_word_keeps_its_first_letter(word: str, spellings: list[str], found: list[str]) -> None:
    assert read_as(word, *spellings) == found


def test_a_known_spelling_is_recognised_and_is_no_correction_of_itself() -> None:
    known = knowing("python", "pythons")

    assert [is_spelling(word, known) for word in ("python", "pythons", "pyton")] == [True, True, False]
    assert read_as("python", "python", "pythons") == ["pythons"]


def test_a_correction_has_its_cost_its_edits_and_the_row_of_its_key() -> None:
    assert corrections("pyhton", knowing("rust", "python")) == [Correction(0.5, 1, "python", 1)]


def test_spellings_that_only_share_the_hash_of_a_variant_are_no_corrections() -> None:
    unrelated = [(letter * 8, row) for row, letter in enumerate(ascii_lowercase)]

    assert corrections("kubernetis", lambda _variant: [*unrelated, ("kubernetes", 99)]) == [
        Correction(1.0, 1, "kubernetes", 99)
    ]


@pytest.mark.parametrize(
    ("word", "spellings", "found"),
    [
        ("form", ["from", "fort"], ["from"]),  # the same letters
        ("bridle", ["bridge", "girdle", "fridle"], ["bridge"]),  # the same first letter
        ("chater", ["cheter", "charter", "chatter"], ["charter", "chatter", "cheter"]),  # a letter is missing
        ("containr", ["contain", "container"], ["container", "contain"]),
        ("planx", ["plana", "planb", "planc", "pland", "plane"], ["plana", "planb", "planc", "pland"]),
        ("falconry", ["rust", "sourdough", "falcon"], []),
    ],
)
def test_the_likeliest_corrections_come_first_and_at_most_four(
    word: str, spellings: list[str], found: list[str]
) -> None:
    assert read_as(word, *spellings) == found
