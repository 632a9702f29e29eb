"""The curator's command, run as people run it: exit codes, and what goes to which stream."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from sources.baked import BakedRegistry
from tests.support.registries import FIXTURES, fixture
from threegood.baking.sign import pubkey_of, read_key, verified
from threegood.commands.command import run

ROOT: Final = Path(__file__).parents[3]


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def cli(*arguments: str | Path, folder: Path = ROOT) -> Ended:
    """Runs the command in `folder`; nothing but where it lies tells it where the project is."""
    done = subprocess.run(
        [sys.executable, "-m", "threegood", *map(str, arguments)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a valid registry under its usual name."""
    (tmp_path / "registry.json").write_bytes(fixture("valid"))
    return tmp_path


@pytest.fixture
def bake(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """The command `bake` on the desk, in this process, which counts the words of the world only once."""
    monkeypatch.chdir(desk)

    def baked(*arguments: str) -> Ended:
        code = run(["bake", *arguments])
        return Ended(code, *capsys.readouterr())

    return baked


def test_a_valid_registry_is_told_so_on_standard_output(desk: Path) -> None:
    assert cli("validate", folder=desk) == Ended(
        0, "registry.json: valid; version 1.2.0, categories: 2, endorsements: 1\n", ""
    )


def test_faults_go_to_standard_error_one_a_line_with_their_count() -> None:
    file = (FIXTURES / "rank-order.json").relative_to(ROOT)

    assert cli("validate", file) == Ended(
        1,
        "",
        f"{file}:27:19: /categories/learn-rust/sources/0/rank: "
        "This rank must be 1: the sources stand in the order of their ranks, 1, 2, 3. [rank-order]\n"
        f"{file}:34:19: /categories/learn-rust/sources/1/rank: "
        "This rank must be 2: the sources stand in the order of their ranks, 1, 2, 3. [rank-order]\n"
        f"{file}: 2 faults\n",
    )


def test_a_fault_of_the_whole_document_has_a_pointer_that_people_understand(desk: Path) -> None:
    (desk / "registry.json").write_text("[]")

    assert cli("validate", folder=desk) == Ended(
        1,
        "",
        "registry.json:1:1: (root): Here must be an object, not an array. [type]\nregistry.json: 1 fault\n",
    )


def test_what_a_file_says_cannot_command_the_terminal(desk: Path) -> None:
    (desk / "registry.json").write_bytes(
        fixture("valid").replace(b'"updated"', b'"\\u001b[2J": 1, "updated"')
    )

    ended = cli("validate", folder=desk)

    assert ended.code == 1
    assert ended.err.startswith("registry.json:3:3: /\\x1b[2J: There is no such field.")


@pytest.mark.parametrize("command", ["validate", "bake"])
def test_a_registry_that_is_not_there_is_told_so(tmp_path: Path, command: str) -> None:
    assert cli(command, folder=tmp_path) == Ended(2, "", "registry.json: No such file or directory.\n")


def test_a_registry_is_baked_into_its_usual_folder(desk: Path) -> None:
    assert cli("bake", folder=desk) == Ended(
        0, "layers/registry/baked: baked, not signed; categories: 2\n", ""
    )
    assert BakedRegistry.open(desk / "layers" / "registry" / "baked").manifest.version == "1.2.0"


def test_a_faulty_registry_is_not_baked(desk: Path) -> None:
    (desk / "registry.json").write_bytes(fixture("version"))

    ended = cli("bake", "--out", "baked", folder=desk)

    assert (ended.code, ended.out) == (1, "")
    assert ended.err.endswith("[version]\nregistry.json: 1 fault\n")
    assert not (desk / "baked").exists()


def test_a_folder_with_other_files_is_not_baked_into(desk: Path) -> None:
    ended = cli("bake", "--out", ".", folder=desk)

    assert (ended.code, ended.out) == (2, "")
    assert "holds registry.json, which is no part of a baked registry" in ended.err
    assert (desk / "registry.json").read_bytes() == fixture("valid")


def test_a_new_key_signs_the_registry_that_names_it(desk: Path, bake: Callable[..., Ended]) -> None:
    pubkey = pubkey_of(read_key(sign_in(desk)))

    ended = bake("--key", "key.pem", "--out", "baked")

    registry = BakedRegistry.open(desk / "baked")
    assert ended == Ended(0, "baked: baked, signed; categories: 2\n", "")
    assert registry.manifest.signature is not None
    assert verified(registry.canonical(), registry.manifest.signature, pubkey=pubkey)


def test_a_key_file_is_for_its_owner_only_and_its_public_half_is_printed(tmp_path: Path) -> None:
    ended = cli("keygen", "key.pem", folder=tmp_path)

    assert ended == Ended(0, f"{pubkey_of(read_key(tmp_path / 'key.pem'))}\n", "")
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600


def test_no_key_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("precious")

    assert cli("keygen", "key.pem", folder=tmp_path) == Ended(
        2, "", "key.pem: this file exists, and no key is overwritten. Name another file.\n"
    )
    assert (tmp_path / "key.pem").read_text() == "precious"


def test_a_key_that_cannot_be_written_is_told_so(tmp_path: Path) -> None:
    assert cli("keygen", "nowhere/key.pem", folder=tmp_path) == Ended(
        2, "", "nowhere/key.pem: the key cannot be written (No such file or directory).\n"
    )


def test_a_key_of_somebody_else_signs_nothing(desk: Path, bake: Callable[..., Ended]) -> None:
    cli("keygen", "key.pem", folder=desk)

    ended = bake("--key", "key.pem", "--out", "baked")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("The private key belongs to ed25519:")
    assert not (desk / "baked").exists()


def sign_in(desk: Path) -> Path:
    """A key in its usual place, named as the curator's in the registry on the `desk`."""
    pubkey = cli("keygen", "key.pem", folder=desk).out.strip()
    content = {**json.loads(fixture("valid")), "curator": {"name": "Ada Example", "pubkey": pubkey}}
    (desk / "registry.json").write_text(json.dumps(content))
    return desk / "key.pem"


def signature_in(folder: Path) -> str | None:
    return BakedRegistry.open(folder).manifest.signature


def test_a_signed_bake_is_not_replaced_by_an_unsigned_one_unless_that_is_asked_for(
    desk: Path, bake: Callable[..., Ended]
) -> None:
    sign_in(desk)
    bake("--key", "key.pem", "--out", "baked")
    signature = signature_in(desk / "baked")

    refused = bake("--out", "baked")
    kept = signature_in(desk / "baked")
    asked_for = bake("--out", "baked", "--unsigned")

    assert refused == Ended(
        2,
        "",
        f"{desk / 'baked'} holds a signed registry, which an unsigned one would replace. "
        "Bake with its key: KEY=FILE for make, --key FILE for this command. "
        "If it shall lose its signature, say so: UNSIGNED=1 or --unsigned.\n",
    )
    assert (kept, signature is None) == (signature, False)
    assert asked_for == Ended(0, "baked: baked, not signed; categories: 2\n", "")
    assert signature_in(desk / "baked") is None


def test_a_key_file_may_be_named_from_home(
    desk: Path, bake: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(desk)
    monkeypatch.setenv("HOME", str(desk))

    assert bake("--key", "~/key.pem", "--out", "baked").code == 0
    assert bake("--key", "~nobody-at-all/key.pem", "--out", "baked") == Ended(
        2, "", "~nobody-at-all/key.pem: the key file cannot be read (No such file or directory).\n"
    )


def test_a_key_file_that_is_not_there_is_told_so(desk: Path) -> None:
    assert cli("bake", "--key", "key.pem", folder=desk) == Ended(
        2, "", "key.pem: the key file cannot be read (No such file or directory).\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [[], ["polish"], ["validate", "a", "b"], ["keygen"], ["bake", "--key", "key.pem", "--unsigned"]],
)
def test_wrong_arguments_are_answered_with_the_usage(arguments: list[str]) -> None:
    ended = cli(*arguments)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("usage: python -m threegood")
