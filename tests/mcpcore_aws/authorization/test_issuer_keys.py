"""The keys of an issuer: where they are found, which are taken, how long they are used."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from mcpcore import StoreUnavailable
from mcpcore_aws.authorization.issuer_keys import IssuerKeys
from mcpcore_aws.errors import ServiceError, Unreachable

ISSUER: Final = "https://issuer.example/tenant"
JWKS: Final = "https://keys.example/jwks"
METADATA: Final = {"issuer": ISSUER, "jwks_uri": JWKS}
PLACES: Final = (
    "https://issuer.example/.well-known/oauth-authorization-server/tenant",
    "https://issuer.example/.well-known/openid-configuration/tenant",
    "https://issuer.example/tenant/.well-known/openid-configuration",
)


def short_rsa_key() -> RSAKey:
    with pytest.warns(SecurityWarning):
        return RSAKey.generate_key(1024)


def jwk(key: OKPKey | ECKey | RSAKey | OctKey, **members: Any) -> dict[str, Any]:
    private = isinstance(key, OctKey)
    return {**key.as_dict(private=private), **members}


ED: Final = jwk(OKPKey.generate_key("Ed25519"), kid="ed")
OTHER: Final = jwk(OKPKey.generate_key("Ed25519"), kid="other")
EC: Final = jwk(ECKey.generate_key("P-256"), kid="ec")
RSA: Final = jwk(RSAKey.generate_key(2048), kid="rsa")


class Web:
    """What is under each URL: an object, or an error to raise. It stands for `HttpsClient`."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self.documents = dict(documents)
        self.asked: list[str] = []

    def get(self, url: str, _seconds: float) -> dict[str, Any]:
        self.asked.append(url)
        found = self.documents.get(url, ServiceError(404, "", url))
        if isinstance(found, Exception):
            raise found
        document: dict[str, Any] = found
        return document


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def issuer_keys(web: Web, clock: Callable[[], float], uri: str = JWKS) -> IssuerKeys:
    return IssuerKeys(ISSUER, uri, client=web, clock=clock)  # type: ignore[arg-type]  # has the method used


@pytest.mark.parametrize("place", PLACES)
def test_the_metadata_of_the_issuer_says_where_its_keys_are(place: str) -> None:
    web = Web({place: METADATA, JWKS: {"keys": [ED]}})

    assert issuer_keys(web, Clock(), "").find("ed", "EdDSA", 20) is not None
    assert web.asked == [*PLACES[: PLACES.index(place) + 1], JWKS]


@pytest.mark.parametrize(
    "document",
    [{"issuer": "https://issuer.example", "jwks_uri": JWKS}, {"jwks_uri": JWKS}, {"issuer": ISSUER}],
)
def test_metadata_of_another_issuer_or_without_keys_is_not_followed(document: dict[str, str]) -> None:
    web = Web({**dict.fromkeys(PLACES, document), JWKS: {"keys": [ED]}})

    with pytest.raises(StoreUnavailable) as failed:
        issuer_keys(web, Clock(), "").find("ed", "EdDSA", 20)

    assert JWKS not in web.asked
    assert ISSUER in failed.value.reason
    assert ISSUER not in failed.value.message


@pytest.mark.parametrize("uri", ["http://127.0.0.1:9001/next", "http://localhost/jwks", "[", "jwks"])
def test_the_metadata_of_an_issuer_elsewhere_leads_to_nothing_on_loopback(uri: str) -> None:
    web = Web({PLACES[0]: {"issuer": ISSUER, "jwks_uri": uri}, uri: {"keys": [ED]}})

    with pytest.raises(StoreUnavailable):
        issuer_keys(web, Clock(), "").find("ed", "EdDSA", 20)

    assert uri not in web.asked


@pytest.mark.parametrize(
    ("key_id", "algorithm", "found"),
    [
        ("ed", "EdDSA", "ed"),
        ("ed", "Ed25519", "ed"),
        ("ec", "ES256", "ec"),
        ("rsa", "RS256", "rsa"),
        ("rsa", "PS256", "rsa"),
        (None, "ES256", "ec"),
        ("ed", "ES256", None),
        ("ec", "RS256", None),
        ("unknown", "EdDSA", None),
    ],
)
def test_a_key_is_found_by_its_id_and_the_kind_of_its_algorithm(
    key_id: str | None, algorithm: str, found: str | None
) -> None:
    key = issuer_keys(Web({JWKS: {"keys": [ED, EC, RSA]}}), Clock()).find(key_id, algorithm, 20)

    assert (None if key is None else key.key_id) == found


