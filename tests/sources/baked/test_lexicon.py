"""The file of a vocabulary: what was packed is found, and nothing else."""

from collections.abc import Mapping
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.baked import Lexicon
from sources.baked.lexicon import FULL_READ_LIMIT, HEAD_LENGTH
from sources.baked.postings import FIELDS, MAX_TOPICS, topic_of
from tests.support.lexicons import Key, a_lexicon, packed_postings
from threegood.baking.packing import Term, pack_lexicon
from threegood.baking.weights import DAMPING

texts = st.text(alphabet=st.characters(codec="utf-8"), max_size=12)
postings = st.dictionaries(
    st.integers(0, MAX_TOPICS - 1), st.tuples(st.sampled_from(FIELDS), st.floats(0, 1)), max_size=5
)
vocabularies = st.dictionaries(
    texts, st.builds(Term, st.floats(0, 1), postings.map(packed_postings), st.booleans()), max_size=12
)


def packed(
    terms: Mapping[str, Term],
    *,
    out_of_scope: tuple[str, ...] = (),
    spellings: Mapping[str, str] | None = None,
    variants: tuple[tuple[str, str], ...] = (),
) -> bytes:
    return pack_lexicon(
        categories=3, out_of_scope=out_of_scope, terms=terms, spellings=spellings or {}, variants=variants
    )


def row_of(lexicon: Lexicon, key: str) -> int:
    row = lexicon.find(key)
    assert row is not None
    return row


@given(vocabularies)
def test_every_key_is_found_with_its_weight_its_postings_and_whether_it_is_common(
    terms: dict[str, Term],
) -> None:
    lexicon = Lexicon(packed(terms))

    rows = {key: row_of(lexicon, key) for key in terms}

    assert sorted(rows.values()) == list(range(len(terms)))
    assert {key: list(lexicon.strongest_postings(row)) for key, row in rows.items()} == {
        key: sorted(term.postings) for key, term in terms.items()
    }
    assert {key: lexicon.weight(row) for key, row in rows.items()} == pytest.approx(
        {key: term.weight**DAMPING for key, term in terms.items()}, abs=1 / 65_534
    )
    assert {key for key, row in rows.items() if lexicon.is_common(row)} == {
        key for key, term in terms.items() if term.is_common
    }
    assert [key for key, row in rows.items() if not lexicon.is_complete(row)] == []


@given(vocabularies, st.integers(0, MAX_TOPICS - 1))
def test_a_posting_is_found_by_its_topic(terms: dict[str, Term], stranger: int) -> None:
    lexicon = Lexicon(packed(terms))
    own = {key: {topic_of(posting): posting for posting in term.postings} for key, term in terms.items()}
    rows = {key: row_of(lexicon, key) for key in terms}

    assert {
        key: {topic: lexicon.posting(rows[key], topic) for topic in by_topic} for key, by_topic in own.items()
    } == own
    assert {key: lexicon.posting(row, stranger) for key, row in rows.items()} == {
        key: by_topic.get(stranger) for key, by_topic in own.items()
    }


@given(vocabularies, texts)
def test_an_unknown_key_is_not_found(terms: dict[str, Term], key: str) -> None:
    terms.pop(key, None)

    assert Lexicon(packed(terms)).find(key) is None


@given(st.lists(texts, max_size=6))
def test_out_of_scope_topics_are_numbered_after_the_categories(names: list[str]) -> None:
    lexicon = Lexicon(packed({}, out_of_scope=tuple(names)))

    assert (lexicon.categories, lexicon.has_out_of_scope) == (3, bool(names))
    assert [lexicon.out_of_scope_name(3 + place) for place in range(len(names))] == names


@given(st.dictionaries(texts, st.sampled_from(["one", "two"]), min_size=1), st.data())
def test_a_deletion_variant_has_its_spellings_and_the_rows_of_their_keys(
    spellings: dict[str, str], data: st.DataObject
) -> None:
    pairs = st.tuples(texts, st.sampled_from(sorted(spellings)))
    variants = data.draw(st.lists(pairs, max_size=8))
    lexicon = Lexicon(
        packed({"one": Term(1, ()), "two": Term(1, ())}, spellings=spellings, variants=tuple(variants))
    )

    known = {
        variant: {
            (spelling, row_of(lexicon, spellings[spelling]))
            for other, spelling in variants
            if crc32(other.encode()) == crc32(variant.encode())
        }
        for variant, _ in variants
    }
    assert {variant: sorted(lexicon.spellings_with(variant)) for variant in known} == {
        variant: sorted(pairs) for variant, pairs in known.items()
    }


@pytest.mark.parametrize("key", ["\ud800", "rust\udfff", "\x00", "", "=" * 1000, "🦀"])
def test_any_other_text_is_an_unknown_key(key: str) -> None:
    lexicon = a_lexicon({"rust": Key(1)})

    assert (lexicon.find(key), list(lexicon.spellings_with(key))) == (None, [])


def test_a_key_with_postings_up_to_the_limit_is_complete() -> None:
    uses = dict.fromkeys(range(FULL_READ_LIMIT), ("name", 0.5))
    lexicon = a_lexicon({"rust": Key(1, uses)})
    row = row_of(lexicon, "rust")

    assert lexicon.is_complete(row)
    assert list(lexicon.strongest_postings(row)) == packed_postings(uses)


def test_of_a_key_with_more_postings_the_strongest_are_read_and_the_others_can_be_found() -> None:
    last, first = range(FULL_READ_LIMIT + 1 - HEAD_LENGTH, FULL_READ_LIMIT + 1), range(HEAD_LENGTH)
    rising = {topic: ("name", 0.9 if topic in last else 0.5) for topic in range(FULL_READ_LIMIT + 1)}
    falling = {topic: ("alias", 0.9 if topic in first else 0.5) for topic in range(FULL_READ_LIMIT + 1)}
    few = {5: ("pattern", 0.5)}
    lexicon = a_lexicon({"rising": Key(1, rising), "falling": Key(1, falling), "few": Key(1, few)})
    rows = {key: row_of(lexicon, key) for key in ("rising", "falling", "few")}

    assert {key: lexicon.is_complete(row) for key, row in rows.items()} == {
        "rising": False,
        "falling": False,
        "few": True,
    }
    assert list(map(topic_of, lexicon.strongest_postings(rows["rising"]))) == list(last)
    assert list(map(topic_of, lexicon.strongest_postings(rows["falling"]))) == list(first)
    assert list(lexicon.strongest_postings(rows["few"])) == packed_postings(few)
    assert [lexicon.posting(rows["rising"], topic) for topic in rising] == packed_postings(rising)


def test_of_equal_postings_those_of_the_first_topics_are_read() -> None:
    lexicon = a_lexicon({"rust": Key(1, dict.fromkeys(range(FULL_READ_LIMIT + 1), ("name", 0.5)))})

    assert list(map(topic_of, lexicon.strongest_postings(row_of(lexicon, "rust")))) == list(
        range(HEAD_LENGTH)
    )
