"""`threegood keygen` and `threegood pubkey`."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.commands import Ended, threegood
from tests.support.processes import ROOT
from threegood.commands.keygen import spellings
from threegood.trust.private_keys import PassphraseNeeded, read_key


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("THREEGOOD_PASSPHRASE", raising=False)
    return tmp_path


def test_a_new_key_file_is_for_its_owner_only_and_its_public_half_is_printed_in_all_spellings() -> None:
    ended = threegood("keygen", "new.pem")

    public = read_key(Path("new.pem")).public
    assert ended == Ended(0, "\n".join([*spellings(public), ""]), "")
    assert ended.out.splitlines()[:3] == [
        str(public),
        f"hex       {public.hex}",
        f"z-base-32 {public.zbase32}",
    ]
    assert Path("new.pem").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("key", ["hex", "pk", "file"])
def test_a_public_key_in_one_spelling_is_printed_in_all(key: str) -> None:
    printed = threegood("keygen", "new.pem").out
    public = read_key(Path("new.pem")).public
    Path("public.pem").write_text(public.pem)

    text = {"hex": public.hex, "pk": f"pk:{public.zbase32}", "file": "public.pem"}[key]
    assert threegood("pubkey", text) == Ended(0, printed, "")
    assert "is no Ed25519 public key. Write it as" in threegood("pubkey", f"{text}x").err


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("key.pem", "this file exists, and no key is overwritten. Name another file."),
        ("nowhere/key.pem", "the key cannot be written (No such file or directory)."),
    ],
)
def test_a_key_is_not_written_over_a_file_or_into_a_missing_folder(file: str, reason: str) -> None:
    Path("key.pem").write_text("a key")

    assert threegood("keygen", file) == Ended(2, "", f"{file}: {reason}\n")
    assert Path("key.pem").read_text() == "a key"


def test_a_passphrase_comes_from_a_file_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("words").write_text("correct horse\n")
    threegood("keygen", "a.pem", "--passphrase-file", "words")
    monkeypatch.setenv("THREEGOOD_PASSPHRASE", "battery staple")
    threegood("keygen", "b.pem", "--passphrase")

    assert read_key(Path("a.pem"), "correct horse").public != read_key(Path("b.pem"), "battery staple").public
    with pytest.raises(PassphraseNeeded):
        read_key(Path("a.pem"))


def test_no_key_is_made_if_nobody_can_be_asked_for_its_passphrase() -> None:
    Path("empty").write_text("\n")

    assert "There is no terminal to ask for the passphrase" in threegood("keygen", "a", "--passphrase").err
    assert "the first line is empty" in threegood("keygen", "a", "--passphrase-file", "empty").err
    assert "--openssh writes no passphrase" in threegood("keygen", "a", "--passphrase", "--openssh").err
    assert not Path("a").exists()


def test_a_terminal_is_asked_for_the_passphrase_twice() -> None:
    with terminal("keygen", "a.pem", "--passphrase") as (process, typed):
        for prompt in (b"Passphrase: ", b"Repeat for confirmation: "):
            assert shown_on(typed).endswith(prompt)
            os.write(typed, b"correct horse\n")
        assert process.wait(20) == 0

    assert read_key(Path("a.pem"), "correct horse").sign(b"")


@contextmanager
def terminal(*arguments: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The command on a terminal of its own, and the descriptor on which its user types."""
    typed, screen = os.openpty()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(f"{ROOT}/{room}" for room in ROOMS)}
    try:
        with subprocess.Popen(
            [sys.executable, "-m", "threegood", *arguments],
            stdin=screen,
            stdout=subprocess.DEVNULL,
            stderr=screen,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                yield process, typed
            finally:
                process.kill()
    finally:
        os.close(typed)
        os.close(screen)


def shown_on(terminal: int) -> bytes:
    """What the terminal shows up to the next prompt."""
    text = b""
    while not text.endswith(b": ") and select.select([terminal], [], [], 20)[0]:
        text += os.read(terminal, 100)
    return text


ROOMS = (".", "layers/core", "functions/mcp")
