"""Operations of DynamoDB, or of a service like it: sign a request, send it, retry it, read the response."""

import json
import math
import os
import random
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from mcpcore_aws.connections import Connections, Reply, TimeLimits
from mcpcore_aws.dynamodb.breaker import Breaker
from mcpcore_aws.dynamodb.credentials import CredentialSource
from mcpcore_aws.dynamodb.endpoint import read_endpoint
from mcpcore_aws.dynamodb.service import DYNAMODB, Service
from mcpcore_aws.dynamodb.signature import Credentials, signed_headers
from mcpcore_aws.errors import ConditionFailed, MalformedResponse, ServiceError, StoreFault, Unreachable

__all__ = ["DynamoDB", "JsonClient", "RetryPolicy"]

# An item has at most 400 KB. As JSON, where one character may take six bytes, it stays well below this.
_MAX_RESPONSE_BYTES: Final = 4_000_000
_MAX_DETAIL_CHARACTERS: Final = 500

# Upper bound of the first backoff, doubled for each further one. The figures are botocore's for DynamoDB.
_BACKOFF_SECONDS: Final = 0.025
_THROTTLED_BACKOFF_SECONDS: Final = 1.0


class RetryPolicy(NamedTuple):
    """Time limits of one attempt, and the number of attempts.

    An unresponsive endpoint fails after attempts · (connect + read) and at most 1 s + 2 s of backoff: 12 s,
    and 0.5 s more over a connection that was kept. A call with less time fails earlier.
    """

    connect_seconds: float = 1
    read_seconds: float = 2
    reused_seconds: float = 0.5
    attempts: int = 3


_RETRY_POLICY: Final = RetryPolicy()
_SYSTEM_RANDOM: Final = random.SystemRandom()


class JsonClient:
    """A client for the operations of `service`, which each subclass names; threads may share it.

    The endpoint, and the region if none is given, are read from the environment once, credentials for each
    request. `jitter` returns numbers from 0 to 1. Its default has no seed, because environments restored from
    one snapshot would share it and retry at the same moments.
    """

    service: ClassVar[Service]

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        *,
        region: str = "",
        retry_policy: RetryPolicy = _RETRY_POLICY,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = _SYSTEM_RANDOM.random,
    ) -> None:
        self._endpoint = read_endpoint(environment, self.service, region)
        self._credentials = CredentialSource(environment)
        self._connections = Connections(
            self._endpoint.origin,
            TimeLimits(*retry_policy[:3]),
            max_body_bytes=_MAX_RESPONSE_BYTES,
            ca_bundle=environment.get("AWS_CA_BUNDLE") or None,
        )
        self._attempts = retry_policy.attempts
        self._breaker = Breaker(clock)
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter

    def call(
        self, operation: str, arguments: Mapping[str, Any], *, within_seconds: float = math.inf
    ) -> dict[str, Any]:
        """The response to `operation`; arguments and response are JSON as in the service's API reference.

        It comes, or the call fails, within `within_seconds`; resolving the host's name is not counted.

        A request may be sent more than once, even if DynamoDB has executed the first and only its response
        was lost. So pass only reads, idempotent writes, or writes whose condition fails the second time.

        Raises:
            ConditionFailed: the condition in the arguments is not met.
            CircuitOpen: the last calls have failed, and nothing was sent.
            StoreFault: every attempt failed, or one failed in a way that no retry can change.
        """
        deadline = time.monotonic() + within_seconds
        if within_seconds <= 0:
            raise Unreachable("no time is left for a request")
        attempts = 1 if self._breaker.admit() else self._attempts
        body = json.dumps(arguments, separators=(",", ":")).encode()
        try:
            response = self._try(operation, body, attempts, deadline)
        except StoreFault as fault:
            if fault.retryable:
                self._breaker.failed(fault)
            raise
        except ConditionFailed:
            self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return response

    def close(self) -> None:
        """Close the connection of the calling thread; its next call opens another (see `Connections`)."""
        self._connections.close()

    def warm_up(self) -> None:
        """Import modules and load certificates before the first call; no network access.

        Raises:
            NotConfigured: the trusted certificates cannot be read, or botocore is needed and missing.
        """
        self._credentials.warm_up()
        self._connections.warm_up()

    def _try(self, operation: str, body: bytes, attempts: int, deadline: float) -> dict[str, Any]:
        for attempt in range(1, attempts):
            try:
                return self._attempt(operation, body, deadline)
            except StoreFault as fault:
                pause_seconds = self._backoff_seconds(attempt, fault)
                if not fault.retryable or time.monotonic() + pause_seconds >= deadline:
                    raise
                self._sleep(pause_seconds)
        return self._attempt(operation, body, deadline)

    def _attempt(self, operation: str, body: bytes, deadline: float) -> dict[str, Any]:
        credentials = self._credentials.current()
        headers = signed_headers(
            credentials,
            host=self._endpoint.origin.name,
            region=self._endpoint.region,
            target=f"{self.service.api}.{operation}",
            service=self.service,
            body=body,
            now=self._clock(),
        )
        reply = self._connections.send("POST", "/", headers, body, deadline)
        if reply.checksum not in (None, str(zlib.crc32(reply.body))):
            raise Unreachable("the checksum of the response body does not match")
        response = _json_object(reply.body)
        if reply.status != 200:
            raise _service_error(reply, response or {}, credentials)
        if response is None:
            raise MalformedResponse("the response body is not a JSON object")
        return response

    def _backoff_seconds(self, attempt: int, fault: StoreFault) -> float:
        bound_seconds = _THROTTLED_BACKOFF_SECONDS if fault.throttled else _BACKOFF_SECONDS
        return self._jitter() * bound_seconds * (1 << (attempt - 1))


class DynamoDB(JsonClient):
    """A client for operations on items."""

    service = DYNAMODB


def _json_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object in `body`; None if it holds anything else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _service_error(reply: Reply, response: Mapping[str, Any], credentials: Credentials) -> Exception:
    code = str(response.get("__type", "")).rpartition("#")[2]
    if code == "ConditionalCheckFailedException":
        return ConditionFailed()
    detail = str(response.get("message") or response.get("Message") or "")
    # The error message about a wrong signature repeats the whole request, including the session token.
    for secret in (credentials.secret_key, credentials.token):
        detail = detail.replace(secret, "[secret]") if secret else detail
    return ServiceError(reply.status, code[:_MAX_DETAIL_CHARACTERS], detail[:_MAX_DETAIL_CHARACTERS])
