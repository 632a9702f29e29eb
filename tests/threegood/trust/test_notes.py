"""Signed notes and checkpoints, by the examples of their specifications and by what these forbid."""

from typing import Final

import pytest

from tests.support.logs import CURATOR, STRANGER
from threegood.trust.keys import PublicKey
from threegood.trust.notes import (
    Checkpoint,
    NoteInvalid,
    NoteKey,
    open_note,
    sign_note,
    unverified_text,
    valid_name,
)

KEY: Final = NoteKey("example.com/log", CURATOR.public)
TEXT: Final = "example.com/log\n3\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
NOTE: Final = sign_note(TEXT, CURATOR, name="example.com/log")

# The example of Go's golang.org/x/mod/sumdb/note, which the specification was made from.
GO_KEY: Final = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE: Final = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng\
otpRZb6KE6RyyBwJnAM=
"""


def test_a_note_that_another_program_signed_is_opened() -> None:
    public = PublicKey.parse("1a5cd907143c384c41e830c5bce12aa8817ec5649aaabf2c31388b35b2d744d6")
    key = NoteKey("PeterNeumann", public)

    assert str(key) == GO_KEY
    assert open_note(GO_NOTE.encode(), key).startswith("If you think cryptography")


def test_a_note_is_opened_by_the_key_that_signed_it_and_by_no_other() -> None:
    assert open_note(NOTE, KEY) == unverified_text(NOTE) == TEXT
    for key in (NoteKey("example.com/log", STRANGER.public), NoteKey("example.com/other", CURATOR.public)):
        with pytest.raises(NoteInvalid, match="has no signature by"):
            open_note(NOTE, key)


def test_signatures_of_other_keys_are_ignored() -> None:
    others = sign_note(TEXT, STRANGER, name="witness.example").partition(b"\n\n")[2]

    assert open_note(NOTE + others, KEY) == TEXT


def test_a_changed_text_is_not_opened() -> None:
    with pytest.raises(NoteInvalid, match="is not of this text"):
        open_note(NOTE.replace(b"\n3\n", b"\n4\n"), KEY)


@pytest.mark.parametrize(
    "note",
    [
        b"",
        TEXT.encode(),
        NOTE.rstrip(b"\n"),
        NOTE.replace(b"\n\n", b"\n"),
        NOTE.replace("\u2014".encode(), b"-"),
        NOTE.replace(b"log ", b"log  "),
        NOTE.replace(b"3", b"3\r"),
        NOTE + b"\xff",
        NOTE + NOTE.partition(b"\n\n")[2] * 16,
    ],
)
def test_a_malformed_note_is_not_opened(note: bytes) -> None:
    with pytest.raises(NoteInvalid):
        open_note(note, KEY)


def test_a_checkpoint_is_origin_size_and_root() -> None:
    head = Checkpoint.parse(TEXT)

    assert (head.origin, head.size, len(head.root)) == ("example.com/log", 3, 32)
    assert head.text == TEXT
    assert Checkpoint.parse(TEXT + "an extension\n") == head


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n3\n",
        TEXT.rstrip("\n"),
        TEXT.replace("example.com/log", ""),
        *(TEXT.replace("\n3\n", f"\n{size}\n") for size in ("03", "-1", "x", "", "³")),
        TEXT.replace("47DE", "47D"),
        TEXT.replace("47DE", "47D!"),
        TEXT.replace("47DE", ""),
    ],
)
def test_a_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteInvalid):
        Checkpoint.parse(text)


@pytest.mark.parametrize(
    ("name", "valid"),
    [("example.com/log", True), ("ada", True), ("", False), ("a b", False), ("a+b", False), ("a\nb", False)],
)
def test_a_name_has_no_spaces_and_no_plus(name: str, valid: bool) -> None:
    assert valid_name(name) is valid
