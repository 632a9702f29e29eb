"""The whole measurement of matching, at sizes that take seconds."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("docs") / "matching"


@pytest.fixture(scope="module")
def printed(out: Path) -> list[str]:
    command = [sys.executable, "-m", "bench.matching.run", "--sizes", "300,60", "--rounds", "1"]
    done = subprocess.run(
        [*command, "--out", str(out), "--write"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": ".:local:layers/core:functions/mcp"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def result(printed: list[str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(printed[-1])
    return content


def test_the_last_line_has_the_ratios_and_every_size(result: dict[str, Any]) -> None:
    assert result["ratios"].keys() >= {"p50_growth", "p50_to_reference", "load_growth", "layer_mb"}
    assert [each["size"] for each in result["baked"]] == [60, 300]
    assert [(each["strategy"], each["size"]) for each in result["measured"]] == [
        ("lexicon", 60),
        ("lexicon", 300),
        ("reference", 60),
    ]


def test_every_figure_was_measured(result: dict[str, Any]) -> None:
    names = ("load_us", "touch_us", "first_us", "p50_us", "p99_us")
    times = [each[name] for each in result["measured"] for name in names]
    worst = [time for each in result["measured"] for time in each["worst_us"].values()]
    memory = [part["all"] for each in result["measured"] for part in each["memory_mib"].values()]

    assert min(times + worst + memory) > 0
    assert all(0.5 < each["accuracy"] <= 1 for each in result["measured"])
    assert all(each["peak_mib"] >= each["registry_mib"] > 0 for each in result["baked"])


def test_the_page_has_the_printed_tables_and_the_picture(out: Path, printed: list[str]) -> None:
    page = out.with_name("matching.md").read_text()

    assert page.startswith("# Matching\n")
    assert "\n".join(printed[:-1]) in page
    assert "(matching-scale.png)" in page
    assert out.with_name("matching-scale.png").read_bytes().startswith(b"\x89PNG")
