"""Tokens that nobody may be let in with: forged, foreign, damaged, misused. By the reason to refuse each.

Each differs from one that is let in by what its name says, and by nothing else.
"""

import hmac
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.tokens import CLAIMS, ISSUER, NOW, RESOURCE, Sign, b64, jwk_of, key, sign, token

__all__ = ["FORGED", "Make", "published_keys"]

Make: TypeAlias = Callable[[], str]

_ED25519_ORDER: Final = 2**252 + 27742317777372353535851937790883648493  # RFC 8032, section 5.1
_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_BASE64URL: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_SECRET: Final = b"s" * 32
_ATTACKER: Final = "ed attacker"

_of = partial(partial, token)


def _with_header(name: str, values: Iterable[object], **options: Any) -> dict[str, Make]:
    return {f"{name} {value!r:.40}": _of(header={name: value}, **options) for value in values}


def _with_claim(name: str, values: Iterable[object]) -> dict[str, Make]:
    return {f"{name} {value!r:.40}": _of(claims={name: value}) for value in values}


def published_keys() -> tuple[dict[str, Any], ...]:
    """The keys of the issuer, some of which are good for nothing."""
    return (
        *map(jwk_of, ("ed", "ec", "rsa", "rsa 2", "weak", "p384", "secp256k1", "ed448")),
        jwk_of("rsa for PS256", alg="PS256"),
        jwk_of("rsa for encryption", use="enc"),
        jwk_of("rsa for signing", key_ops=["sign"]),
        {"kty": "oct", "kid": "oct", "k": b64(_SECRET)},
    )


# Signatures


def _always(signature: bytes) -> Sign:
    return lambda _: signature


def _hmac(secret: Callable[[], bytes], digest: str = "sha256") -> Sign:
    return lambda signed: hmac.digest(secret(), signed, digest)


def _public_pem() -> bytes:
    found: bytes = key("rsa").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return found


def _public_bytes() -> bytes:
    found: bytes = key("ed").public_key().public_bytes_raw()
    return found


def _one_bit_changed(signed: bytes) -> bytes:
    good = bytearray(sign("ed", "EdDSA")(signed))
    good[40] ^= 1
    return bytes(good)


def _second_half_not_reduced(signed: bytes) -> bytes:
    """A second Ed25519 signature for the same, which must be refused (RFC 8032, section 8.4)."""
    good = sign("ed", "EdDSA")(signed)
    return good[:32] + (int.from_bytes(good[32:], "little") + _ED25519_ORDER).to_bytes(32, "little")


def _cut_short(algorithm: str) -> Sign:
    return lambda signed: sign(_KEY_IDS[algorithm]["kid"], algorithm)(signed)[:-1]


def _in_der(signed: bytes) -> bytes:
    """An ECDSA signature as X.509 has it, not as JWS does (RFC 7518, section 3.4)."""
    found: bytes = key("ec").sign(signed, ECDSA(SHA256()))
    return found


# Parts of good tokens


def _reassembled(change: Callable[[list[str]], Iterable[str]], algorithm: str = "EdDSA") -> Make:
    return lambda: ".".join(change(token(algorithm).split(".")))


def _not_canonical(part: str) -> str:
    """Base64url whose unused bits at the end are not zero; careless decoders ignore them."""
    return part[:-1] + _BASE64URL[_BASE64URL.index(part[-1]) ^ 1]


def _payload(**changed: str) -> str:
    """A payload as JSON, in which the text of some members is as given."""
    members = {name: json.dumps(value) for name, value in CLAIMS.items()} | changed
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


