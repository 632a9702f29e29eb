"""Keys and signatures, with real cryptography."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from tests.support.registries import CURATORS_KEY
from threegood.baking.sign import KeyUnusable, key_to_pem, new_key, pubkey_of, read_key, sign, verified

# RFC 8032, section 7.1, first test: the signature of the empty message.
PUBKEY = "ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
OF_NOTHING = (
    "ed25519:e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)


def test_the_signature_of_the_rfcs_test_vector_is_made() -> None:
    assert sign(b"", CURATORS_KEY, pubkey=PUBKEY) == OF_NOTHING


def test_a_signature_is_verified_with_the_public_key() -> None:
    assert verified(b"", OF_NOTHING, pubkey=PUBKEY)


@pytest.mark.parametrize(
    ("data", "signature", "pubkey"),
    [
        (b"other", OF_NOTHING, PUBKEY),
        (b"", OF_NOTHING.replace("e5", "e6", 1), PUBKEY),
        (b"", "ed25519:", PUBKEY),
        (b"", "ed25519:no digits", PUBKEY),
        (b"", OF_NOTHING, pubkey_of(new_key())),
        (b"", OF_NOTHING, "ed25519:00"),
    ],
)
def test_another_text_signature_or_key_is_not_verified(data: bytes, signature: str, pubkey: str) -> None:
    assert not verified(data, signature, pubkey=pubkey)


def test_a_key_of_somebody_else_does_not_sign() -> None:
    stranger = new_key()

    with pytest.raises(KeyUnusable) as refusal:
        sign(b"", stranger, pubkey=PUBKEY)

    assert str(refusal.value) == (
        f"The private key belongs to {pubkey_of(stranger)}, but curator.pubkey in the registry is {PUBKEY}. "
        "Use the key of that curator, or change curator.pubkey."
    )


def test_a_key_is_read_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(key_to_pem(CURATORS_KEY))

    assert pubkey_of(read_key(file)) == PUBKEY


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "this is no private key in PEM without a passphrase."),
        (b"not a key", "this is no private key in PEM without a passphrase."),
        (
            CURATORS_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")),
            "this is no private key in PEM without a passphrase.",
        ),
        (
            X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
            "this is a private key, but not an Ed25519 one.",
        ),
    ],
    ids=["empty", "no key", "encrypted", "another algorithm"],
)
def test_a_file_without_such_a_key_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(content)

    with pytest.raises(KeyUnusable) as refusal:
        read_key(file)

    assert str(refusal.value) == f"{file}: {reason} `threegood keygen FILE` makes one."
