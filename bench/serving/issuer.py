"""An issuer of access tokens: its key set on loopback over TLS, and a token for whoever is measured."""

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.support.certificates import write_certificate
from tests.support.scripted import answer, scripted

__all__ = ["Authorization", "issuer"]

_RESOURCE: Final = "https://mcp.example.com/mcp"
_VALID_SECONDS: Final = 4 * 3600


class Authorization(NamedTuple):
    """The variables of a server that accepts this issuer's tokens, and one such token."""

    variables: Mapping[str, str]
    token: str

    def applied(
        self, variables: Mapping[str, str], event: Mapping[str, Any]
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The variables with those of authorization, and the event with the token."""
        headers = event["headers"] | {"authorization": f"Bearer {self.token}"}
        return {**variables, **self.variables}, {**event, "headers": headers}


@contextmanager
def issuer(folder: Path) -> Iterator[Authorization]:
    """Serves the key set from a thread of this process; the certificates to trust are put into `folder`.

    The signature is RS256, the default of the large providers. The certificate is one among those that this
    machine trusts, since loading them all takes most of the time of a first request over TLS.
    """
    key = RSAKey.generate_key(2048, parameters={"kid": "bench", "use": "sig", "alg": "RS256"})
    certificate = write_certificate(folder / "issuer.pem")
    trusted = folder / "trusted.pem"
    bundle = ssl.get_default_verify_paths().cafile
    trusted.write_bytes((Path(bundle).read_bytes() if bundle else b"") + certificate.read_bytes())
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with scripted(answer({"keys": [key.as_dict(private=False)]}), tls=tls) as server:
        variables = {
            "AUTH_ISSUER": server.endpoint,
            "AUTH_JWKS_URI": f"{server.endpoint}/jwks.json",
            "AUTH_RESOURCE": _RESOURCE,
            "CLIENT_DIGEST_KEY": "0" * 64,
            "SSL_CERT_FILE": str(trusted),
        }
        yield Authorization(variables, _token(server.endpoint, key))


def _token(endpoint: str, key: RSAKey) -> str:
    now = int(time.time())
    claims = {
        "iss": endpoint,
        "aud": _RESOURCE,
        "sub": "somebody",
        "client_id": "bench",
        "scope": "mcp",
        "iat": now,
        "exp": now + _VALID_SECONDS,
        "jti": "1",
    }
    return jwt.encode({"alg": "RS256", "kid": key.kid, "typ": "at+jwt"}, claims, key)
