"""An independent implementation of C2SP transparency logs reads ours, and finds the same roots and proofs."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.logs import CURATOR, ORIGIN
from tests.support.processes import ROOT, plain_environment
from tests.support.python_environment import environment_of
from threegood.node.published_log import log_in_folder
from threegood.trust.keys import PublicKey
from threegood.trust.log import signed_checkpoint
from threegood.trust.merkle import consistency_proof, inclusion_proof, root_of
from threegood.trust.notes import Checkpoint, NoteKey, unverified_text
from threegood.trust.tiles import tile_paths, tiles_of

FOLDER: Final = Path(__file__).parent / "aics"
OLDEST: Final = (3, 12)


def python_for_it() -> str | None:
    """A Python that is new enough; None if there is none."""
    pyenv = sorted(Path.home().glob(".pyenv/versions/3.1[2-9].*/bin/python"), reverse=True)
    found = [sys.executable, *map(str, pyenv), *filter(None, map(shutil.which, ("python3.13", "python3.12")))]
    return next((each for each in found if version_of(each) >= OLDEST), None)


def version_of(python: str) -> tuple[int, ...]:
    code = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


@pytest.fixture(scope="module")
def python() -> Path:
    """The Python of an environment that has aics-tlog and nothing of ours."""
    newer = python_for_it()
    if newer is None:
        pytest.skip("aics-tlog needs Python 3.12 or newer")
    return environment_of(FOLDER / "requirements.txt", newer) / "bin" / "python"


def read_by(
    python: Path, folder: Path, lines: Sequence[bytes], checkpoint: bytes, key: NoteKey
) -> dict[str, Any]:
    """What it finds of a log with these lines, whose files are written to `folder`."""
    tiles = tiles_of(lines)
    for path in tile_paths(len(lines)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(tiles[path.partition(".p/")[0]])
    (folder / "checkpoint").write_bytes(checkpoint)
    command: list[str | Path] = [python, FOLDER / "read_log.py", folder, str(key)]
    done = subprocess.run(
        command, env=plain_environment(), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("size", [1, 2, 7, 255, 256, 257, 300, 513])
def test_it_finds_the_same_root_entries_and_proofs_in_our_tiles(
    python: Path, tmp_path: Path, size: int
) -> None:
    lines = [f'{{"entry":{index}}}'.encode() for index in range(size)]
    checkpoint = signed_checkpoint(lines, signer=CURATOR, origin=ORIGIN)

    assert read_by(python, tmp_path, lines, checkpoint, NoteKey(ORIGIN, CURATOR.public)) == {
        "origin": ORIGIN,
        "size": size,
        "root": root_of(lines).hex(),
        "entries": [line.decode() for line in lines],
        "inclusion": [[each.hex() for each in inclusion_proof(lines, index)] for index in range(size)],
        "consistency": [[each.hex() for each in consistency_proof(lines, old)] for old in range(1, size)],
    }


@pytest.mark.skipif(not (ROOT / "log").exists(), reason="the project's registry has no log")
def test_it_reads_the_log_of_the_project(python: Path, tmp_path: Path) -> None:
    log = log_in_folder(ROOT / "log", ROOT / "registry.json")
    head = Checkpoint.parse(unverified_text(log.checkpoint))
    pubkey = json.loads((ROOT / "registry.json").read_bytes())["curator"]["pubkey"]

    found = read_by(
        python, tmp_path, log.entries, log.checkpoint, NoteKey(head.origin, PublicKey.parse(pubkey))
    )

    assert (found["origin"], found["size"], found["root"]) == (head.origin, head.size, head.root.hex())
    assert found["entries"] == [line.decode() for line in log.entries]
