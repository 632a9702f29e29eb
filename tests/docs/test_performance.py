"""docs/performance holds what the models make of the figures that it holds, and links to what is there."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from bench.models import write
from bench.works import FIGURES
from tests.support.processes import ROOT

TEXT: Final = (ROOT / "docs" / "performance.md").read_text()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write(json.loads(FIGURES.read_text()), folder)
    return folder


@pytest.mark.parametrize("name", ["cost.md", "scaling.md", "cold-share.md"])
def test_the_tables_are_those_of_the_figures_or_else_run_bench_models(name: str, fresh: Path) -> None:
    assert (FIGURES.parent / name).read_text() == (fresh / name).read_text()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_what_is_linked_is_there(link: str) -> None:
    assert (ROOT / "docs" / link).exists()
