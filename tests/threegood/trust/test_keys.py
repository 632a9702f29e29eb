"""Public keys in every spelling, compared with other implementations where there are any."""

import json
import subprocess
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import OKPKey

from threegood.trust.keys import NoPublicKey, PublicKey

# RFC 8032, section 7.1, first test; RFC 8037, appendix A.2 has the same kind of key as a JWK.
HEX: Final = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
KEY: Final = PublicKey.parse(f"ed25519:{HEX}")
JWK: Final = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
ALPHABET: Final = "ybndrfg8ejkmcpqxot1uwisza345h769"
OF_ZEROS: Final = "y" * 52


def test_the_rfcs_key_is_written_in_every_spelling() -> None:
    assert KEY.spellings() == {"hex": HEX, "zbase32": KEY.zbase32, "pem": KEY.pem, "jwk": JWK}
    assert str(KEY) == f"ed25519:{HEX}"


@given(raw=st.binary(min_size=32, max_size=32))
def test_z_base_32_has_five_bits_a_character_from_the_first_on(raw: bytes) -> None:
    bits = "".join(f"{byte:08b}" for byte in raw) + "0000"

    assert PublicKey(raw).zbase32 == "".join(ALPHABET[int(bits[at : at + 5], 2)] for at in range(0, 260, 5))


@given(raw=st.binary(min_size=32, max_size=32))
def test_a_key_is_read_from_whatever_it_is_written_as(raw: bytes) -> None:
    key = PublicKey(raw)
    texts = [str(key), key.hex, key.hex.upper(), key.zbase32, f"pk:{key.zbase32}", f" {key.zbase32}\n"]
    texts += [json.dumps(key.jwk), key.pem, f"A key.\n{key.pem}\n"]

    assert {PublicKey.parse(text) for text in texts} == {key}


def test_other_implementations_read_the_pem_and_the_jwk(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(KEY.pem)
    shown = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", tmp_path / "key.pem", "-noout", "-text"],
        capture_output=True,
        encoding="ascii",
        check=True,
    ).stdout

    assert "".join(shown.partition("pub:")[2].split()).replace(":", "") == HEX
    assert OKPKey.import_key({**KEY.jwk}).as_pem(private=False).decode().strip() == KEY.pem


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ed25519:",
        HEX[:-1],
        f"{HEX[:-1]}g",
        f"ed25519:{KEY.zbase32}x",
        f"{OF_ZEROS[:-1]}b",  # one of the four last bits is set
        f"{OF_ZEROS[:-1]}l",  # no character of the alphabet
        "{}",
        "{",
        json.dumps({**JWK, "crv": "X25519"}),
        json.dumps({**JWK, "x": f"{JWK['x'][:-1]}p"}),  # another text for the same bytes
        json.dumps({**JWK, "x": 5}),
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
    ],
)
def test_another_text_is_refused_with_the_spellings(text: str) -> None:
    with pytest.raises(NoPublicKey, match=r'no Ed25519 public key\. Write it as "ed25519:" and'):
        PublicKey.parse(text)


def test_a_key_may_be_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(KEY.pem)

    assert PublicKey.read(str(tmp_path / "key.pem")) == KEY == PublicKey.read(HEX)
    with pytest.raises(NoPublicKey):
        PublicKey.read(str(tmp_path / "none.pem"))


def test_a_signature_is_verified_with_the_public_key() -> None:
    signature = bytes.fromhex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )

    assert KEY.verifies(signature, b"")
    assert not KEY.verifies(signature, b"other")
    assert not KEY.verifies(b"short", b"")
    assert not PublicKey(bytes(32)).verifies(signature, b"")


def test_a_private_key_in_the_place_of_a_public_one_is_not_repeated() -> None:
    private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA-secret\n-----END PRIVATE KEY-----\n"
    with pytest.raises(NoPublicKey, match="This is a private key, and a public one is wanted") as refused:
        PublicKey.parse(private)
    assert "MC4" not in str(refused.value)
