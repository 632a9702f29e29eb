"""An issuer of access tokens on loopback: its keys, and tokens made of any parts, signed by hand.

No JOSE library makes them: it would refuse to make most of what a verifier has to refuse.
"""

import base64
import functools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeAlias

from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, PSS, PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, HashAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = [
    "CLAIMS",
    "ISSUER",
    "NOW",
    "RESOURCE",
    "Sign",
    "b64",
    "issuer_served",
    "jwk_of",
    "key",
    "sign",
    "token",
]

NOW: Final = 1_800_000_000
ISSUER: Final = "https://login.example.com/tenant"
RESOURCE: Final = "https://mcp.example.com/mcp"

Sign: TypeAlias = Callable[[bytes], bytes]
"""From the first two parts of a token to its signature."""

CLAIMS: Final[dict[str, Any]] = {
    "iss": ISSUER,
    "sub": "alice",
    "aud": RESOURCE,
    "exp": NOW + 300,
    "iat": NOW,
    "client_id": "client-1",
    "scope": "read",
}


@functools.cache
def key(name: str) -> Any:
    """A private key: the first word of its name is its type, such as `ec` or `rsa attacker`."""
    kind = name.split()[0]
    makers: dict[str, Callable[[], object]] = {
        "ed": ed25519.Ed25519PrivateKey.generate,
        "ed448": ed448.Ed448PrivateKey.generate,
        "ec": lambda: ec.generate_private_key(ec.SECP256R1()),
        "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "secp256k1": lambda: ec.generate_private_key(ec.SECP256K1()),
        "rsa": lambda: rsa.generate_private_key(65537, 2048),
        "weak": lambda: rsa.generate_private_key(65537, 1024),
    }
    return makers[kind]()


def sign(name: str, algorithm: str) -> Sign:
    """Signs with the key `name` by `algorithm`, whatever the header says."""
    match algorithm:
        case "RS256":
            return lambda signed: key(name).sign(signed, PKCS1v15(), SHA256())
        case "RS384":
            return lambda signed: key(name).sign(signed, PKCS1v15(), SHA384())
        case "PS256":
            return lambda signed: key(name).sign(signed, PSS(MGF1(SHA256()), 32), SHA256())
        case "ES256" | "ES256K":
            return lambda signed: _raw_ecdsa(key(name), signed, SHA256(), 32)
        case "ES384":
            return lambda signed: _raw_ecdsa(key(name), signed, SHA384(), 48)
    return lambda signed: key(name).sign(signed)


def token(
    algorithm: str = "EdDSA",
    *,
    by: str | Sign = "",
    header: object = None,
    claims: object = None,
    without: str = "",
) -> str:
    """An access token, by default a valid one, signed `by` a key or function.

    `header` and `claims` change members of a valid one if they are objects, and replace it if they are text
    or bytes; `without` leaves a member out of both.
    """
    name = by if isinstance(by, str) and by else _KEYS.get(algorithm, "ed")
    signing = by if callable(by) else sign(name, algorithm)
    valid_header = {"alg": algorithm, "kid": name, "typ": "at+jwt"}
    signed = f"{_part(valid_header, header, without)}.{_part(CLAIMS, claims, without)}"
    return f"{signed}.{b64(signing(signed.encode()))}"


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwk_of(name: str, **members: object) -> dict[str, Any]:
    """The public key `name` as a JWK whose kid is its name."""
    public = key(name).public_key()
    match public:
        case rsa.RSAPublicKey():
            numbers = public.public_numbers()
            found = {"kty": "RSA", "n": _integer(numbers.n), "e": _integer(numbers.e)}
        case ec.EllipticCurvePublicKey():
            point, size = public.public_numbers(), (public.key_size + 7) // 8
            curve = {"secp256r1": "P-256", "secp384r1": "P-384"}.get(public.curve.name, public.curve.name)
            found = {"kty": "EC", "crv": curve, "x": _integer(point.x, size), "y": _integer(point.y, size)}
        case _:
            raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
            found = {"kty": "OKP", "crv": "Ed25519" if len(raw) == 32 else "Ed448", "x": b64(raw)}
    return {**found, "kid": name, **members}


@contextmanager
def issuer_served(*keys: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The URL under which a server has these keys, and the list of the paths it was asked for."""
    body, asked = json.dumps({"keys": keys}).encode(), list[str]()

    class Endpoint(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("content-type", "application/jwk-set+json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/jwks", asked
        finally:
            server.shutdown()
            thread.join()


_KEYS: Final = {"RS256": "rsa", "PS256": "rsa", "ES256": "ec", "EdDSA": "ed", "Ed25519": "ed"}


def _part(valid: dict[str, Any], changed: object, without: str) -> str:
    if isinstance(changed, str | bytes):
        return b64(changed.encode() if isinstance(changed, str) else changed)
    members = {**valid, **changed} if isinstance(changed, dict) else valid
    return b64(json.dumps({name: value for name, value in members.items() if name != without}).encode())


def _raw_ecdsa(private: ec.EllipticCurvePrivateKey, signed: bytes, digest: HashAlgorithm, size: int) -> bytes:
    r, s = decode_dss_signature(private.sign(signed, ec.ECDSA(digest)))
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def _integer(number: int, size: int = 0) -> str:
    return b64(number.to_bytes(size or (number.bit_length() + 7) // 8, "big"))
