"""What a curator is told of a valid registry, over small ones made up for it."""

import json

import pytest

from sources.baked import Lexicon
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import lexicon
from threegood.reports.report import (
    Collision,
    Drawn,
    Missed,
    Missing,
    Text,
    Unaided,
    collisions,
    drawn_away,
    logged_queries,
    missing_words,
    unaided,
)

COLLIDING = a_registry(
    {
        "cooking": a_category("Cooking", "how to cook pasta", "knife skills", "meal plans", aliases=["chef"]),
        "pasta": a_category("Pasta", "Cooking Pastas", "chefs", "fresh tagliatelle", aliases=["spaghetti"]),
        "noodles": a_category("Noodles", "spaghetti", "ramen broth", "udon dough", aliases=["long pasta"]),
    }
)
CONTESTED = a_registry(
    {
        "music": a_category("Music Theory", "sonata form", "circle of fifths", "wood drying"),
        "piano": a_category("Piano", "finger exercises", "first scales", "pedals", keywords=["sonata form"]),
        "wood": a_category("Carpentry", "dovetail joints", "sharp chisels", "oil finishes"),
    },
    outside=[{"name": "Forestry", "keywords": ["wood drying"]}],
)
PATTERNS_ALONE = a_registry(
    {
        "pasta": a_category("Pasta", "learn pasta", "pasta guide", "best pasta"),
        "topology": a_category("Rubber Sheets", "open sets", "doughnut handles", "own free pasta"),
    }
)


@pytest.fixture(scope="module")
def contested() -> Lexicon:
    return Lexicon(lexicon(CONTESTED))


def test_patterns_collide_that_say_the_same_in_two_categories_or_what_the_other_is_called() -> None:
    assert collisions(COLLIDING) == [
        Collision(Text("cooking", "alias", "chef"), Text("pasta", "pattern", "chefs")),
        Collision(
            Text("cooking", "pattern", "how to cook pasta"), Text("pasta", "pattern", "Cooking Pastas")
        ),
        Collision(Text("noodles", "pattern", "spaghetti"), Text("pasta", "alias", "spaghetti")),
    ]


def test_a_collision_is_told_once_however_many_texts_of_a_category_say_the_same() -> None:
    registry = a_registry(
        {
            "chess": a_category("Chess", "endgame", "openings", "tactics"),
            "end-game": a_category("End Game", "finals", "last moves", "mates"),
        }
    )

    assert collisions(registry) == [
        Collision(Text("chess", "pattern", "endgame"), Text("end-game", "name", "End Game"))
    ]


def test_patterns_without_a_word_that_counts_collide_only_with_themselves() -> None:
    registry = a_registry(
        {
            "tea": a_category("Tea", "thé", "green tea", "oolong"),
            "rest": a_category("Rest", "hér", "sleep", "naps"),
        }
    )

    assert collisions(registry) == []


def test_a_pattern_is_drawn_away_by_whatever_its_words_speak_for_most(contested: Lexicon) -> None:
    away = list(drawn_away(CONTESTED, contested))

    assert [found._replace(score=0, rivals_score=None) for found in away] == [
        Drawn("music", "sonata form", 0, rival="piano"),
        Drawn("music", "wood drying", 0, outside="Forestry"),
    ]
    assert away[0].rivals_score is not None
    assert away[0].score < away[0].rivals_score < 1
    assert away[1].rivals_score is None


def test_a_pattern_that_speaks_as_much_for_another_category_is_not_drawn_away() -> None:
    registry = a_registry(
        {
            "cello": a_category("Cello", "bow hold", "first position", "tuning pegs"),
            "viola": a_category("Viola", "bow hold", "alto clef", "sheet music"),
        }
    )

    assert list(drawn_away(registry, Lexicon(lexicon(registry)))) == []
    assert len(collisions(registry)) == 1


def test_a_pattern_without_a_word_that_counts_is_not_drawn_away() -> None:
    registry = a_registry({"tea": a_category("Tea", "thé", "green tea", "oolong")})

    assert list(drawn_away(registry, Lexicon(lexicon(registry)))) == []


def test_each_pattern_is_asked_while_it_is_left_out() -> None:
    assert unaided(PATTERNS_ALONE) == [
        Unaided("pasta", 3, ()),
        Unaided(
            "topology",
            3,
            (
                Missed("open sets", None),
                Missed("doughnut handles", None),
                Missed("own free pasta", "pasta"),
            ),
        ),
    ]


def test_words_are_missing_that_no_topic_has_and_those_of_most_queries_come_first(
    contested: Lexicon,
) -> None:
    queries = ["best zqxwv for giraffes", "piano zqxwv zqxwv", "learn forestry", "giraffe", "giraffes", ""]

    assert missing_words(queries, contested) == [
        Missing("giraffes", 3, "best zqxwv for giraffes"),
        Missing("zqxwv", 2, "best zqxwv for giraffes"),
    ]


def noted(query: object) -> str:
    return json.dumps({"message": "request", "notes": {"no_match": query}})


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("", []),
        ("knit sweater\n\n  c{ompilers \r\n[1]\nknit\n", ["knit sweater", "c{ompilers", "[1]", "knit"]),
        (f"START of it\n{noted('knit sweater')}\nEND of it", ["knit sweater"]),
        (f"2026-11-22T01:02:03 main[1] {noted('strick pullover')}", ["strick pullover"]),
        (noted("подводный хоккей"), ["подводный хоккей"]),
        ('{"message": "request"}\nEND', []),
        ('{"notes": null}\n{"notes": {"other": "x"}}\n' + noted(7) + "\n" + noted(""), []),
        ('{"a":' * 100_000, ['{"a":' * 100_000]),
    ],
)
def test_queries_come_from_a_list_or_from_what_a_log_notes(text: str, queries: list[str]) -> None:
    assert logged_queries(text) == queries
