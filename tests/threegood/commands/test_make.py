"""`make` in a copy of the project: when it bakes, how it signs, what a build prebuilds."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from sources.baked import BakedRegistry
from tests.support.processes import ROOT, plain_environment
from tests.support.registries import CURATORS_KEY, a_category, fixture, write_registry
from threegood.trust.private_keys import key_to_pem

ROOMS: Final = ("threegood", "layers/core/mcpcore", "functions/mcp/sources")
SIGNED: Final = "KEY=../my key.pem"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """As much of the project as baking needs, with a small registry; its curator's key lies beside it."""
    folder = tmp_path / "project"
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "registry.json").write_bytes(fixture("valid"))
    (tmp_path / "my key.pem").write_bytes(key_to_pem(CURATORS_KEY))
    make_environment(folder)
    return folder


def make_environment(folder: Path) -> None:
    """What `make` takes for an environment that is ready: its Python is the one that runs this test."""
    (folder / "requirements").mkdir()
    (folder / "requirements" / "dev.txt").touch()
    (folder / ".venv" / "bin").mkdir(parents=True)
    python = folder / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (folder / ".venv" / ".ready").touch()


def make(project: Path, *variables: str, target: str = "bake") -> "subprocess.CompletedProcess[str]":
    """`make` of `target` with those variables, and without those of a make that runs the tests."""
    environment = {
        name: value for name, value in plain_environment().items() if name not in ("KEY", "UNSIGNED")
    }
    return subprocess.run(
        ["make", "--no-print-directory", target, *variables],
        cwd=project,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def status(project: Path) -> str:
    return BakedRegistry.open(project / "layers" / "registry" / "baked").manifest.status


def test_a_signature_beside_the_registry_is_baked_without_a_key(project: Path) -> None:
    make(project)
    unsigned = status(project)

    signing, first, second = make(project, SIGNED, target="sign"), make(project), make(project)

    assert signing.stdout.splitlines()[-1].startswith("registry.sig: version 1.2.0 signed until ")
    assert first.stdout.endswith("layers/registry/baked: baked, signed; categories: 2\n")
    assert (second.returncode, second.stdout) == (0, "make: Nothing to be done for 'bake'.\n")
    assert (unsigned, status(project)) == ("unsigned", "signed")


def test_a_registry_that_was_edited_is_baked_and_says_so(project: Path) -> None:
    make(project, SIGNED, target="sign")
    (project / "registry.json").write_bytes(fixture("valid").replace(b"1.2.0", b"1.3.0"))

    outcome = make(project)

    assert outcome.returncode == 0
    assert "registry.sig: warning: it is not of this registry, which was edited since" in outcome.stderr
    assert "baked, edited since it was signed, so unsigned" in outcome.stdout
    assert status(project) == "edited"


def test_another_registry_and_other_files_of_a_vocabulary_are_baked_again(project: Path) -> None:
    (project / "mine").mkdir()
    mine = write_registry(project / "mine", {"beer": a_category("Beer", aliases=["lager"])})
    (words,) = (mine.parent / "vocabulary").iterdir()
    other = f"REGISTRY={mine.relative_to(project)}"
    baked: list[tuple[bool, int]] = []

    for variables in ([other], [other], [other], []):
        if len(baked) == 2:
            words.unlink()
        outcome = make(project, *variables)
        assert outcome.returncode == 0, outcome.stderr
        baked.append(("Nothing to be done" not in outcome.stdout, categories(project)))

    assert baked == [(True, 1), (False, 1), (True, 1), (True, 2)]


def categories(project: Path) -> int:
    return BakedRegistry.open(project / "layers" / "registry" / "baked").manifest.categories


def test_a_build_prebuilds_the_server_and_verifies_the_layer_and_unsigned_it_is_not_deployed(
    project: Path,
) -> None:
    for name in ("uv", "build"):
        (project / "requirements" / f"{name}.txt").touch()
    sam = project / ".venv-build" / "bin" / "sam"
    sam.parent.mkdir(parents=True)
    (project / ".venv-build" / ".ready").touch()
    layer = '"$3/RegistryLayer"'
    copied = f'mkdir -p "$3/McpFunction" {layer}; cp -R layers/registry/baked {layer}/registry'
    sam.write_text(f"#!/bin/sh\n{copied}\n")
    sam.chmod(0o755)

    outcome = make(project, "BUILD_DIR=built", "RUNTIME_PYTHON=none", target="build")

    assert outcome.returncode == 0, outcome.stderr
    (file,) = (project / "built" / "McpFunction").iterdir()
    assert file.name.startswith("prebuilt-")

    unsigned = make(project, "BUILD_DIR=built", "RUNTIME_PYTHON=none", target="deploy")
    assert unsigned.returncode != 0
    assert "make deploy: the registry is not signed as it is: run make sign" in unsigned.stderr

    sam.write_text(f'#!/bin/sh\n{copied}\nprintf x >> "$3/RegistryLayer/registry/answers.bin"\n')
    damaged = make(project, "BUILD_DIR=damaged", "RUNTIME_PYTHON=none", target="build")
    assert damaged.returncode != 0
    assert "answers.bin is missing or not as it was baked" in damaged.stderr
