"""Signing by an ssh-agent, so that the private key need not lie in a file that this process reads.

The protocol is that of draft-ietf-sshm-ssh-agent: messages with a length of four bytes over a Unix socket. An
agent signs the bytes that it is given, and Ed25519 is deterministic: the signature is the one that the key in
a file would make.
"""

import os
import socket
import struct
from contextlib import closing
from typing import Final, Self

from threegood.trust.keys import PublicKey
from threegood.trust.signer import KeyUnusable

__all__ = ["AgentSigner"]

_REQUEST_IDENTITIES: Final = 11
_IDENTITIES_ANSWER: Final = 12
_SIGN_REQUEST: Final = 13
_SIGN_RESPONSE: Final = 14
_ALGORITHM: Final = b"ssh-ed25519"
_MAX_REPLY_BYTES: Final = 256 * 1024  # as OpenSSH's own limit
_TIMEOUT_SECONDS: Final = 60.0  # an agent may ask its user first
_NO_FLAGS: Final = struct.pack(">I", 0)


class AgentSigner:
    """The key `public` in the agent that listens on a socket."""

    def __init__(self, address: str, public: PublicKey) -> None:
        self._address = address
        self.public = public

    @classmethod
    def open(cls, public: PublicKey, address: str | None = None) -> Self:
        """The key `public` in the agent of `address`, or else of SSH_AUTH_SOCK.

        Raises:
            KeyUnusable: no agent answers, or it does not have this key.
        """
        address = address or os.environ.get("SSH_AUTH_SOCK", "")
        if not address:
            raise KeyUnusable("SSH_AUTH_SOCK is not set: start an agent with `eval $(ssh-agent)`.")
        held = _keys_in(_exchanged(address, _message(_REQUEST_IDENTITIES), _IDENTITIES_ANSWER))
        if _key_blob(public) not in held:
            raise KeyUnusable(
                f"The agent at {address} does not have the key {public}. Add it with `ssh-add FILE`; "
                "`threegood keygen FILE --openssh` writes a file that ssh-add reads."
            )
        return cls(address, public)

    def sign(self, data: bytes) -> bytes:
        """The agent's signature of `data`.

        Raises:
            KeyUnusable: it refused, or its signature is wrong.
        """
        request = _message(_SIGN_REQUEST, _string(_key_blob(self.public)), _string(data), _NO_FLAGS)
        reply = _exchanged(self._address, request, _SIGN_RESPONSE)
        try:
            algorithm, signature = _strings(_strings(reply, 1)[0], 2)
        except (struct.error, ValueError) as error:
            raise KeyUnusable(f"The agent at {self._address} answered with a malformed signature.") from error
        if algorithm != _ALGORITHM or not self.public.verifies(signature, data):
            raise KeyUnusable(f"The agent at {self._address} made a signature that does not verify.")
        return signature


def _exchanged(address: str, message: bytes, expected: int) -> bytes:
    """The content of the agent's reply to `message`, if it is of the type `expected`."""
    try:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as connection:
            connection.settimeout(_TIMEOUT_SECONDS)
            connection.connect(address)
            connection.sendall(message)
            (length,) = struct.unpack(">I", _received(connection, 4))
            reply = _received(connection, min(length, _MAX_REPLY_BYTES))
    except OSError as error:
        raise KeyUnusable(f"The agent at {address} does not answer ({error}).") from error
    if reply[:1] != bytes([expected]):
        raise KeyUnusable(f"The agent at {address} refused. Is it locked, or did its user say no?")
    return reply[1:]


def _received(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ConnectionError("it closed the connection")
        data += part
    return data


def _keys_in(answer: bytes) -> list[bytes]:
    """The key blobs of an identities answer: a count, then a blob and a comment for each."""
    try:
        (count,) = struct.unpack_from(">I", answer)
        return _strings(answer[4:], 2 * min(count, len(answer)))[::2]
    except (struct.error, ValueError) as error:
        raise KeyUnusable("The agent answered with a malformed list of keys.") from error


def _key_blob(key: PublicKey) -> bytes:
    """A public key as SSH writes it (RFC 8709, section 4)."""
    return _string(_ALGORITHM) + _string(key.raw)


def _message(kind: int, *parts: bytes) -> bytes:
    return _string(bytes([kind]) + b"".join(parts))


def _string(data: bytes) -> bytes:
    """Bytes with their length before them (RFC 4251, section 5)."""
    return struct.pack(">I", len(data)) + data


def _strings(data: bytes, count: int) -> list[bytes]:
    found, at = [], 0
    for _ in range(count):
        (length,) = struct.unpack_from(">I", data, at)
        found.append(data[at + 4 : at + 4 + length])
        if len(found[-1]) != length:
            raise ValueError("a string ends early")
        at += 4 + length
    return found
