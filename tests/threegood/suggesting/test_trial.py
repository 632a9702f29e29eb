"""What proposals would change, tried over small registries."""

from tests.support.registries import a_category, a_registry
from threegood.suggesting.phrases import Phrase, phrase_of
from threegood.suggesting.trial import Change, Trial, Trials

REGISTRY = a_registry(
    {
        "espresso": a_category("Espresso", "crema", "pull a shot", "latte art", keywords=["portafilter"]),
        "sauna": a_category("Sauna", "steam room heating", "portafilter", "wood stove"),
    },
    outside=[{"name": "Gardening", "keywords": ["hedge", "portafilter plant"]}],
)
NOTHING = Change((), (), ())


def phrases(*texts: str) -> list[Phrase]:
    return [phrase for text in texts if (phrase := phrase_of(text)) is not None]


def test_a_proposal_comes_with_what_finds_the_category_by_it_and_what_it_takes_from_others() -> None:
    trials = Trials(REGISTRY, "espresso", ["how do I steam milk", "hedge"])

    trial = trials.try_out(phrases("crema", "steam milk", "steam room heating", "clean portafilter"))

    assert trial == Trial(
        (
            Change(("crema",), (), ()),
            Change((), ("how do I steam milk",), ()),
            Change((), (), (("sauna", "steam room heating"),)),
            NOTHING,
        ),
        patterns=3,
        found_before=0,
        found_after=1,
    )


def test_queries_near_the_category_come_with_their_spelling_corrected() -> None:
    queries = ["clean my portafliter", "hedge trimming", "hedge beside a portafilter plant"]

    assert Trials(REGISTRY, "espresso", queries).corrected_queries() == {
        "clean my portafliter": "clean my portafilter",
        "hedge trimming": None,
        "hedge beside a portafilter plant": None,
    }
