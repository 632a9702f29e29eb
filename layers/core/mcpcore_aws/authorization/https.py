"""A small HTTP client for authorization servers: JSON only, bounded in time and size, no redirects.

It stands on urllib3, which is in the layer of authorization.
"""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import urllib3

from mcpcore_aws.authorization.urls import is_safe_url
from mcpcore_aws.errors import MalformedResponse, ServiceError, Unreachable

__all__ = ["HttpsClient"]

_MAX_BODY_BYTES: Final = 1_000_000
_CHUNK_BYTES: Final = 65_536
_CONNECT_SECONDS: Final = 2.0


class HttpsClient:
    """Gets and posts JSON objects. Threads may share it."""

    def __init__(self) -> None:
        self._pool = urllib3.PoolManager(retries=False)

    def get(self, url: str, seconds: float) -> dict[str, Any]:
        """The JSON object under `url`, within `seconds`.

        Raises:
            StoreFault: it is out of reach, too slow, too large or no JSON object, or has another status.
        """
        return self._object("GET", url, seconds)

    def post_form(
        self, url: str, fields: Mapping[str, str], seconds: float, *, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        """The JSON object with which `url` answers a form; see `get`."""
        form = {"content-type": "application/x-www-form-urlencoded", **headers}
        return self._object("POST", url, seconds, body=urlencode(fields), headers=form)

    def _object(
        self,
        method: str,
        url: str,
        seconds: float,
        *,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        if not is_safe_url(url):
            raise Unreachable(f"{url[:200]} is not an https URL")
        if seconds <= 0:
            raise Unreachable("no time is left for a request")
        deadline = time.monotonic() + seconds
        try:
            response = self._pool.request(
                method,
                url,
                body=body,
                # Between two requests an environment may sleep, and a kept connection would be dead.
                headers={"accept": "application/json", "connection": "close", **(headers or {})},
                timeout=urllib3.Timeout(connect=min(_CONNECT_SECONDS, seconds), total=seconds),
                redirect=False,
                preload_content=False,
            )
        except (urllib3.exceptions.HTTPError, ValueError) as error:
            raise Unreachable(f"{url}: {type(error).__name__}: {error}") from error
        return _read_object(response, url, deadline)


def _read_object(response: urllib3.BaseHTTPResponse, url: str, deadline: float) -> dict[str, Any]:
    body = bytearray()
    try:
        # Unlike `read`, it returns what has arrived: a slow sender cannot hold it beyond the deadline.
        while chunk := response.read1(_CHUNK_BYTES, decode_content=True):
            body += chunk
            if len(body) > _MAX_BODY_BYTES:
                raise MalformedResponse(f"{url}: more than {_MAX_BODY_BYTES:,} bytes")
            if time.monotonic() > deadline:
                raise Unreachable(f"{url}: the response did not end in time")
    except urllib3.exceptions.HTTPError as error:
        raise Unreachable(f"{url}: {type(error).__name__}: {error}") from error
    finally:
        response.close()
    if response.status != 200:
        raise ServiceError(response.status, "", url)
    return _json_object(bytes(body), url)


def _json_object(body: bytes, url: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise MalformedResponse(f"{url}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise MalformedResponse(f"{url}: no JSON object")
    return found
