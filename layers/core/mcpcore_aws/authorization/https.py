"""A small HTTP client for authorization servers: JSON only, bounded in time and size, no redirects."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from mcpcore_aws.authorization.urls import is_safe_url
from mcpcore_aws.connections import DEFAULT_PORTS, Connections, Origin, TimeLimits
from mcpcore_aws.errors import MalformedResponse, ServiceError, Unreachable

__all__ = ["HttpsClient"]

_MAX_BODY_BYTES: Final = 1_000_000
_LIMITS: Final = TimeLimits(connect_seconds=2, exchange_seconds=5, reused_seconds=1)


class HttpsClient:
    """Gets and posts JSON objects. Threads may share it.

    A request may be sent twice: the environment may have slept, and the server have closed the connection.
    """

    def __init__(self) -> None:
        self._connections: dict[Origin, Connections] = {}

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
        return self._object("POST", url, seconds, body=urlencode(fields).encode(), headers=form)

    def _object(
        self,
        method: str,
        url: str,
        seconds: float,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        if not is_safe_url(url):
            raise Unreachable(f"{url[:200]} is not an https URL")
        if seconds <= 0:
            raise Unreachable("no time is left for a request")
        deadline = time.monotonic() + seconds
        parts = urlsplit(url)
        target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connections = self._connections_to(
            Origin(parts.scheme == "https", parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])
        )
        try:
            reply = connections.send(
                method, target, {"accept": "application/json", **(headers or {})}, body, deadline
            )
        except ValueError as error:  # the URL has characters that may not stand in one
            raise Unreachable(f"{url}: {type(error).__name__}: {error}") from error
        if reply.status != 200:
            raise ServiceError(reply.status, "", url)
        return _json_object(reply.body, url)

    def _connections_to(self, origin: Origin) -> Connections:
        """Those of the client, since each has to load the trusted certificates, which takes 20 ms."""
        fresh = Connections(origin, _LIMITS, max_body_bytes=_MAX_BODY_BYTES)
        return self._connections.setdefault(origin, fresh)


def _json_object(body: bytes, url: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise MalformedResponse(f"{url}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise MalformedResponse(f"{url}: no JSON object")
    return found