_KEY_IDS: Final = {
    "EdDSA": {"kid": "ed"},
    "ES256": {"kid": "ec"},
    "RS256": {"kid": "rsa"},
    "PS256": {"kid": "rsa"},
}
_HEADER: Final = '{"alg":"EdDSA","kid":"ed"}'
_KEY_LIKE: Final = (
    *("unknown", "ED", "ed ", "ed\0", "*", "\u0435d"),
    *("../../dev/null", "/proc/self/environ", "| id", "ed' OR '1'='1", "https://attacker.example.com/key"),
)
_OTHER_ISSUERS: Final[tuple[object, ...]] = (
    *(f"{ISSUER}/", ISSUER[:-1], f"{ISSUER}2", ISSUER.upper(), f" {ISSUER}", ISSUER.replace("https", "http")),
    *("https://login.example.com", "https://attacker.example.com", [ISSUER], {ISSUER: 1}, None, ""),
)
_OTHER_AUDIENCES: Final[tuple[object, ...]] = (
    *("https://mcp.example.com", f"{RESOURCE}/", f"{RESOURCE}2", RESOURCE.upper(), f"{RESOURCE} x", "*", ""),
    *("https://other.example.com/mcp", ["https://other.example.com/mcp"], [[RESOURCE]], {RESOURCE: 1}),
    *(None, [], True),
)

