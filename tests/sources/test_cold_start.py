"""What the product does not load before it is needed; each import is paid for by a caller who waits."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

UNWANTED: Final = {
    "sources.records",
    "sources.rules",
    "rapidfuzz",
    "cryptography",
    "baking",
    "boto3",
    "aws_lambda_powertools",
    "difflib",
}


@pytest.mark.parametrize("module", ["sources.catalog", "sources.baked", "sources.matching"])
def test_nothing_is_imported_that_no_request_has_asked_for(module: str) -> None:
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


@pytest.mark.parametrize("module", ["sources.baked", "sources.matching"])
def test_data_and_matching_do_without_pydantic(module: str) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys; import {module}; print(*sys.modules)"],
        env={"PYTHONPATH": str(ROOT / "functions/mcp")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "pydantic" not in loaded
