"""The figures as text."""

from tests.eval.asking import Asked
from tests.eval.figures import Band, Measured, Point, Shares, Style
from tests.eval.queries import Query
from tests.eval.report import (
    as_markdown,
    as_text,
    band_rows,
    common_words,
    confusions,
    set_rows,
    style_table,
    threshold_table,
)


def missed(line: int, text: str = "crust") -> Asked:
    return Asked(Query(line, text, ("bread", "baking"), "typo"), "rust", "rust", 0.456)


RIGHT = Asked(Query(9, "rust", ("rust",), "typo"), "rust", "rust", 1.0)


def test_a_style_has_its_share_and_its_faults_in_one_line() -> None:
    rows = [Style("typo", 12, 0.75, wrong=1, refused=2, accepted=0), Style("oos-far", 1, 1.0, 0, 0, 0)]
    assert style_table(rows) == (
        "style    queries  right   wrong category  refused  falsely accepted\n"
        "typo     12       75.0%   1               2        0\n"
        "oos-far  1        100.0%  0               0        0"
    )


def test_a_confusion_lists_expectation_answer_score_and_query() -> None:
    assert confusions([RIGHT, missed(3)], limit=5) == (
        "1 of 2 queries went wrong:\n"
        "line  style  expected         answered  score  query\n"
        "3     typo   bread or baking  rust      0.46   crust"
    )


def test_a_refusal_is_listed_with_the_nearest_category() -> None:
    near = Asked(Query(1, "loaf", ("bread",), "synonym"), None, "rust", 0.1)
    empty = Asked(Query(2, "", ("bread",), "synonym"), None, None, None)
    assert confusions([near, empty], limit=5).splitlines()[2:] == [
        "1     synonym  bread     refused (nearest: rust)  0.10   loaf",
        "2     synonym  bread     refused                  -",
    ]


def test_with_a_limit_of_zero_only_the_number_is_printed() -> None:
    assert confusions([RIGHT, missed(1)], limit=0) == "1 of 2 queries went wrong."
    assert confusions([RIGHT], limit=5) == "0 of 1 queries went wrong."


def test_a_long_query_is_cut_after_100_characters() -> None:
    assert confusions([missed(1, "x" * 100)], limit=1).endswith(" " + "x" * 100)
    assert confusions([missed(1, "x" * 101)], limit=1).endswith(" " + "x" * 100 + "…")


def test_control_characters_are_escaped() -> None:
    text = confusions([missed(1, "a\n\x1b[2J\u202eb\ud800é")], limit=1)
    assert text.endswith(r"a\n\x1b[2J\u202eb\ud800é")


def test_a_threshold_has_a_line_with_both_shares() -> None:
    assert threshold_table([Point(0.05, Shares(0.5, None)), Point(1, Shares(0, 1))]) == (
        "threshold  accuracy  false accepts\n0.05       50.0%     -\n1.00       0.0%      100.0%"
    )


def test_a_set_has_its_figures_beside_their_bounds() -> None:
    figures = {"wishes": Measured(200, 50, Shares(0.92, 0.04)), "unseen": Measured(40, 0, Shares(0.95, None))}
    bounds = {
        "unseen": Shares(0.95, None),
        "wishes": Shares(0.92, 0.02),
        "sealed": Shares(0.9, None),
    }
    assert as_text(set_rows(figures, bounds)) == (
        "set     queries  right         at least  falsely accepted  at most  met\n"
        "unseen  40       95.0% of 40   95.0%     -                 -        yes\n"
        "wishes  250      92.0% of 200  92.0%     4.0% of 50        2.0%     no\n"
        "sealed  -        -             90.0%     -                 -        not asked"
    )


def test_a_band_of_scores_has_a_line_in_a_table_of_the_documentation() -> None:
    assert as_markdown(band_rows([Band(0.9, 12, 11, 0.875)])) == (
        "| score | answers | right | share right |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| 0.9 to 1.0 | 12 | 11 | 87.5% |"
    )


def test_of_the_common_words_that_are_answered_sixty_are_listed() -> None:
    words = [Asked(Query(line, f"w{line}", (), "word"), "rust", "rust", 0.5) for line in range(1, 62)]
    assert common_words(words).startswith("Of 61 common words 61 are answered: w1, w2, ")
    assert common_words(words).endswith(", w60 …")
    assert common_words([RIGHT]) == "Of 1 common words 0 are answered: none"