FORGED: Final[Mapping[str, Mapping[str, Make]]] = {
    # Shape
    "it is not a signed JWT, which has three parts": {
        "alg none": _of(by=_always(b""), header={"alg": "none"}),
        "a JWE": lambda: b64(b'{"alg":"RSA-OAEP","enc":"A256GCM"}') + ".k.i.c.t",
        "two parts": _reassembled(lambda parts: parts[:2]),
        "four parts": _reassembled(lambda parts: [*parts, "AA"]),
        "dots alone": lambda: "..",
        "no header": _reassembled(lambda parts: ["", *parts[1:]]),
        "no payload": _reassembled(lambda parts: [parts[0], "", parts[2]]),
        "no signature": _reassembled(lambda parts: [*parts[:2], ""]),
    },
    "it is longer than 8,192 characters": {"too long": _of(claims={"x": "x" * 8_000})},
    "its signature is not base64url": {
        "padding": lambda: f"{token()}==",
        "a signature that is not canonical": lambda: _not_canonical(token()),
        "plain Base64": lambda: token(by=_always(b"\xff" * 64)).replace("_", "/"),
    },
    # JSON
    "its header is not a JSON object": {
        "a header that is not canonical": _reassembled(
            lambda parts: [_not_canonical(b64(b"{} ")), *parts[1:]]
        ),
        "a header that is no JSON": _of(header="alg: EdDSA"),
        "a header that is a list": _of(header='["EdDSA"]'),
        "a header that is text": _of(header='"EdDSA"'),
        "a header that is null": _of(header="null"),
        "a header too deep": _of(header="[" * 3_000),
        "alg twice": _of(header='{"alg":"none","alg":"EdDSA","kid":"ed"}'),
        "two headers": _of(header=_HEADER * 2),
        "a header in UTF-16": _of(header=_HEADER.encode("utf-16")),
        "a header with a byte order mark": _of(header=_HEADER.encode("utf-8-sig")),
        "a header that is no UTF-8": _of(header=b'{"alg":"EdDSA","kid":"ed","x":"\xff"}'),
    },
    "its payload is not a JSON object": {
        "a payload that is no JSON": _of(claims="sub=alice"),
        "a payload that is a list": _of(claims="[]"),
        "a payload that is text": _of(claims='"alice"'),
        "a payload too deep": _of(claims="[" * 3_000),
        "sub twice": _of(claims=_payload(sub='"alice","sub":"root"')),
        "exp twice": _of(claims=_payload(exp=f'{NOW - 300},"exp":{NOW + 300}')),
        "exp NaN": _of(claims=_payload(exp="NaN")),
        "exp Infinity": _of(claims=_payload(exp="Infinity")),
        "a payload in UTF-16": _of(claims=_payload().encode("utf-16")),
        "a payload that is no UTF-8": _of(claims=_payload().replace("alice", "ali\xffce").encode("latin-1")),
        "zip": _of(header={"zip": "DEF"}, claims=zlib.compress(_payload().encode())),
        "a JWT within the JWT": lambda: token(header={"cty": "JWT"}, claims=token()),
    },
    # Algorithms
    "its algorithm must be one of ES256, Ed25519, EdDSA, PS256, RS256": {
        "alg missing": _of(without="alg"),
        **_with_header("alg", ("none", "None", "NONE", "nOnE", ""), by=_always(b"x")),
        **_with_header("alg", (" EdDSA", "eddsa", "x", "dir", "RSA-OAEP", None, 1, ["EdDSA"], {"EdDSA": 1})),
        "HMAC with the public key as PEM": _of("HS256", by=_hmac(_public_pem), header={"kid": "rsa"}),
        "HMAC with the public key as JWK": _of("HS256", by=_hmac(lambda: json.dumps(jwk_of("ed")).encode())),
        "HMAC with the bytes of the public key": _of("HS512", by=_hmac(_public_bytes, "sha512")),
        "HMAC with nothing": _of("HS256", by=_hmac(bytes)),
        "HMAC with a published secret": _of("HS256", by=_hmac(lambda: _SECRET), header={"kid": "oct"}),
        "RS384": _of("RS384", by="rsa"),
        "ES384": _of("ES384", by="p384"),
        "ES256K": _of("ES256K", by="secp256k1"),
        "Ed448": _of("Ed448", by="ed448"),
    },
    # Keys
    "its issuer has no key for it; get a new token": {
        **_with_header("kid", _KEY_LIKE),
        "no kid, and several keys": _of("RS256", without="kid"),
        "kid of a key of another type": _of("ES256", header={"kid": "ed"}),
        "EdDSA with a P-256 key": _of("EdDSA", by=sign("ec", "ES256"), header={"kid": "ec"}),
        "RS256 with a P-256 key": _of("RS256", by=sign("ec", "ES256"), header={"kid": "ec"}),
        "ES256 with an RSA key": _of("ES256", by=sign("rsa", "RS256"), header={"kid": "rsa"}),
        "ES256 with a P-384 key": _of("ES256", by=sign("p384", "ES384"), header={"kid": "p384"}),
        "ES256 with a secp256k1 key": _of("ES256", by="secp256k1"),
        "EdDSA with an Ed448 key": _of("EdDSA", by="ed448"),
        "EdDSA with a secret": _of("EdDSA", by=_hmac(lambda: _SECRET), header={"kid": "oct"}),
        "RS256 with a key of 1,024 bits": _of("RS256", by="weak"),
        "RS256 with a key for PS256": _of("RS256", by="rsa for PS256"),
        "RS256 with a key for encryption": _of("RS256", by="rsa for encryption"),
        "RS256 with a key for signing alone": _of("RS256", by="rsa for signing"),
        "jwk of the attacker": _of(by=_ATTACKER, header={"jwk": jwk_of(_ATTACKER)}),
        "jku of the attacker": _of(by=_ATTACKER, header={"jku": "http://127.0.0.1:9/jwks"}),
        "x5u of the attacker": _of(by=_ATTACKER, header={"x5u": "http://127.0.0.1:9/x5u"}),
        "x5c of the attacker": _of(by=_ATTACKER, header={"x5c": ["MIIB" * 300]}),
    },
    "its kid must be a short string": _with_header("kid", ("", 0, ["ed"], {}, "e" * 257)),
    # The rest of the header
    "its header demands an extension that is not known here": {
        "crit of an unknown member": _of(header={"crit": ["x"], "x": 1}),
        "crit without a member": _of(header={"crit": []}),
        "crit of b64": _of(header={"crit": ["b64"], "b64": False}),
        "b64": _of(header={"b64": False}),
    },
    "its typ is not that of an access token": _with_header(
        "typ",
        (*("logout+jwt", "dpop+jwt", "secevent+jwt", "JWE", "at+jwt ", "JOSE"), None, 1, ["at+jwt"]),
    ),
    # Signatures
    "its signature does not match": {
        "an Ed25519 key of the attacker": _of(by=_ATTACKER, header={"kid": "ed"}),
        "a P-256 key of the attacker": _of("ES256", by="ec attacker", header={"kid": "ec"}),
        "an RSA key of the attacker": _of("RS256", by="rsa attacker", header={"kid": "rsa"}),
        "kid of another key of the type": _of("RS256", header={"kid": "rsa 2"}),
        "jwk beside a known kid": _of(by=_ATTACKER, header={"jwk": jwk_of(_ATTACKER), "kid": "ed"}),
        "jku beside a known kid": _of(by=_ATTACKER, header={"jku": "http://127.0.0.1:9/jwks", "kid": "ed"}),
        "x5u beside a known kid": _of(by=_ATTACKER, header={"x5u": "http://127.0.0.1:9/x5u", "kid": "ed"}),
        "x5c beside a known kid": _of(by=_ATTACKER, header={"x5c": ["MIIB" * 300], "kid": "ed"}),
        "the payload of another token": _reassembled(
            lambda parts: [parts[0], token(claims={"sub": "root"}).split(".")[1], parts[2]]
        ),
        "the header of another token": _reassembled(
            lambda parts: [token(header={"x": 1}).split(".")[0], *parts[1:]]
        ),
        **{
            f"a signature for {algorithm} cut short": _of(algorithm, by=_cut_short(algorithm), header=header)
            for algorithm, header in _KEY_IDS.items()
        },
        "bytes after the signature": lambda: token("RS256")[:-2] + b64(bytes(9)),
        "one bit changed": _of(by=_one_bit_changed),
        "Ed25519, second half not reduced": _of(by=_second_half_not_reduced),
        "Ed25519, zeros": _of(by=_always(bytes(64))),
        "ECDSA in DER": _of("ES256", by=_in_der, header={"kid": "ec"}),
        "ECDSA, r = s = 0 (CVE-2022-21449)": _of("ES256", by=_always(bytes(64)), header={"kid": "ec"}),
        "ECDSA, r = s = the order": _of(
            "ES256", by=_always(_P256_ORDER.to_bytes(32, "big") * 2), header={"kid": "ec"}
        ),
        "RSA, zeros": _of("RS256", by=_always(bytes(256)), header={"kid": "rsa"}),
        "PKCS #1 for PS256": _of("PS256", by=sign("rsa", "RS256"), header={"kid": "rsa"}),
        "PSS for RS256": _of("RS256", by=sign("rsa", "PS256"), header={"kid": "rsa"}),
    },
    # Claims
    "it is from another issuer": {"iss missing": _of(without="iss"), **_with_claim("iss", _OTHER_ISSUERS)},
    "it is no access token": {
        **_with_claim("token_use", ("id", "refresh_token")),
        **_with_claim("typ", ("ID", "Refresh", "Offline")),
        **_with_claim("at_hash", ("x",)),
        **_with_claim("c_hash", ("x",)),
    },
    "it is for another audience: ask for a token with this server as resource": {
        "aud missing": _of(without="aud"),
        **_with_claim("aud", _OTHER_AUDIENCES),
    },
    "it has no time of expiry": {"exp missing": _of(without="exp"), **_with_claim("exp", (None,))},
    "it has expired": _with_claim("exp", (NOW - 30, 0)),
    "its exp is not a time": _with_claim("exp", (str(NOW + 300), -1, True, [NOW + 300], 1e300)),
    "it is not valid yet: its nbf is in the future": _with_claim("nbf", (NOW + 31,)),
    "its nbf is not a time": _with_claim("nbf", (str(NOW), False)),
    "it is not valid yet: its iat is in the future": _with_claim("iat", (NOW + 31,)),
    "its iat is not a time": _with_claim("iat", ("now",)),
    "its sub is not a short string": {
        "sub missing": _of(without="sub"),
        **_with_claim("sub", ("", 1, None, ["alice"], "a" * 513)),
    },
    "its scope is not text": _with_claim("scope", (1, {"read": True}, ["read", 1], None)),
    "its scp is not text": {"scp": _of(claims={"scp": 1}, without="scope")},
}
"""How to make each token: by the description with which it is refused, and by its name."""
