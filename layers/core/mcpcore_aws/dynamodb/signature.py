"""AWS Signature Version 4 for the one kind of request that is sent: JSON, posted to `/`."""

import hmac
import time
from hashlib import sha256
from typing import Final, NamedTuple

__all__ = ["Credentials", "signed_headers"]

_ALGORITHM: Final = "AWS4-HMAC-SHA256"
_SERVICE: Final = "dynamodb"
_CONTENT_TYPE: Final = "application/x-amz-json-1.0"


class Credentials(NamedTuple):
    """Who asks. `token` is empty for a user's own keys."""

    access_key: str
    secret_key: str
    token: str

    def __repr__(self) -> str:
        return f"Credentials({self.access_key!r}, and secrets)"


def signed_headers(
    credentials: Credentials, *, host: str, region: str, target: str, body: bytes, now: float
) -> dict[str, str]:
    """The headers of a request, its signature among them; `host` has the port if it is not the scheme's own.

    Every header is signed, and so is the body (IAM User Guide, "Create a signed AWS API request").
    DynamoDB takes the signature for five minutes around `now`.
    """
    timestamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    scope = f"{timestamp[:8]}/{region}/{_SERVICE}/aws4_request"
    headers = {  # in the order of their names, as the signature wants them
        "content-type": _CONTENT_TYPE,
        "host": host,
        "x-amz-date": timestamp,
        **({"x-amz-security-token": credentials.token} if credentials.token else {}),
        "x-amz-target": target,
    }
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = f"POST\n/\n\n{lines}\n{names}\n{sha256(body).hexdigest()}"
    to_sign = f"{_ALGORITHM}\n{timestamp}\n{scope}\n{sha256(request.encode()).hexdigest()}"
    signature = _keyed(_signing_key(credentials.secret_key, scope), to_sign).hex()
    signer = f"Credential={credentials.access_key}/{scope}"
    return {
        **headers,
        "authorization": f"{_ALGORITHM} {signer}, SignedHeaders={names}, Signature={signature}",
    }


def _signing_key(secret_key: str, scope: str) -> bytes:
    key = b"AWS4" + secret_key.encode()
    for part in scope.split("/"):
        key = _keyed(key, part)
    return key


def _keyed(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
