"""Which modules the product loads, and when: an import lengthens the request that needs it."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.cold_path import COSTS_MS, FIRST_QUERY
from tests.support.registries import a_category, a_registry, baked

ROOT: Final = Path(__file__).parents[2]

UNWANTED: Final = {*COSTS_MS, *FIRST_QUERY}


@pytest.mark.parametrize(
    "module", ["sources.catalog", "sources.baked", "sources.matching", "sources.prebuilt"]
)
def test_importing_the_product_loads_nothing_costly(module: str) -> None:
    program = f"import sys; import {module}; print(*sys.modules)"
    rooms = f"{ROOT / 'layers/core'}:{ROOT / 'functions/mcp'}"

    loaded = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": rooms},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert module in loaded
    assert UNWANTED & set(loaded) == set()


RANK: Final = """
import sys
from sources.baked import BakedRegistry
from sources.matching import build_strategy
strategy = build_strategy(sys.argv[1], BakedRegistry.open(sys.argv[2]))
found = [strategy.rank(query, limit=1).matches[0].slug for query in sys.argv[3:]]
print(*sorted({"Stemmer", "rapidfuzz", "numpy"}.intersection(sys.modules)), *found)
"""


@pytest.mark.parametrize(
    ("strategy", "queries", "loaded"),
    [
        ("lexicon", [], []),
        ("lexicon", ["the article source of sourdough, example org, topic readers"], ["Stemmer", "bread"]),
        ("lexicon", ["sourdogh"], ["Stemmer", "rapidfuzz", "bread"]),
        ("reference", [], []),
        ("reference", ["bread"], ["rapidfuzz", "bread"]),
    ],
)
def test_a_query_loads_what_its_strategy_needs_and_rapidfuzz_only_if_it_is_short_or_misspelt(
    tmp_path: Path, strategy: str, queries: list[str], loaded: list[str]
) -> None:
    assert ranked(tmp_path, strategy, *queries) == loaded


def ranked(folder: Path, strategy: str, *queries: str) -> list[str]:
    """Which costly packages a process has loaded that ranked `queries`, and the best category of each."""
    baked(folder, a_registry({"bread": a_category("Sourdough Bread")}))
    return subprocess.run(
        [sys.executable, "-c", RANK, strategy, str(folder / "registry"), *queries],
        env={"PYTHONPATH": str(ROOT / "functions/mcp")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
