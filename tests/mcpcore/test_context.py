"""What a tool can say through its context."""

import pytest

from mcpcore import Context, Given, SessionId
from mcpcore.envelope import Envelope
from mcpcore.versions import Era


def context() -> Context:
    """The context of a request of the newest version."""
    envelope = Envelope(Era.MODERN, "2026-07-28", "", "", {}, {})
    return Context(envelope, Given(0, lambda: SessionId("s"), 3600))


def test_a_counter_adds_up() -> None:
    counting = context()
    counting.count("matches")
    counting.count("matches", by=2)
    counting.count("no_matches")
    assert counting.counts == {"matches": 3, "no_matches": 1}


@pytest.mark.parametrize("name", ["", "Matches", "no matches", "1st", "x" * 65, "é", "a\n"])
def test_what_cannot_name_a_metric_cannot_name_a_counter(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a counter"):
        context().count(name)
