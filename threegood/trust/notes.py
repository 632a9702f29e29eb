"""Signed notes and the checkpoints of transparency logs (C2SP signed-note and tlog-checkpoint).

A note is a text, an empty line, and a line for each signature. A checkpoint is a note about a tree: the
origin of its log, its size and its root.
"""

import base64
import binascii
from hashlib import sha256
from typing import Final, NamedTuple, Self

from threegood.trust.keys import PublicKey
from threegood.trust.signer import Signer

ED25519: Final = b"\x01"
"""The signature type of Ed25519 (signed-note, "Signature types")."""

KEY_ID_BYTES: Final = 4
MAX_SIGNATURES: Final = 16

_DASH: Final = "\u2014 "


class NoteInvalid(ValueError):
    """A note or checkpoint that is malformed, or not signed by the key; the message has the reason."""


class NoteKey(NamedTuple):
    """The public key of a note's signer, under its name."""

    name: str
    public: PublicKey

    @property
    def id(self) -> bytes:
        """The first bytes of the hash of name, type and key, by which a signature line names its key."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public.raw).digest()[:KEY_ID_BYTES]

    def __str__(self) -> str:
        """The verifier key, as tools for transparency logs take it: name, id and key, joined by `+`."""
        return f"{self.name}+{self.id.hex()}+{_base64(ED25519 + self.public.raw)}"


class Checkpoint(NamedTuple):
    """The head of a log's tree."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """The checkpoint in the text of a note.

        Raises:
            NoteInvalid: the text is no checkpoint.
        """
        lines = text.split("\n")
        if len(lines) < 4 or not all(lines[:-1]) or lines[-1]:
            raise NoteInvalid("a checkpoint has three lines: origin, size and root")
        origin, size, root = lines[:3]
        if not (size.isascii() and size.isdigit() and str(int(size)) == size):
            raise NoteInvalid("the second line of a checkpoint is the tree's size, a decimal number")
        return cls(origin, int(size), _hash(root))

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"


def valid_name(name: str) -> bool:
    """Whether a key or an origin may have this name: no spaces and no `+` (signed-note, "Format")."""
    return name.isprintable() and bool(name) and "+" not in name and not any(map(str.isspace, name))


def sign_note(text: str, signer: Signer, *, name: str) -> bytes:
    """The note of `text`, signed under `name`."""
    key = NoteKey(name, signer.public)
    signature = _base64(key.id + signer.sign(text.encode()))
    return f"{text}\n{_DASH}{name} {signature}\n".encode()


def open_note(note: bytes, key: NoteKey) -> str:
    """The text of `note`, which `key` has signed; signatures of other keys are ignored.

    Raises:
        NoteInvalid: the note is malformed, or `key` did not sign this text.
    """
    text, lines = _parts(note)
    found = [signature for line in lines if (signature := _signature(line, key)) is not None]
    if not found:
        raise NoteInvalid(f"it has no signature by {key.name}+{key.id.hex()}")
    if not all(key.public.verifies(signature, text.encode()) for signature in found):
        raise NoteInvalid(f"its signature by {key.name}+{key.id.hex()} is not of this text")
    return text


def unverified_text(note: bytes) -> str:
    """The text of `note`, whoever has signed it.

    Raises:
        NoteInvalid: the note is malformed.
    """
    return _parts(note)[0]


def _parts(note: bytes) -> tuple[str, list[str]]:
    """The text of a note, and its signature lines."""
    try:
        content = note.decode("utf-8")
    except UnicodeDecodeError:
        raise NoteInvalid("a note is UTF-8") from None
    text, separator, signatures = content.rpartition("\n\n")
    lines = signatures.removesuffix("\n").split("\n")
    if not separator or not signatures.endswith("\n") or not all(map(_is_signature_line, lines)):
        raise NoteInvalid("a note is text, an empty line, and lines with signatures")
    if len(lines) > MAX_SIGNATURES or any(char < " " and char != "\n" for char in content):
        raise NoteInvalid("a note has no control characters, and here at most 16 signatures")
    return f"{text}\n", lines


def _is_signature_line(line: str) -> bool:
    return line.startswith(_DASH) and line.count(" ") == 2


def _signature(line: str, key: NoteKey) -> bytes | None:
    """The signature in a line; None if it is of another key."""
    name, encoded = line.removeprefix(_DASH).split(" ")
    blob = _decoded(encoded)
    is_of_key = (name, blob[:KEY_ID_BYTES]) == (key.name, key.id)
    return blob[KEY_ID_BYTES:] if is_of_key else None


def _hash(text: str) -> bytes:
    decoded = _decoded(text)
    if len(decoded) != sha256().digest_size:
        raise NoteInvalid("the third line of a checkpoint is the root of the tree, 32 bytes in Base64")
    return decoded


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteInvalid("signatures and roots are in Base64 (RFC 4648, section 4)") from None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
