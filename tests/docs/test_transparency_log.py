"""docs/transparency-log.md: its checks are those of the code, its bounds too, and its commands work."""

import re
from typing import Final

import log_pages
from sources import tools
from tests.support.commands import threegood
from tests.support.processes import ROOT
from threegood.trust.changes import ACTIONS, KEY_ADDED, KEY_REMOVED
from threegood.trust.log_checks import CHECKS

TEXT: Final = (ROOT / "docs/transparency-log.md").read_text("utf-8")


def test_every_check_is_explained_in_its_order() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| .+ \|$", TEXT, flags=re.MULTILINE)
    checks = [(name, holds) for name, holds in rows if name in {"published", *CHECKS}]

    assert checks[0][0] == "published"
    assert checks[1:] == list(CHECKS.items())


def test_every_action_is_named() -> None:
    (row,) = [line for line in TEXT.splitlines() if line.startswith("| `action` |")]

    assert all(f"`{action}`" in row for action in (*ACTIONS["category"], *ACTIONS["identity"]))
    assert f"`{KEY_ADDED}`, `{KEY_REMOVED}`" in row
    assert {kind for kind in ACTIONS if kind in row} == set(ACTIONS)


def test_the_bounds_are_those_of_the_code() -> None:
    assert f"at most {tools._MAX_ENTRIES} entries and {tools._MAX_ENTRIES_BYTES // 1000} KB" in TEXT
    assert f"at most {log_pages._MAX_ENTRIES} entries and {log_pages._MAX_ENTRIES_BYTES // 1000} KB" in TEXT


def test_its_commands_and_options_exist() -> None:
    for command in re.findall(r"^threegood (log \w+|sign)", TEXT, flags=re.MULTILINE):
        options = re.findall(rf"threegood {command}[^\n#`]*", TEXT)
        described = threegood(*command.split(), "--help").out
        assert all(option in described for each in options for option in re.findall(r"--[a-z-]+", each))
