"""docs/runbook.md: an entry for each alarm, complete, whose links lead somewhere."""

import re
from typing import Final

import pytest

from tests.support.processes import ROOT
from tests.support.sam_template import load_template, of_type

TEXT: Final = (ROOT / "docs/runbook.md").read_text()
ENTRIES: Final = dict(re.findall(r"^## (\w+)\n\n(.*?)(?=\n## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
ALARMS: Final = of_type(load_template(), "AWS::CloudWatch::Alarm")


def test_there_is_an_entry_for_every_alarm_and_for_nothing_else() -> None:
    assert set(ENTRIES) == set(ALARMS)


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_names_its_entry(name: str) -> None:
    assert ALARMS[name]["Properties"]["AlarmDescription"].endswith(f"Runbook: docs/runbook.md, {name}.")


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_says_what_it_means_what_clients_see_where_to_look_and_what_to_do(name: str) -> None:
    assert re.findall(r"^- \*\*(\w+(?: see)?)\*\*: ", ENTRIES[name], re.MULTILINE) == [
        "Means",
        "Clients see",
        "Look",
        "Do",
    ]
    assert "`" in ENTRIES[name].split("**Look**")[1].split("**Do**")[0]
