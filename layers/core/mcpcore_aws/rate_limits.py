"""Limits for each client: requests, and opened sessions, in a minute. Counted in the sessions table.

The adapter imports it only if a limit is set.
"""

import hmac
import math
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import TooManyRequests
from mcpcore.request.outcome import Outcome
from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from mcpcore_aws.errors import ConditionFailed, StoreFault
from mcpcore_aws.exchange_items import number_value
from mcpcore_aws.settings import RateLimits

__all__ = ["RateLimiter", "Verdict", "address_of"]

_WINDOW_SECONDS: Final = 60
# A request must not wait long for its count. It is not repeated: an attempt without a reply may have counted.
_RETRY_POLICY: Final = RetryPolicy(connect_seconds=0.5, read_seconds=0.5, reused_seconds=0.25, attempts=1)
_MAX_SECONDS: Final = 1.0

_ITEM: Final = "rate"
_ID_CHARACTERS: Final = 32  # 128 bits
# A counter stays for a while after its window, because the clocks of environments differ.
_KEPT_SECONDS: Final = 60
_MAX_REMEMBERED: Final = 1_000

_MAPPED_IPV4: Final = b"\0" * 10 + b"\xff\xff"
_IPV6_NETWORK_BYTES: Final = 8


class Verdict(NamedTuple):
    """Whether a request may be answered: `refusal` if not, `failure` if that could not be found out."""

    refusal: TooManyRequests | None = None
    failure: str = ""

    def recorded_in(self, outcome: Outcome) -> Outcome:
        """`outcome`, with a failure in log and metrics."""
        if not self.failure:
            return outcome
        record = outcome.record
        counts = {**record.counts, "rate_limit_unavailable": 1}
        fields = {**record.log_fields, "rate_limit": self.failure}
        return outcome._replace(record=record._replace(counts=counts, log_fields=fields))


_PASSED: Final = Verdict()


class RateLimiter:
    """Counts the requests of each client in windows of a minute. Threads may share it.

    A request costs one conditional update, and no read: it adds one if the count is below the limit. So in
    any 60 seconds a client gets at most twice its limit, when they span two windows. (A token bucket would be
    exact, but needs the larger of two numbers, which an update expression cannot compute: two updates.) The
    windows of different clients begin at different seconds, so that refused ones do not all return at once.

    A client is an address, an IPv6 one with its network of 64 bits. In the table it is an HMAC over address
    and window: without the key, neither is an address found, nor are two items known to be of one address.

    If the table does not answer in time, the request is answered as if there were no limit. Without a
    `client`, the first request that is counted creates one from the environment.
    """

    def __init__(self, limits: RateLimits, client: DynamoDB | None = None) -> None:
        self._limits = limits
        self._made = client
        self._refused: set[tuple[str, bool]] = set()

    def check(
        self,
        peer: str,
        request: HttpRequest,
        now: float,
        *,
        opens_session: bool,
        seconds_left: float,
        principal: str = "",
    ) -> Verdict:
        """Count a request that came from `peer`, unless its client exceeds a limit.

        `peer` is the address that connected, as the event source states it; see `address_of`. With a
        `principal`, its digest, that is the client, whatever its address.
        """
        limits = self._counted(opens_session=opens_session)
        if not limits:
            return _PASSED
        address = address_of(peer, request, self._limits.trusted_proxies)
        counter, ends_at = self._window(principal.encode() or _network_of(address), now)
        refused = Verdict(TooManyRequests(max(1, math.ceil(ends_at - now))))
        # A flood would otherwise cost an update for each request, and one item takes 1,000 a second.
        if not self._refused.isdisjoint({(counter, False), (counter, opens_session)}):
            return refused
        try:
            self._count(counter, limits, ends_at, min(seconds_left, _MAX_SECONDS))
        except ConditionFailed:
            self._remember(counter, opens_session=opens_session)
            return refused
        except StoreFault as fault:
            return Verdict(failure=f"{type(fault).__name__}: {fault}")
        return _PASSED

    def _counted(self, *, opens_session: bool) -> dict[str, int]:
        """The limits that apply to a request, by the attribute that counts them."""
        limits = {"request_count": self._limits.requests_per_minute}
        if opens_session:
            limits["session_count"] = self._limits.sessions_per_minute
        return {name: limit for name, limit in limits.items() if limit}

    def _window(self, name: bytes, now: float) -> tuple[str, int]:
        """The id of the counter, and when its window ends."""
        client = hmac.digest(self._limits.digest_key, b"address" + name, "sha256")
        offset = int.from_bytes(client[:4], "big") % _WINDOW_SECONDS
        number = int(now + offset) // _WINDOW_SECONDS
        counter = hmac.digest(client, str(number).encode(), "sha256").hex()[:_ID_CHARACTERS]
        return counter, (number + 1) * _WINDOW_SECONDS - offset

    def _count(self, counter: str, limits: Mapping[str, int], ends_at: int, seconds: float) -> None:
        below = (f"(attribute_not_exists({name}) OR {name} < :{name})" for name in limits)
        arguments = {
            "TableName": self._limits.table,
            "Key": {"session_id": {"S": counter}, "item": {"S": _ITEM}},
            "UpdateExpression": f"SET expires_at = :end ADD {', '.join(f'{name} :one' for name in limits)}",
            "ConditionExpression": " AND ".join(below),
            "ExpressionAttributeValues": {
                ":end": number_value(ends_at + _KEPT_SECONDS),
                ":one": number_value(1),
                **{f":{name}": number_value(limit) for name, limit in limits.items()},
            },
        }
        self._client().call("UpdateItem", arguments, within_seconds=seconds)

    def _remember(self, counter: str, *, opens_session: bool) -> None:
        if len(self._refused) >= _MAX_REMEMBERED:  # most are of windows that have ended
            self._refused.clear()
        self._refused.add((counter, opens_session))

    def _client(self) -> DynamoDB:
        if self._made is None:
            self._made = DynamoDB(retry_policy=_RETRY_POLICY)
        return self._made


def address_of(peer: str, request: HttpRequest, trusted_proxies: int) -> str:
    """The address of the client, as the farthest trusted proxy saw it; empty if there is none.

    `peer` is the address that connected, as the event source states it; empty if that appends it to
    X-Forwarded-For. A proxy appends the address that connected to it, so entries before those of trusted
    proxies are the client's own words.
    """
    forwarded = request.headers.get("x-forwarded-for", "").split(",")
    chain = [entry.strip() for entry in forwarded if entry.strip()]
    if peer and chain[-1:] != [peer]:
        chain.append(peer)
    return chain[max(0, len(chain) - 1 - trusted_proxies)] if chain else ""


def _network_of(address: str) -> bytes:
    """What is counted as one client; empty for all whose address cannot be read."""
    if address.startswith("["):  # a load balancer may append the port
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    with suppress(OSError, ValueError):
        return socket.inet_pton(socket.AF_INET, address)
    with suppress(OSError, ValueError):
        packed = socket.inet_pton(socket.AF_INET6, address)
        mapped = packed.startswith(_MAPPED_IPV4)
        return packed[len(_MAPPED_IPV4) :] if mapped else packed[:_IPV6_NETWORK_BYTES]
    return b""
