"""The command `threegood`: entry point, exit codes, usage, and the commands validate, keygen and bake."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

import pytest

from sources.baked import BakedRegistry
from tests.support.commands import Ended, threegood
from tests.support.processes import ROOT
from tests.support.registries import CURATORS_KEY, FIXTURES, content_of, fixture
from threegood.__main__ import main
from threegood.trust.private_keys import key_to_pem

ROOMS: Final = (".", "layers/core", "functions/mcp")
COMMANDS: Final = (
    "validate",
    "bake",
    "match",
    "report",
    "suggest",
    "keygen",
    "pubkey",
    "sign",
    "schemas",
    "prebuild",
    "verify",
    "smoke",
)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a valid registry under its usual name, and its curator's key."""
    (tmp_path / "registry.json").write_bytes(fixture("valid"))
    (tmp_path / "key.pem").write_bytes(key_to_pem(CURATORS_KEY))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_module_runs_as_the_command(desk: Path) -> None:
    output = "registry.json: valid; version 1.2.0, categories: 2, endorsements: 1\n"

    ended = subprocess.run(
        [sys.executable, "-m", "threegood", "validate"],
        cwd=desk,
        env={"PYTHONPATH": ":".join(str(ROOT / room) for room in ROOMS)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert ended.stdout == output
    assert threegood("validate") == Ended(0, output, "")


def test_the_installed_script_is_the_same_command() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]

    assert EntryPoint("threegood", scripts["threegood"], "console_scripts").load() is main


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    ended = threegood(command, "--help")

    assert (ended.code, ended.err) == (0, "")
    assert f"\n  Example: threegood {command} " in ended.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["polish"],
        ["validate", "a", "b"],
        ["keygen"],
        ["sign"],
        ["sign", "--key", "key.pem", "--agent"],
        ["sign", "--key", "key.pem", "--expires", "soon"],
        ["match"],
        ["match", "--limit", "pasta"],
        ["match", "--strategy", "guess", "pasta"],
        ["match", "--baked", "a", "--registry", "b", "pasta"],
        *(["match", "--limit", value, "pasta"] for value in ("0", "2.5")),
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_answered_with_the_usage(arguments: list[str]) -> None:
    ended = threegood(*arguments)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: threegood")


@pytest.mark.parametrize("command", [["validate"], ["bake"], ["report"], ["match", "pasta"]], ids=" ".join)
def test_a_missing_registry_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert threegood(*command) == Ended(2, "", "registry.json: No such file or directory.\n")


@pytest.mark.parametrize(
    "command", [["validate"], ["bake", "--out", "baked"], ["report"], ["match", "pasta"]], ids=" ".join
)
def test_a_faulty_registry_ends_every_command_with_its_faults(desk: Path, command: list[str]) -> None:
    (desk / "registry.json").write_bytes(fixture("version"))

    ended = threegood(*command)

    assert (ended.code, ended.out) == (1, "")
    assert ended.err.endswith("[version]\nregistry.json: 1 fault\n")
    assert not (desk / "baked").exists()


def test_faults_are_printed_one_per_line_with_their_number() -> None:
    file = FIXTURES / "rank-order.json"

    assert threegood("validate", file) == Ended(
        1,
        "",
        f"{file}:27:19: /categories/learn-rust/sources/0/rank: "
        "This rank must be 1: the sources stand in the order of their ranks, 1, 2, 3. [rank-order]\n"
        f"{file}:34:19: /categories/learn-rust/sources/1/rank: "
        "This rank must be 2: the sources stand in the order of their ranks, 1, 2, 3. [rank-order]\n"
        f"{file}: 2 faults\n",
    )


def test_a_fault_of_a_vocabulary_names_its_file(desk: Path) -> None:
    (desk / "vocabulary").mkdir()
    (desk / "vocabulary" / "learn-rust.json").write_text('{"aliases": ["?"]}')

    ended = threegood("validate", desk / "registry.json")

    assert ended.code == 1
    assert ended.err.startswith(f"{desk / 'vocabulary' / 'learn-rust.json'}:1:14: /aliases/0: Nothing is ")


def test_warnings_are_printed_with_their_number_and_are_no_faults(desk: Path) -> None:
    content = content_of("valid")
    for rank in (0, 2):
        content["categories"]["learn-rust"]["sources"][rank]["why"] = "Good."
    (desk / "registry.json").write_text(json.dumps(content))

    validated, baked = threegood("validate"), threegood("bake")

    assert (validated.code, baked.code) == (0, 0)
    assert validated.out.startswith("registry.json: valid; ")
    *lines, last = validated.err.splitlines()
    assert [line.partition(": This ")[0] for line in lines] == [
        "registry.json:1:725: warning: /categories/learn-rust/sources/0/why",
        "registry.json:1:979: warning: /categories/learn-rust/sources/2/why",
    ]
    assert last == "registry.json: 2 warnings"
    assert baked.err.splitlines() == lines


def test_the_environment_names_another_registry(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk / "registry.json").rename(desk / "mine.json")
    monkeypatch.setenv("REGISTRY", "mine.json")

    ended = [threegood("validate"), threegood("report"), threegood("match", "learn rust")]

    assert [each.code for each in ended] == [0, 0, 0]
    assert ended[0].out.startswith("mine.json: valid; ")


def test_a_fault_of_the_whole_document_is_at_the_root(desk: Path) -> None:
    (desk / "registry.json").write_text("[]")

    assert threegood("validate").err.startswith(
        "registry.json:1:1: (root): Here must be an object, not an array. [type]\n"
    )


def test_control_characters_of_a_file_are_escaped(desk: Path) -> None:
    (desk / "registry.json").write_bytes(
        fixture("valid").replace(b'"updated"', b'"\\u001b[2J": 1, "updated"')
    )

    assert threegood("validate").err.startswith("registry.json:3:3: /\\x1b[2J: There is no such field.")


def test_a_registry_is_baked_into_its_usual_folder(desk: Path) -> None:
    assert threegood("bake") == Ended(0, "layers/registry/baked: baked, not signed; categories: 2\n", "")
    assert BakedRegistry.open(desk / "layers" / "registry" / "baked").manifest.version == "1.2.0"


def test_a_folder_with_other_files_is_not_baked_into(desk: Path) -> None:
    ended = threegood("bake", "--out", ".")

    assert (ended.code, ended.out) == (2, "")
    assert "holds key.pem, which is no part of a baked registry" in ended.err
    assert (desk / "registry.json").read_bytes() == fixture("valid")
