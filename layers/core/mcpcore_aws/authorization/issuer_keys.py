"""The public keys of an issuer of tokens: found by its metadata, fetched, kept, and fetched again."""

import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, OKPKey, RSAKey

from mcpcore import StoreUnavailable
from mcpcore_aws.authorization.algorithms import ALGORITHMS
from mcpcore_aws.authorization.https import HttpsClient
from mcpcore_aws.errors import MalformedResponse, ServiceError, StoreFault

__all__ = ["IssuerKey", "IssuerKeys"]

_KEPT_SECONDS: Final = 600
# An issuer that does not answer is no reason to refuse: known keys are used on, but not for ever.
_KEPT_DURING_FAILURE_SECONDS: Final = 3600
# A client may send any key id. Each unknown one would cost a request without these pauses.
_PAUSE_SECONDS: Final = 30
_PAUSE_AFTER_FAILURE_SECONDS: Final = 5
_READ_SECONDS: Final = 5.0
_MAX_KEYS: Final = 100
_MIN_RSA_BITS: Final = 2048
_MAX_RSA_BITS: Final = 8192
_MEMBERS: Final = ("kty", "crv", "n", "e", "x", "y")


class IssuerKey(NamedTuple):
    """A public key. `kind` as in `ALGORITHMS`; `algorithm` is the only one that it is for, empty for any."""

    key_id: str
    kind: str
    key: Key
    algorithm: str

    def verifies(self, algorithm: str) -> bool:
        """True if the key is for signatures of `algorithm`."""
        same = self.algorithm in ("", algorithm)
        renamed = {self.algorithm, algorithm} == {"EdDSA", "Ed25519"}
        return self.kind == ALGORITHMS[algorithm] and (same or renamed)


class IssuerKeys:
    """The keys of one issuer. Threads may share it.

    Without `jwks_uri` the issuer's metadata says where its keys are (RFC 8414, section 3; OpenID Connect
    Discovery 1.0, section 4). They are used for ten minutes, and up to an hour if they cannot be fetched
    again; an unknown key id has them fetched again at most every thirty seconds.
    """

    def __init__(
        self, issuer: str, jwks_uri: str = "", *, client: HttpsClient, clock: Callable[[], float]
    ) -> None:
        self._issuer = issuer
        self._jwks_uri = jwks_uri
        self._client = client
        self._clock = clock
        self._lock = threading.Lock()
        self._keys: tuple[IssuerKey, ...] = ()
        self._read_at = self._failed_at = self._searched_at = float("-inf")
        self._failure = ""

    def find(self, key_id: str | None, algorithm: str, seconds_left: float) -> IssuerKey | None:
        """The key that a token names, or the only one for `algorithm` if it names none; None without one.

        Raises:
            StoreUnavailable: the keys could not be fetched within `seconds_left`, five at most.
        """
        with self._lock:
            renewed = self._renew_if_old(seconds_left)
            found = self._known(key_id, algorithm)
            if found is None and not renewed and not self._is_within(_PAUSE_SECONDS, self._searched_at):
                # Its failure is raised: a token that names an unknown key may be valid.
                self._renew(min(seconds_left, _READ_SECONDS))
                self._searched_at = self._clock()
                found = self._known(key_id, algorithm)
            return found

    def _known(self, key_id: str | None, algorithm: str) -> IssuerKey | None:
        fitting = [key for key in self._keys if key_id in (None, key.key_id) and key.verifies(algorithm)]
        return fitting[0] if len(fitting) == 1 else None

    def _renew_if_old(self, seconds_left: float) -> bool:
        """True if the keys were fetched; a failure is raised once those that are known are too old."""
        if self._is_within(_KEPT_SECONDS, self._read_at):
            return False
        try:
            self._renew(min(seconds_left, _READ_SECONDS))
        except StoreUnavailable:
            if not self._is_within(_KEPT_DURING_FAILURE_SECONDS, self._read_at):
                raise
            return False
        return True

    def _is_within(self, seconds: float, since: float) -> bool:
        return 0 <= self._clock() - since < seconds  # negative if the clock was put back

    def _renew(self, seconds: float) -> None:
        since_failure = self._clock() - self._failed_at
        if not 0 <= since_failure < _PAUSE_AFTER_FAILURE_SECONDS:
            try:
                self._keys = self._read(seconds)
                self._read_at = self._clock()
                return
            except StoreFault as fault:
                # Its text alone: the frames of an exception would keep what belongs to one request.
                self._failure = f"{self._issuer}: {fault}"
                self._failed_at = self._clock()
        raise StoreUnavailable(
            self._failure,
            retry_after_seconds=_PAUSE_AFTER_FAILURE_SECONDS,
            what="The keys that access tokens are verified with",
        )

    def _read(self, seconds: float) -> tuple[IssuerKey, ...]:
        ends_at = self._clock() + seconds
        uri = self._jwks_uri or self._discovered(ends_at)
        listed = self._client.get(uri, ends_at - self._clock()).get("keys")
        if not isinstance(listed, list):
            raise MalformedResponse(f"{uri}: no array of keys")
        keys = tuple(key for each in listed[:_MAX_KEYS] if (key := _usable(each)) is not None)
        if not keys:
            raise MalformedResponse(f"{uri}: no key that a token may be signed with")
        return keys

    def _discovered(self, ends_at: float) -> str:
        failure: StoreFault = MalformedResponse("no metadata")
        for url in _metadata_urls(self._issuer):
            try:
                metadata = self._client.get(url, ends_at - self._clock())
            except (ServiceError, MalformedResponse) as fault:
                failure = fault
                continue
            if metadata.get("issuer") != self._issuer:
                failure = MalformedResponse(f"{url}: the metadata of another issuer")
            elif _may_lead_to(uri := metadata.get("jwks_uri"), self._issuer):
                return str(uri)
            else:
                failure = MalformedResponse(f"{url}: no jwks_uri that is an https URL")
        raise failure


