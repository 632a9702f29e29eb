"""Ambiguous patterns of small registries."""

import pytest

from sources.baked import Lexicon
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import bake_lexicon
from threegood.reports.patterns import Collision, Misrouted, RegistryText, collisions, misrouted

COLLIDING = a_registry(
    {
        "cooking": a_category("Cooking", "how to cook pasta", "knife skills", "meal plans", aliases=["chef"]),
        "pasta": a_category("Pasta", "Cooking Pastas", "chefs", "fresh tagliatelle", aliases=["spaghetti"]),
        "noodles": a_category("Noodles", "spaghetti", "ramen broth", "udon dough", aliases=["long pasta"]),
    }
)
CONTESTED = a_registry(
    {
        "music": a_category("Music Theory", "sonata form", "circle of fifths", "timber drying"),
        "piano": a_category(
            "Piano", "finger exercises", "first scales", "pedals", keywords=["sonata", "sonata form"]
        ),
        "wood": a_category("Carpentry", "dovetail joints", "sharp chisels", "oil finishes"),
    },
    outside=[{"name": "Forestry", "keywords": ["timber", "drying", "timber drying"]}],
)


@pytest.fixture(scope="module")
def contested() -> Lexicon:
    return Lexicon(bake_lexicon(CONTESTED))


def test_patterns_collide_if_another_category_has_the_same_words() -> None:
    assert collisions(COLLIDING) == [
        Collision(RegistryText("cooking", "alias", "chef"), RegistryText("pasta", "pattern", "chefs")),
        Collision(
            RegistryText("cooking", "pattern", "how to cook pasta"),
            RegistryText("pasta", "pattern", "Cooking Pastas"),
        ),
        Collision(
            RegistryText("noodles", "pattern", "spaghetti"), RegistryText("pasta", "alias", "spaghetti")
        ),
    ]


def test_a_collision_is_listed_once_for_two_texts_of_a_category() -> None:
    registry = a_registry(
        {
            "chess": a_category("Chess", "endgame", "openings", "tactics"),
            "end-game": a_category("End Game", "finals", "last moves", "mates"),
        }
    )

    assert collisions(registry) == [
        Collision(RegistryText("chess", "pattern", "endgame"), RegistryText("end-game", "name", "End Game"))
    ]


def test_patterns_of_stop_words_do_not_collide() -> None:
    registry = a_registry(
        {
            "tea": a_category("Tea", "thé", "green tea", "oolong"),
            "rest": a_category("Rest", "hér", "sleep", "naps"),
        }
    )

    assert collisions(registry) == []


def test_a_pattern_is_misrouted_if_its_words_match_something_else_better(contested: Lexicon) -> None:
    away = list(misrouted(CONTESTED, contested))

    assert [found._replace(score=0, rival_score=None) for found in away] == [
        Misrouted("music", "sonata form", 0, rival="piano"),
        Misrouted("music", "timber drying", 0, out_of_scope="Forestry"),
    ]
    assert away[0].rival_score is not None
    assert away[0].score < away[0].rival_score < 1
    assert away[1].rival_score is None


def test_a_pattern_that_matches_another_category_as_well_is_not_misrouted() -> None:
    registry = a_registry(
        {
            "cello": a_category("Cello", "bow hold", "first position", "tuning pegs"),
            "viola": a_category("Viola", "bow hold", "alto clef", "sheet music"),
        }
    )

    assert list(misrouted(registry, Lexicon(bake_lexicon(registry)))) == []
    assert len(collisions(registry)) == 1


def test_a_pattern_of_stop_words_is_not_misrouted() -> None:
    registry = a_registry({"tea": a_category("Tea", "thé", "green tea", "oolong")})

    assert list(misrouted(registry, Lexicon(bake_lexicon(registry)))) == []