def test_a_token_without_a_key_id_is_not_tried_with_several_keys() -> None:
    assert issuer_keys(Web({JWKS: {"keys": [ED, OTHER]}}), Clock()).find(None, "EdDSA", 20) is None


UNUSABLE: Final = {
    "for encryption": {**ED, "use": "enc"},
    "not for verifying": {**ED, "key_ops": ["sign"]},
    "another algorithm": {**RSA, "kid": "ed", "alg": "RS512"},
    "a short modulus": jwk(short_rsa_key(), kid="ed"),
    "another curve": jwk(ECKey.generate_key("P-384"), kid="ed"),
    "Ed448": jwk(OKPKey.generate_key("Ed448"), kid="ed"),
    "a secret": jwk(OctKey.generate_key(256), kid="ed"),
    "a private key": {**OKPKey.generate_key("Ed25519").as_dict(private=True), "kid": "ed"},
    "damaged": {**EC, "kid": "ed", "x": "AAAA"},
    "no object": "ed",
    "an id that is no text": {**ED, "kid": 5},
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_key_that_may_not_verify_tokens_is_left_out_and_spoils_no_other(name: str) -> None:
    found = issuer_keys(Web({JWKS: {"keys": [UNUSABLE[name], {**EC, "kid": "beside"}]}}), Clock())

    for algorithm in ("EdDSA", "Ed25519", "ES256", "RS256", "PS256"):
        assert found.find("ed", algorithm, 20) is None
    assert found.find("beside", "ES256", 20) is not None


def test_keys_are_fetched_once_and_again_after_ten_minutes() -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    for seconds in (0, 300, 299):
        clock.now += seconds
        assert keys.find("ed", "EdDSA", 20) is not None
    assert web.asked == [JWKS]

    clock.now += 2
    assert keys.find("ed", "EdDSA", 20) is not None
    assert web.asked == [JWKS] * 2


def test_a_new_key_is_found_when_a_token_names_it_and_an_old_one_is_gone() -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    assert keys.find("ed", "EdDSA", 20) is not None
    web.documents[JWKS] = {"keys": [OTHER]}
    clock.now += 1

    assert keys.find("other", "EdDSA", 20) is not None
    assert keys.find("ed", "EdDSA", 20) is None


def test_invented_key_ids_do_not_have_the_keys_fetched_more_often_than_every_thirty_seconds() -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    for number in range(100):
        assert keys.find(f"invented {number}", "EdDSA", 20) is None
        clock.now += 1

    assert len(web.asked) == 1 + 4  # the first reading, and one in each thirty seconds


def test_known_keys_are_used_for_an_hour_while_the_issuer_is_out_of_reach() -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    assert keys.find("ed", "EdDSA", 20) is not None
    web.documents[JWKS] = Unreachable("it hangs")
    for seconds in (1800, 1799):
        clock.now += seconds
        assert keys.find("ed", "EdDSA", 20) is not None

    clock.now += 2
    with pytest.raises(StoreUnavailable) as failed:
        keys.find("ed", "EdDSA", 20)
    assert failed.value.retry_after_seconds == 5


def test_an_unknown_key_id_is_no_fault_of_the_token_while_the_issuer_is_out_of_reach() -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    assert keys.find("ed", "EdDSA", 20) is not None
    web.documents[JWKS] = Unreachable("it hangs")
    clock.now += 31

    with pytest.raises(StoreUnavailable):
        keys.find("new", "EdDSA", 20)
    assert keys.find("ed", "EdDSA", 20) is not None


def test_an_issuer_that_failed_is_left_alone_for_five_seconds() -> None:
    web, clock = Web({JWKS: Unreachable("it hangs")}), Clock()
    keys = issuer_keys(web, clock)
    for _ in range(10):
        with pytest.raises(StoreUnavailable):
            keys.find("ed", "EdDSA", 20)
        clock.now += 1

    assert len(web.asked) == 2


@pytest.mark.parametrize(
    "document", [{}, {"keys": {}}, {"keys": []}, {"keys": ["x"]}, {"keys": [UNUSABLE["Ed448"]]}]
)
def test_a_set_without_a_usable_key_does_not_replace_the_known_ones(document: dict[str, Any]) -> None:
    web, clock = Web({JWKS: {"keys": [ED]}}), Clock()
    keys = issuer_keys(web, clock)
    assert keys.find("ed", "EdDSA", 20) is not None
    web.documents[JWKS] = document
    clock.now += 601

    assert keys.find("ed", "EdDSA", 20) is not None
