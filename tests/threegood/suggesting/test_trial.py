"""What proposals would change, tried over small registries."""

from tests.support.registries import a_category, a_registry
from threegood.suggesting.phrases import Phrase, phrase_of
from threegood.suggesting.trial import Change, Trial, Trials

REGISTRY = a_registry(
    {
        "glimmer": a_category("Glimmer", "quorl", "wabe a tove", "mome rath", keywords=["frabjit"]),
        "snark": a_category("Snark", "steam room heating", "frabjit", "manxome"),
    },
    outside=[{"name": "Gardening", "keywords": ["hedge", "frabjit plant"]}],
)
NOTHING = Change((), (), ())


def phrases(*texts: str) -> list[Phrase]:
    return [phrase for text in texts if (phrase := phrase_of(text)) is not None]


def test_a_proposal_comes_with_what_finds_the_category_by_it_and_what_it_takes_from_others() -> None:
    trials = Trials(REGISTRY, "glimmer", ["how do I steam borogoves", "hedge"])

    trial = trials.try_out(phrases("quorl", "steam borogoves", "steam room heating", "clean frabjit"))

    assert trial == Trial(
        (
            Change(("quorl",), (), ()),
            Change((), ("how do I steam borogoves",), ()),
            Change((), (), (("snark", "steam room heating"),)),
            NOTHING,
        ),
        patterns=3,
        found_before=0,
        found_after=1,
    )


def test_queries_near_the_category_come_with_their_spelling_corrected() -> None:
    queries = ["clean my frabijt", "hedge trimming", "hedge beside a frabjit plant"]

    assert Trials(REGISTRY, "glimmer", queries).corrected_queries() == {
        "clean my frabijt": "clean my frabjit",
        "hedge trimming": None,
        "hedge beside a frabjit plant": None,
    }
