"""API keys: who holds one is looked up in a table of DynamoDB, by the key's hash.

The adapter imports it only if a table of API keys is configured.
"""

from contextlib import suppress
from typing import Final

from mcpcore import StoreUnavailable
from mcpcore.http import HttpRequest
from mcpcore.http.authorization import bearer_token
from mcpcore.protocol.errors import Unauthorized
from mcpcore.request.principal import Principal
from mcpcore_aws.authorization.api_key_items import (
    PREFIX,
    ApiKey,
    api_key_from_item,
    hash_of,
    is_well_formed,
)
from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from mcpcore_aws.errors import ConditionFailed, StoreFault
from mcpcore_aws.exchange_items import number_value
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["ISSUER", "ApiKeyVerifier"]

ISSUER: Final = "api-keys"
"""The issuer of principals who show a key. No authorization server has it, for an issuer is a URL."""

# A request waits for its read: 3 s if the table is silent, and two attempts within them.
_RETRY_POLICY: Final = RetryPolicy(connect_seconds=0.5, read_seconds=1, reused_seconds=0.5, attempts=2)
_READ_SECONDS: Final = 3.0

_USE_RECORDED_SECONDS: Final = 3600
_WRITE_SECONDS: Final = 0.5
_PAUSE_AFTER_FAILED_WRITE_SECONDS: Final = 60

_REFUSAL_KEPT_SECONDS: Final = 10
_MAX_REMEMBERED: Final = 1_000


class ApiKeyVerifier:
    """A `Verifier` of bearer tokens that begin with `3gs_`, over `table`. Threads may share it.

    A request costs one consistent read, and nothing that was accepted is remembered: a key that is revoked is
    refused from the next request on. A refusal is remembered for ten seconds, because a client with a wrong
    key tends to repeat it; that delays no good key, since a refused one never becomes valid. Keys that are
    all different cost a read each, up to the gateway's throttle: limits for each client count whom we let in.

    The role of the function needs `dynamodb:GetItem` and `dynamodb:UpdateItem`; without the latter the last
    use of keys stays unknown. Without a `client`, the first key creates one from the environment.
    """

    def __init__(self, table: str, client: DynamoDB | None = None) -> None:
        self._table = table
        self._dynamodb = client
        self._refusals: dict[str, tuple[float, str]] = {}
        self._no_write_before = 0.0

    def verify(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal | None:
        """The holder of the key in `request`: subject is the id of the key, client the key's name.

        None if the request has no bearer token, or one that is no API key.

        Raises:
            Unauthorized: the key is malformed, unknown, revoked or expired.
            StoreUnavailable: the table could not be read in time.
        """
        token = bearer_token(request)
        if token is None or not token.startswith(PREFIX):
            return None
        if not is_well_formed(token):
            raise Unauthorized("the API key is malformed; send it whole, as it was printed")
        key = self._accepted(hash_of(token), invocation, now)
        self._record_use(key, invocation, now)
        return Principal(key.id, ISSUER, key.name, key.scopes)

    def _accepted(self, key_hash: str, invocation: LambdaInvocation, now: float) -> ApiKey:
        until, refusal = self._refusals.get(key_hash, (now, ""))
        # A longer wait than any that was set means that the clock was put back.
        if not 0 < until - now <= _REFUSAL_KEPT_SECONDS:
            key = self._read(key_hash, invocation)
            refusal = _refusal(key, now)
            if key is not None and not refusal:
                return key
            self._remember(key_hash, refusal, now)
        raise Unauthorized(refusal)

    def _read(self, key_hash: str, invocation: LambdaInvocation) -> ApiKey | None:
        arguments = {"TableName": self._table, "Key": _key(key_hash), "ConsistentRead": True}
        seconds = min(invocation.seconds_left(), _READ_SECONDS)
        try:
            reply = self._client().call("GetItem", arguments, within_seconds=seconds)
        except StoreFault as fault:
            raise StoreUnavailable(
                f"{self._table}: {type(fault).__name__}: {fault}",
                retry_after_seconds=fault.retry_after_seconds,
                what="API keys",
            ) from fault
        return api_key_from_item(reply.get("Item", {}))

    def _remember(self, key_hash: str, refusal: str, now: float) -> None:
        if len(self._refusals) >= _MAX_REMEMBERED:  # most have ended
            self._refusals.clear()
        self._refusals[key_hash] = (now + _REFUSAL_KEPT_SECONDS, refusal)

    def _record_use(self, key: ApiKey, invocation: LambdaInvocation, now: float) -> None:
        """Write that `key` is used, once an hour. A failure costs the key nothing, and pauses all writes."""
        recorded_before = now - _USE_RECORDED_SECONDS
        if (key.last_used_at or 0) > recorded_before or now < self._no_write_before:
            return
        arguments = {
            "TableName": self._table,
            "Key": _key(key.key_hash),
            "UpdateExpression": "SET last_used_at = :now",
            # An update creates what it does not find: without the first part, a key deleted since its read.
            "ConditionExpression": "attribute_exists(key_hash) AND"
            " (attribute_not_exists(last_used_at) OR last_used_at <= :before)",
            "ExpressionAttributeValues": {
                ":now": number_value(now),
                ":before": number_value(recorded_before),
            },
        }
        try:
            with suppress(ConditionFailed):  # another environment has recorded it
                seconds = min(invocation.seconds_left(), _WRITE_SECONDS)
                self._client().call("UpdateItem", arguments, within_seconds=seconds)
        except StoreFault:
            self._no_write_before = now + _PAUSE_AFTER_FAILED_WRITE_SECONDS

    def _client(self) -> DynamoDB:
        if self._dynamodb is None:
            self._dynamodb = DynamoDB(retry_policy=_RETRY_POLICY)
        return self._dynamodb


def _refusal(key: ApiKey | None, now: float) -> str:
    """Why `key` is refused; empty if it is not."""
    if key is None:
        return "the API key is unknown"
    if key.revoked_at is not None:
        return "the API key was revoked; ask for a new one"
    if key.expires_at is not None and key.expires_at <= now:
        return "the API key has expired; ask for a new one"
    return ""


def _key(key_hash: str) -> dict[str, dict[str, str]]:
    return {"key_hash": {"S": key_hash}}
