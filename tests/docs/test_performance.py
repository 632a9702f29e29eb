"""docs/performance.md links to files that exist, and its tables are those of its figures."""

import json
import re
from typing import Final

import pytest

from bench.serving.report import as_markdown
from tests.support.processes import ROOT

FOLDER: Final = ROOT / "docs" / "performance"
TEXT: Final = (ROOT / "docs" / "performance.md").read_text()


def test_the_tables_are_those_of_the_figures() -> None:
    figures = json.loads((FOLDER / "figures.json").read_text())
    assert (FOLDER / "tables.md").read_text() == f"{as_markdown(figures)}\n"


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_what_is_linked_is_there(link: str) -> None:
    assert (ROOT / "docs" / link).exists()
