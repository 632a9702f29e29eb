"""Signing by a real ssh-agent, and by one that answers nonsense."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.registries import CURATORS_KEY
from threegood.trust.agent import AgentSigner
from threegood.trust.keys import PublicKey
from threegood.trust.private_keys import FileSigner, key_to_openssh, write_secret
from threegood.trust.signer import KeyUnusable

SIGNER = FileSigner(CURATORS_KEY)


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[str]:
    """The socket of an ssh-agent that has no key yet."""
    address = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", address], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # it listens
        yield str(address)
    finally:
        process.terminate()
        process.communicate()


def test_an_agent_makes_the_signature_that_the_key_in_a_file_makes(agent: str, tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match="does not have the key ed25519:"):
        AgentSigner.open(SIGNER.public, agent)
    write_secret(tmp_path / "key", key_to_openssh(CURATORS_KEY))
    subprocess.run(
        ["ssh-add", "-q", tmp_path / "key"], env={"SSH_AUTH_SOCK": agent}, check=True, capture_output=True
    )

    assert AgentSigner.open(SIGNER.public, agent).sign(b"a statement") == SIGNER.sign(b"a statement")


def test_an_agent_that_was_locked_says_so(agent: str) -> None:
    with pytest.raises(KeyUnusable, match="does not have the key"):
        AgentSigner.open(PublicKey(bytes(32)), agent)
    with pytest.raises(KeyUnusable, match=r"refused\. Is it locked"):
        AgentSigner(agent, SIGNER.public).sign(b"")


def test_without_an_agent_there_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)

    with pytest.raises(KeyUnusable, match="SSH_AUTH_SOCK is not set"):
        AgentSigner.open(SIGNER.public)
    with pytest.raises(KeyUnusable, match="does not answer"):
        AgentSigner.open(SIGNER.public, str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (b"", "does not answer"),
        (b"\0\0\0\5\x0e\0\0\0\1", "malformed signature"),
        (b"\0\0\0\x0d\x0e\0\0\0\x08\0\0\0\0\0\0\0\0", "does not verify"),
    ],
)
def test_a_wrong_signature_of_an_agent_is_refused(reply: bytes, says: str, tmp_path: Path) -> None:
    with answering(tmp_path / "socket", reply) as address, pytest.raises(KeyUnusable, match=says):
        AgentSigner(address, SIGNER.public).sign(b"")


@contextmanager
def answering(path: Path, reply: bytes) -> Iterator[str]:
    """A socket that sends `reply` to the first who asks, and closes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=_answer_once, args=(listener, reply))
        thread.start()
        yield str(path)
        thread.join()


def _answer_once(listener: socket.socket, reply: bytes) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(reply)
