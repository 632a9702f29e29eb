"""AWS Signature Version 4 for requests of JSON, posted to `/`."""

import hmac
import time
from hashlib import sha256
from typing import Final, NamedTuple

from mcpcore_aws.dynamodb.service import DYNAMODB, Service

__all__ = ["Credentials", "signed_headers"]

_ALGORITHM: Final = "AWS4-HMAC-SHA256"


class Credentials(NamedTuple):
    """AWS credentials. `token` is empty for the long-term keys of a user."""

    access_key: str
    secret_key: str
    token: str

    def __repr__(self) -> str:
        return f"Credentials({self.access_key!r}, and secrets)"


def signed_headers(
    credentials: Credentials,
    *,
    host: str,
    region: str,
    target: str,
    body: bytes,
    now: float,
    service: Service = DYNAMODB,
) -> dict[str, str]:
    """The headers of a request, with its signature; `host` has the port unless it is the scheme's default.

    The signature covers every header and the body (IAM User Guide, "Create a signed AWS API request").
    AWS accepts it within five minutes of `now`.
    """
    timestamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    scope = f"{timestamp[:8]}/{region}/{service.name}/aws4_request"
    headers = {  # sorted by name, as the canonical request requires
        "content-type": service.content_type,
        "host": host,
        "x-amz-date": timestamp,
        **({"x-amz-security-token": credentials.token} if credentials.token else {}),
        "x-amz-target": target,
    }
    signed_names = ";".join(headers)
    canonical_headers = "".join(f"{name}:{value}\n" for name, value in headers.items())
    canonical_request = f"POST\n/\n\n{canonical_headers}\n{signed_names}\n{sha256(body).hexdigest()}"
    string_to_sign = f"{_ALGORITHM}\n{timestamp}\n{scope}\n{sha256(canonical_request.encode()).hexdigest()}"
    signature = _hmac(_signing_key(credentials.secret_key, scope), string_to_sign).hex()
    credential = f"Credential={credentials.access_key}/{scope}"
    return {
        **headers,
        "authorization": f"{_ALGORITHM} {credential}, SignedHeaders={signed_names}, Signature={signature}",
    }


def _signing_key(secret_key: str, scope: str) -> bytes:
    key = b"AWS4" + secret_key.encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    return key


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
