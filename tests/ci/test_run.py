"""What CI runs, with every command replaced by one that only notes that it was called."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import ROOT

COMMANDS: Final = [
    "make check",
    "make build",
    "make conformance",
    "make eval GATE=1",
    "make bench-instructions",
    "make fuzz SECONDS=120",
    "make load REQUESTS=5000",
    "make clients CI=1",
    "make test",
]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder that is the whole PATH: what CI calls, noted; what it needs of the system, real."""
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    for name in ("make", "apt-get", "sudo"):
        written(tmp_path / name, f'echo "{name} $*" >> "{tmp_path}/called"')
    written(tmp_path / "id", "echo 1000")
    return tmp_path


def written(command: Path, script: str) -> None:
    command.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    command.chmod(0o755)


def ci(commands: Path) -> tuple[int, list[str]]:
    """The status of CI, and what it called."""
    done = subprocess.run(
        [commands / "bash", ROOT / ".ci/run"],
        env={"PATH": str(commands)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode, (commands / "called").read_text().splitlines()


def test_instructions_are_guarded_before_the_tests_which_come_last(commands: Path) -> None:
    written(commands / "valgrind", "true")
    assert ci(commands) == (0, COMMANDS)


def test_instructions_over_their_budget_fail_ci(commands: Path) -> None:
    written(commands / "valgrind", "true")
    written(
        commands / "make", f'echo "make $*" >> "{commands}/called"; [ "$1" != bench-instructions ] || exit 1'
    )
    assert ci(commands) == (1, COMMANDS[: COMMANDS.index("make bench-instructions") + 1])


def test_valgrind_is_installed_where_nobody_has_to_be_asked(commands: Path) -> None:
    status, called = ci(commands)
    assert status == 0
    assert [command for command in called if command not in COMMANDS] == [
        "sudo -n apt-get update",
        "sudo -n apt-get install -y --no-install-recommends valgrind",
    ]


def test_root_installs_valgrind_itself(commands: Path) -> None:
    written(commands / "id", "echo 0")
    status, called = ci(commands)
    assert status == 0
    assert [command for command in called if command not in COMMANDS] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends valgrind",
    ]


def test_ci_goes_on_where_valgrind_cannot_be_installed(commands: Path) -> None:
    written(commands / "sudo", "echo a password is required >&2; exit 1")
    assert ci(commands) == (0, COMMANDS)
