"""State secrets kept in AWS Secrets Manager or in SSM Parameter Store, read when a handler first asks.

The adapter imports it only if a source is configured and a request needs a secret.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mcpcore import StoreUnavailable
from mcpcore_aws.dynamodb import JsonClient, RetryPolicy, Service
from mcpcore_aws.errors import NotConfigured, ServiceError, StoreFault

__all__ = ["StateSecrets"]

_KEPT_SECONDS: Final = 300
# A source that does not answer is no reason to refuse: what was read is used on, but not for ever.
_KEPT_DURING_FAILURE_SECONDS: Final = 3600
# A client may send any key id. Each unknown one would cost a call without these pauses.
_PAUSE_SECONDS: Final = 10
_PAUSE_AFTER_FAILURE_SECONDS: Final = 1
_READ_SECONDS: Final = 5.0
_MIN_SECRET_BYTES: Final = 32
_RETRY_POLICY: Final = RetryPolicy(attempts=2)

# What the services answer if there is no earlier version.
_ABSENT: Final = frozenset({"ResourceNotFoundException", "ParameterVersionNotFound"})

_JSON: Final = "application/x-amz-json-1.1"


class _SecretsManager(JsonClient):
    service = Service("secretsmanager", "secretsmanager", _JSON, "AWS_ENDPOINT_URL_SECRETS_MANAGER")

    def newest_first(self, arn: str, deadline: float) -> Iterator[object]:
        """The text of the version labelled AWSCURRENT, and that of AWSPREVIOUS if there is one."""
        yield self._version(arn, "AWSCURRENT", deadline)
        try:
            yield self._version(arn, "AWSPREVIOUS", deadline)
        except ServiceError as error:
            if error.code not in _ABSENT:
                raise

    def _version(self, arn: str, stage: str, deadline: float) -> object:
        arguments = {"SecretId": arn, "VersionStage": stage}
        reply = self.call("GetSecretValue", arguments, within_seconds=deadline - time.monotonic())
        return reply.get("SecretString")


class _ParameterStore(JsonClient):
    service = Service("ssm", "AmazonSSM", _JSON, "AWS_ENDPOINT_URL_SSM")

    def newest_first(self, arn: str, deadline: float) -> Iterator[object]:
        """The text of the newest version, and that of the one before it if it exists."""
        newest = self._parameter(arn, deadline)
        yield newest.get("Value")
        version = newest.get("Version")
        if not isinstance(version, int) or version < 2:
            return
        try:  # by its name: a version cannot be appended to an ARN
            yield self._parameter(f"{newest.get('Name')}:{version - 1}", deadline).get("Value")
        except ServiceError as error:
            if error.code not in _ABSENT:
                raise

    def _parameter(self, name: str, deadline: float) -> Mapping[str, object]:
        arguments = {"Name": name, "WithDecryption": True}
        reply = self.call("GetParameter", arguments, within_seconds=deadline - time.monotonic())
        parameter = reply.get("Parameter")
        return parameter if isinstance(parameter, dict) else {}


class StateSecrets:
    """The state secrets of one source, `arn`: its newest version, then the one before it, then those `given`.

    What was read is used for five minutes, and up to an hour if reading fails. Threads may share it.
    """

    def __init__(
        self,
        arn: str,
        given: Sequence[bytes] = (),
        *,
        environment: Mapping[str, str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._arn = arn
        self._given = tuple(given)
        self._environment = environment
        self._clock = clock
        self._lock = threading.Lock()
        self._client: _SecretsManager | _ParameterStore | None = None
        self._secrets: tuple[bytes, ...] = ()
        self._read_at = self._failed_at = float("-inf")
        self._failure = ""

    def newest_first(self, seconds_left: Callable[[], float]) -> Iterator[bytes]:
        """The secrets; once all are taken the source is read again for newer ones, at most every ten seconds.

        Raises:
            StoreUnavailable: the source could not be read within `seconds_left()`, five at most.
        """
        known = self._not_older_than(_KEPT_SECONDS, seconds_left)
        yield from known
        yield from (
            secret for secret in self._not_older_than(_PAUSE_SECONDS, seconds_left) if secret not in known
        )

    def _not_older_than(self, seconds: float, seconds_left: Callable[[], float]) -> tuple[bytes, ...]:
        with self._lock:
            age_seconds = self._clock() - self._read_at
            if not 0 <= age_seconds < seconds:  # negative if the clock was put back
                try:
                    self._renew(min(seconds_left(), _READ_SECONDS))
                except StoreUnavailable:
                    if seconds < _KEPT_SECONDS or age_seconds >= _KEPT_DURING_FAILURE_SECONDS:
                        raise
            return (*self._secrets, *self._given)

    def _renew(self, seconds: float) -> None:
        if 0 <= self._clock() - self._failed_at < _PAUSE_AFTER_FAILURE_SECONDS:
            raise StoreUnavailable(self._failure, what="Questions")
        try:
            self._secrets = self._read(seconds)
            self._read_at = self._clock()
        except StoreFault as fault:
            # Its text alone: the frames of an exception would keep what belongs to one request.
            self._failure = f"{self._arn}: {fault}"
            self._failed_at = self._clock()
            wait_seconds = fault.retry_after_seconds
            raise StoreUnavailable(
                self._failure, retry_after_seconds=wait_seconds, what="Questions"
            ) from fault

    def _read(self, seconds: float) -> tuple[bytes, ...]:
        if self._client is None:
            _, _, service, region, _ = self._arn.split(":", 4)
            client = _SecretsManager if service == "secretsmanager" else _ParameterStore
            self._client = client(self._environment, region=region, retry_policy=_RETRY_POLICY)
        deadline = time.monotonic() + seconds
        newest, *previous = map(_as_secret, self._client.newest_first(self._arn, deadline))
        if newest is None:
            raise NotConfigured(f"its newest version is not text of {_MIN_SECRET_BYTES} bytes or more")
        return (newest, *(secret for secret in previous if secret is not None))


def _as_secret(text: object) -> bytes | None:
    """A secret that is long enough to be one; None for any other, such as the placeholder before it."""
    secret = text.encode(errors="surrogatepass") if isinstance(text, str) else b""
    return secret if len(secret) >= _MIN_SECRET_BYTES else None
