"""Operations of DynamoDB: signed, sent, tried again where that may help, and read."""

import json
import os
import random
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from mcpcore_aws.dynamodb.connections import Connections, Reply
from mcpcore_aws.dynamodb.credentials import CredentialSource
from mcpcore_aws.dynamodb.endpoint import read_endpoint
from mcpcore_aws.dynamodb.signature import Credentials, signed_headers
from mcpcore_aws.errors import ConditionFailed, MalformedResponse, ServiceError, StoreFault, Unreachable

__all__ = ["DynamoDB", "RetryPolicy"]

_API: Final = "DynamoDB_20120810"

# An item has 400 KB; as JSON, where every character may need six bytes, it is well below this.
_LARGEST_ANSWER_BYTES: Final = 4_000_000
_LONGEST_DETAIL: Final = 500

# What the first wait is drawn from, doubled for each further one: botocore's figures for DynamoDB.
_WAIT_SECONDS: Final = 0.025
_WAIT_WHEN_THROTTLED_SECONDS: Final = 1.0


class RetryPolicy(NamedTuple):
    """How long a call may take, and how often it is tried.

    A server that never answers is given up after attempts · (connect + read) and 1 s + 2 s of waits: 12 s,
    well inside the 30 s that the gateway waits. `read_seconds` bounds each silence, not a
    whole answer.
    """

    connect_seconds: float = 1
    read_seconds: float = 2
    attempts: int = 3


_PATIENCE: Final = RetryPolicy()
_JITTER: Final = random.SystemRandom()


class DynamoDB:
    """A client for operations on items, safe to share between threads.

    Where DynamoDB is comes from the environment when the client is made; who asks, each time. `jitter` gives
    numbers from 0 to 1, and not from a state: environments restored from one snapshot would all wait alike.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        *,
        patience: RetryPolicy = _PATIENCE,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = _JITTER.random,
    ) -> None:
        self._endpoint = read_endpoint(environment)
        self._credentials = CredentialSource(environment)
        self._connections = Connections(
            self._endpoint,
            connect_seconds=patience.connect_seconds,
            read_seconds=patience.read_seconds,
            largest_bytes=_LARGEST_ANSWER_BYTES,
            ca_bundle=environment.get("AWS_CA_BUNDLE") or None,
        )
        self._attempts = patience.attempts
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What `operation` answers to `arguments`, both as DynamoDB's API reference writes them in JSON.

        It may be sent more than once, also when the first was done and only its answer got lost. So give it
        only what reads, what is the same when done twice, or what has a condition that fails the second time.

        Raises:
            ConditionFailed: the condition among the arguments does not hold.
            StoreFault: anything else went wrong, with each try.
        """
        body = json.dumps(arguments, separators=(",", ":")).encode()
        for attempt in range(1, self._attempts):
            try:
                return self._called(operation, body)
            except StoreFault as fault:
                if not fault.retryable:
                    raise
                self._wait(attempt, fault)
        return self._called(operation, body)

    def close(self) -> None:
        """Close the connections that are kept; the next call opens another."""
        self._connections.close()

    def prepare(self) -> None:
        """Do beforehand what the first call would, as far as it needs neither credentials nor network.

        Raises:
            NotConfigured: the certificates to trust cannot be read, or botocore is needed and missing.
        """
        self._credentials.prepare()
        self._connections.prepare()

    def _called(self, operation: str, body: bytes) -> dict[str, Any]:
        credentials = self._credentials.current()
        headers = signed_headers(
            credentials,
            host=self._endpoint.name,
            region=self._endpoint.region,
            target=f"{_API}.{operation}",
            body=body,
            now=self._clock(),
        )
        reply = self._connections.post(headers, body)
        if reply.checksum not in (None, str(zlib.crc32(reply.body))):
            raise Unreachable("the answer's checksum is wrong")
        answer = _read(reply.body)
        if reply.status != 200:
            raise _refusal(reply, answer or {}, credentials)
        if answer is None:
            raise MalformedResponse("the answer is no JSON object")
        return answer

    def _wait(self, attempt: int, fault: StoreFault) -> None:
        most_seconds = _WAIT_WHEN_THROTTLED_SECONDS if fault.throttled else _WAIT_SECONDS
        self._sleep(self._jitter() * most_seconds * 2 ** (attempt - 1))


def _read(body: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _refusal(reply: Reply, answer: Mapping[str, Any], credentials: Credentials) -> Exception:
    code = str(answer.get("__type", "")).rpartition("#")[2]
    if code == "ConditionalCheckFailedException":
        return ConditionFailed()
    detail = str(answer.get("message") or answer.get("Message") or "")
    # A signature that does not match is answered with the whole request, token and all.
    for secret in (credentials.secret_key, credentials.token):
        detail = detail.replace(secret, "[secret]") if secret else detail
    return ServiceError(reply.status, code[:_LONGEST_DETAIL], detail[:_LONGEST_DETAIL])
