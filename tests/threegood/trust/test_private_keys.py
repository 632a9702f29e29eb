"""Private keys in files, with real cryptography and the tools of OpenSSL and OpenSSH."""

import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.support.registries import CURATORS_KEY
from threegood.trust.private_keys import (
    FileSigner,
    PassphraseNeeded,
    key_to_openssh,
    key_to_pem,
    read_key,
    write_secret,
)
from threegood.trust.signer import KeyUnusable

PUBLIC = FileSigner(CURATORS_KEY).public


def written(folder: Path, content: bytes) -> Path:
    write_secret(folder / "key", content)
    return folder / "key"


def test_the_signature_of_the_rfcs_test_vector_is_made() -> None:
    assert FileSigner(CURATORS_KEY).sign(b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )


@pytest.mark.parametrize("content", [key_to_pem(CURATORS_KEY), key_to_openssh(CURATORS_KEY)])
def test_a_key_is_read_back_from_its_file(tmp_path: Path, content: bytes) -> None:
    file = written(tmp_path, content)

    assert read_key(file).public == PUBLIC
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_with_a_passphrase_is_read_with_it_and_not_without(tmp_path: Path) -> None:
    file = written(tmp_path, key_to_pem(CURATORS_KEY, "correct horse"))

    assert file.read_bytes().startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert read_key(file, "correct horse").public == PUBLIC
    with pytest.raises(PassphraseNeeded, match="this key is encrypted"):
        read_key(file)
    with pytest.raises(KeyUnusable, match="this is not the passphrase of the key, or the file is damaged"):
        read_key(file, "battery staple")


def test_a_key_that_openssl_and_ssh_keygen_made_is_read(tmp_path: Path) -> None:
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "ed25519", "-out", tmp_path / "a"],
        check=True,
        capture_output=True,
    )
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "b"], check=True, capture_output=True
    )

    for name in "ab":
        signer = read_key(tmp_path / name)
        assert signer.public.verifies(signer.sign(b"text"), b"text")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "this is no private key in PEM, nor one of OpenSSH without a passphrase."),
        (b"not a key", "this is no private key in PEM, nor one of OpenSSH without a passphrase."),
        (
            X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
            "this is a private key, but not an Ed25519 one.",
        ),
    ],
    ids=["empty", "no key", "another algorithm"],
)
def test_a_file_without_such_a_key_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = written(tmp_path, content)

    with pytest.raises(KeyUnusable) as refusal:
        read_key(file)

    assert str(refusal.value) == f"{file}: {reason} `threegood keygen FILE` makes one."
