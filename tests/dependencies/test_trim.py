"""What is left out of the dependencies layer: the list, and what happens to an entry that is wrong."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import ROOT

LAYER: Final = ROOT / "layers" / "dependencies"
INSTALLED: Final = ("kept.py", "routers/__init__.py", "fast_avx2.so", "fast.so")


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    for name in INSTALLED:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def trimmed(packages: Path, entries: str, arch: str = "x86_64") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", LAYER / "trim.sh", packages, arch], input=entries, capture_output=True, text=True, check=False
    )


def files(packages: Path) -> set[str]:
    return {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("entries", "left_out"),
    [
        ("routers\n", {"routers/__init__.py"}),
        ("# a reason\n\nfast*.so\n", {"fast_avx2.so", "fast.so"}),
        ("fast_avx2.so x86_64\n", {"fast_avx2.so"}),
        ("fast_avx2.so arm64\n", set()),
        ("kept.py", {"kept.py"}),
        ("", set()),
    ],
)
def test_what_is_listed_for_the_processor_is_left_out(
    packages: Path, entries: str, left_out: set[str]
) -> None:
    ended = trimmed(packages, entries)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert files(packages) == {*INSTALLED} - left_out


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("router", "trim.txt: nothing is called router in the packages for x86_64"),
        ("slow*.so", "trim.txt: nothing is called slow*.so in the packages for x86_64"),
        ("slow.so x86_64", "trim.txt: nothing is called slow.so in the packages for x86_64"),
        ("fast.so x86-64", "trim.txt: 'x86-64' after fast.so is no processor's name"),
    ],
)
def test_an_entry_that_means_nothing_is_named_and_fails(packages: Path, entry: str, message: str) -> None:
    ended = trimmed(packages, f"{entry}\nkept.py\n")

    assert (ended.returncode, ended.stderr) == (1, f"{message}\n")


def test_all_wrong_entries_are_named_at_once(packages: Path) -> None:
    assert len(trimmed(packages, "one\nkept.py\ntwo\n").stderr.splitlines()) == 2