def _may_lead_to(uri: object, issuer: str) -> bool:
    """False for loopback by http, unless the issuer is there itself: on Lambda that is the runtime."""
    return isinstance(uri, str) and uri.partition(":")[0] in ("https", issuer.partition(":")[0])


def _metadata_urls(issuer: str) -> Iterator[str]:
    """The places of an issuer's metadata, as MCP clients try them (spec, authorization-server-discovery)."""
    scheme, host, path, *_ = urlsplit(issuer)
    path = path.rstrip("/")
    for kind in ("oauth-authorization-server", "openid-configuration"):
        yield f"{scheme}://{host}/.well-known/{kind}{path}"
    yield f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def _usable(jwk: object) -> IssuerKey | None:
    """The key of a JWK that signs tokens; None for any other, which must not spoil those beside it."""
    if not isinstance(jwk, dict) or jwk.get("use", "sig") != "sig" or "d" in jwk:
        return None
    key_id, algorithm = jwk.get("kid", ""), jwk.get("alg", "")
    if not isinstance(key_id, str) or not isinstance(algorithm, str):
        return None
    try:
        if "verify" not in jwk.get("key_ops", ("verify",)):
            return None
        return IssuerKey(key_id, *_imported(jwk), algorithm)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _imported(jwk: dict[str, Any]) -> tuple[str, Key]:
    members: dict[str, Any] = {name: jwk[name] for name in _MEMBERS if name in jwk}
    match jwk.get("kty"), jwk.get("crv"):
        case "RSA", _ if _MIN_RSA_BITS <= _bits(jwk["n"]) <= _MAX_RSA_BITS:
            return "RSA", RSAKey.import_key(members)
        case "EC", "P-256":
            return "P-256", ECKey.import_key(members)
        case "OKP", "Ed25519":
            return "Ed25519", OKPKey.import_key(members)
    raise ValueError("no key of a known kind and size")


def _bits(number: str) -> int:
    """The length of a number in base64url, before joserfc makes a key of it."""
    return int.from_bytes(urlsafe_b64decode(number + "=" * (-len(number) % 4)), "big").bit_length()
