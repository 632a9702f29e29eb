"""How answers are counted."""

from tests.eval.asking import Asked
from tests.eval.figures import Band, Point, Shares, Style, curve, reliability, shares, styles
from tests.eval.queries import Query


def asked(
    *fair: str,
    answered: str | None = None,
    nearest: str | None = None,
    score: float | None = None,
    style: str = "s",
) -> Asked:
    """A query with these fair categories, and what became of it."""
    return Asked(Query(1, "a query", fair, style), answered, nearest or answered, score)


RIGHT = asked("bread", answered="bread", score=0.9)
WRONG = asked("bread", answered="rust", score=0.6)
REFUSED = asked("bread", nearest="bread", score=0.3)
ACCEPTED = asked(answered="rust", score=0.5)
KEPT_OUT = asked(nearest="rust", score=0.2)
NOTHING_TO_MATCH = asked()


def test_accuracy_is_the_share_of_right_categories_among_queries_in_scope() -> None:
    assert shares([RIGHT, WRONG, REFUSED, KEPT_OUT, ACCEPTED]).accuracy == 0.3333


def test_any_of_the_fair_categories_is_right() -> None:
    either = [asked("bread", "rust", answered=slug) for slug in ("bread", "rust", "go")]
    assert [each.right for each in either] == [True, True, False]


def test_false_accepts_are_the_share_of_answers_among_queries_that_should_be_refused() -> None:
    assert shares([RIGHT, ACCEPTED, KEPT_OUT, NOTHING_TO_MATCH]).false_accept == 0.3333


def test_there_is_no_figure_without_a_query_of_its_kind() -> None:
    assert shares([RIGHT]) == Shares(1.0, None)
    assert shares([ACCEPTED]) == Shares(None, 1.0)


def test_a_style_has_a_row_with_what_went_wrong_in_each_way() -> None:
    mixed = [RIGHT, WRONG, REFUSED, REFUSED, ACCEPTED, KEPT_OUT]
    assert styles(mixed) == [Style("s", 6, 0.3333, wrong=1, refused=2, accepted=1)]


def test_the_curve_asks_what_every_threshold_would_have_let_through() -> None:
    assert curve([RIGHT, WRONG, REFUSED, ACCEPTED, KEPT_OUT], steps=2) == [
        Point(0.0, Shares(0.6667, 1.0)),
        Point(0.5, Shares(0.3333, 0.5)),
        Point(1.0, Shares(0.0, 0.0)),
    ]


def test_a_band_of_scores_weighs_queries_in_scope_as_much_as_those_outside() -> None:
    high = asked(answered="rust", score=0.97)
    outside = [KEPT_OUT, KEPT_OUT, NOTHING_TO_MATCH]
    assert reliability([RIGHT, RIGHT, asked("bread", answered="bread", score=1.0), high, *outside]) == [
        # Three right ones of three in scope against one of four outside.
        Band(0.9, 4, 3, share=0.8)
    ]


def test_bands_begin_at_their_lowest_score_and_refusals_are_in_none() -> None:
    half = asked("bread", answered="bread", score=0.5)
    assert reliability([half, WRONG, REFUSED, KEPT_OUT]) == [Band(0.5, 1, 1, 1.0), Band(0.6, 1, 0, 0.0)]
