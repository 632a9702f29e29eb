"""Keys derived from a state secret, compared with RFC 5869 and with another implementation."""

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from mcpcore.questions.state_keys import exchange_key, hkdf_expand, hkdf_extract, key_id, seal_key


@pytest.mark.parametrize(
    ("key", "salt", "info", "length", "pseudorandom_key", "output"),
    [
        (  # RFC 5869, appendix A.1
            "0b" * 22,
            "000102030405060708090a0b0c",
            "f0f1f2f3f4f5f6f7f8f9",
            42,
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (  # A.2
            bytes(range(0x50)).hex(),
            bytes(range(0x60, 0xB0)).hex(),
            bytes(range(0xB0, 0x100)).hex(),
            82,
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
        (  # A.3
            "0b" * 22,
            "",
            "",
            42,
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
    ],
)
def test_the_derivation_is_that_of_rfc_5869(
    key: str, salt: str, info: str, length: int, pseudorandom_key: str, output: str
) -> None:
    extracted = hkdf_extract(bytes.fromhex(salt), bytes.fromhex(key))

    assert extracted.hex() == pseudorandom_key
    assert hkdf_expand(extracted, bytes.fromhex(info), length).hex() == output


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 64, 255 * 32])
def test_every_length_is_what_another_implementation_derives(length: int) -> None:
    expected = HKDFExpand(SHA256(), length, b"label").derive(b"k" * 32) if length else b""

    assert hkdf_expand(b"k" * 32, b"label", length) == expected


def test_each_purpose_and_each_secret_has_a_key_of_its_own() -> None:
    keys = [derive(secret)[:8] for derive in (seal_key, key_id, exchange_key) for secret in (b"one", b"two")]

    assert len(set(keys)) == 6
