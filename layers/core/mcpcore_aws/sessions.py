"""The session store in DynamoDB: an item for each session and exchange, deleted by TTL after it expires."""

import json
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from typing import TYPE_CHECKING, Any, Final, assert_never

from mcpcore import SessionId, StoreUnavailable
from mcpcore.protocol.errors import TooLargeToStore
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from mcpcore.sessions.ids import ExchangeId, is_valid_id
from mcpcore_aws.errors import ConditionFailed, MalformedResponse, ServiceError, StoreFault
from mcpcore_aws.exchange_items import (
    answer_to_value,
    exchange_from_item,
    exchange_key,
    exchange_to_item,
    number_value,
    time_value,
)

# Imported when a session is touched: a request of the modern era needs none of it.
if TYPE_CHECKING:
    from mcpcore.sessions import store
    from mcpcore.sessions.session import Exchange, Session
    from mcpcore_aws.dynamodb import DynamoDB

__all__ = ["DynamoDBSessions"]

# The range key of a session's own item.
_ITEM: Final = "session"

# The condition of a change: the session is neither closed nor expired.
_OPEN: Final = "attribute_exists(version) AND expires_at > :now"

# How long a closed session or deleted exchange stays as an item without content. A write that arrives later
# than its signature allows (five minutes) is refused by DynamoDB itself.
_TOMBSTONE_SECONDS: Final = 900

# DynamoDB's limit for an item. The size computed here leaves out a few bytes of overhead per attribute.
_MAX_ITEM_BYTES: Final = 400_000


class DynamoDBSessions:
    """A `SessionStore` over the table of the template: hash key `session_id`, range key `item`.

    Without a `client`, the first request that uses a session creates one from the environment; a request of
    the modern era never does. A write may arrive twice, the second time after later writes: the condition of
    each makes that change nothing (docs/dynamodb.md, "Writes").
    """

    def __init__(self, table: str, client: "DynamoDB | None" = None) -> None:
        self._table = table
        self._client = _SharedClient(client)
        self._seconds_left: Callable[[], float] = lambda: math.inf

    def within(self, seconds_left: Callable[[], float]) -> "DynamoDBSessions":
        """See `SessionStore.within`."""
        bounded = copy(self)
        bounded._seconds_left = seconds_left
        return bounded

    def warm_up(self) -> None:
        """Import modules and load certificates before the first session; no network access.

        Raises:
            StoreUnavailable: region, endpoint, certificates or botocore are missing or cannot be used.
        """
        with _as_store_unavailable():
            self._client.get().warm_up()

    def close(self) -> None:
        """Close the connection of the calling thread, as before a snapshot; its next request opens one."""
        self._client.close()

    def load(self, session_id: SessionId, now: float) -> "Session | None":
        """See `SessionStore.load`. Reads are consistent: a session is used right after it is opened."""
        if not is_valid_id(session_id):
            return None
        session = _from_item(self._get(_key(session_id)))
        # TTL may delete an expired item days late.
        return session if session is not None and now < session.expires_at else None

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> "Exchange | None":
        """See `SessionStore.load_exchange`."""
        if not (is_valid_id(session_id) and is_valid_id(exchange_id)):
            return None
        exchange = exchange_from_item(self._get(exchange_key(session_id, exchange_id)))
        return exchange if exchange is not None and now < exchange.expires_at else None

    def claim(self, exchange: "Exchange", *, now: float, until: float) -> bool:
        """See `SessionStore.claim`."""
        return self._update(
            exchange_key(exchange.session_id, exchange.id),
            "SET running_until = :until, claim_token = :token REMOVE room",
            "created_at = :created_at AND #round = :round AND expires_at > :now AND"
            " (attribute_not_exists(running_until) OR running_until <= :now OR claim_token = :token)",
            {
                # A retry meets the claim that an attempt without a reply has made.
                ":token": {"S": os.urandom(12).hex()},
                ":created_at": time_value(exchange.created_at),
                ":until": time_value(until),
                ":round": number_value(exchange.round),
                ":now": time_value(now),
            },
            {"#round": "round"},
        )

    def apply(self, action: "store.StoreAction", now: float) -> None:
        """See `SessionStore.apply`."""
        from mcpcore.sessions import store

        match action:
            case store.OpenSession(session):
                self._open(session, now)
            case store.ExtendSession(session_id, expires_at):
                values = {":later": number_value(expires_at), ":now": time_value(now)}
                condition = f"{_OPEN} AND expires_at < :later"
                self._update(_key(session_id), "SET expires_at = :later", condition, values)
            case store.SetLogLevel(session_id, level):
                self._set_log_level(session_id, level, now)
            case store.CloseSession(session_id):
                item = {**_key(session_id), "expires_at": number_value(now + _TOMBSTONE_SECONDS)}
                self._put(item, "attribute_exists(session_id)")
            case store.CreateExchange(exchange):
                self._create_exchange(exchange)
            case store.RecordAnswer():
                self._record_answer(action)
            case store.UpdateExchange(exchange):
                self._update_exchange(exchange)
            case store.DeleteExchange(session_id, exchange_id):
                self._delete_exchange(session_id, exchange_id, now)
            case never:
                assert_never(never)

    def _open(self, session: "Session", now: float) -> None:
        stored = self._put(_to_item(session), "attribute_not_exists(session_id)")
        # The condition also fails if an earlier attempt stored this session and its response was lost.
        if not stored and self.load(session.id, now) != session:
            raise StoreUnavailable

    def _set_log_level(self, session_id: SessionId, level: str, now: float) -> None:
        self._update(
            _key(session_id),
            "SET log_level = :level, log_level_at = :at",
            f"{_OPEN} AND (attribute_not_exists(log_level_at) OR log_level_at <= :at)",
            {":level": {"S": level}, ":now": time_value(now), ":at": time_value(now)},
        )

    def _create_exchange(self, exchange: "Exchange") -> None:
        self._put(
            exchange_to_item(exchange),
            "attribute_not_exists(session_id) OR created_at < :created_at",
            ExpressionAttributeValues={":created_at": time_value(exchange.created_at)},
        )

    def _update_exchange(self, exchange: "Exchange") -> None:
        # An exchange that was deleted in the meantime has no round, so the condition fails.
        self._put(
            exchange_to_item(exchange),
            "created_at = :created_at AND #round < :round",
            ExpressionAttributeNames={"#round": "round"},
            ExpressionAttributeValues={
                ":created_at": time_value(exchange.created_at),
                ":round": number_value(exchange.round),
            },
        )

    def _delete_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> None:
        item = {
            **exchange_key(session_id, exchange_id),
            "created_at": time_value(now),
            "expires_at": number_value(now + _TOMBSTONE_SECONDS),
        }
        self._put(item, "created_at <= :now", ExpressionAttributeValues={":now": time_value(now)})

    def _record_answer(self, action: "store.RecordAnswer") -> None:
        try:
            self._update(
                exchange_key(action.session_id, action.exchange_id),
                "SET answers.#key = :answer",
                # What is left of a deleted exchange has no answers, to which nothing can be added.
                "created_at = :created_at AND attribute_exists(answers)"
                " AND attribute_not_exists(answers.#key)",
                {
                    ":answer": answer_to_value(action.answer, refused=action.refused),
                    ":created_at": time_value(action.created_at),
                },
                {"#key": action.key},
            )
        except StoreUnavailable as error:
            cause = error.__cause__
            if isinstance(cause, ServiceError) and cause.code == "ValidationException":
                # Only the size of the item with this answer can make the update invalid.
                raise TooLargeToStore(None, _MAX_ITEM_BYTES) from error
            raise

    def _put(self, item: dict[str, Any], condition: str | None = None, **placeholders: Any) -> bool:
        """True if the condition was met and the item stored."""
        if (size_bytes := _size_bytes(item)) > _MAX_ITEM_BYTES:
            raise TooLargeToStore(size_bytes, _MAX_ITEM_BYTES)
        conditional = {} if condition is None else {"ConditionExpression": condition, **placeholders}
        return self._write("PutItem", {"Item": item, **conditional})

    def _update(
        self,
        key: dict[str, Any],
        expression: str,
        condition: str,
        values: dict[str, Any],
        names: dict[str, str] | None = None,
    ) -> bool:
        """True if the condition was met and the item changed."""
        placeholders = {} if names is None else {"ExpressionAttributeNames": names}
        arguments = {
            "Key": key,
            "UpdateExpression": expression,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": values,
            **placeholders,
        }
        return self._write("UpdateItem", arguments)

    def _write(self, operation: str, arguments: dict[str, Any]) -> bool:
        with suppress(ConditionFailed):
            self._call(operation, arguments)
            return True
        return False

    def _get(self, key: dict[str, Any]) -> dict[str, Any]:
        try:
            response = self._call("GetItem", {"Key": key, "ConsistentRead": True})
        except ConditionFailed as failed:
            raise StoreUnavailable("a read was answered with a failed condition") from failed
        item = response.get("Item", {})
        with _as_store_unavailable():
            if not isinstance(item, dict):
                raise MalformedResponse("the Item of a GetItem response is not a JSON object")
        return item

    def _call(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        with _as_store_unavailable():
            arguments = {"TableName": self._table, **arguments}
            return self._client.get().call(operation, arguments, within_seconds=self._seconds_left())


class _SharedClient:
    """The client of a store, made when it is first used."""

    def __init__(self, made: "DynamoDB | None") -> None:
        self._made = made
        self._lock = threading.Lock()

    def get(self) -> "DynamoDB":
        with self._lock:
            if self._made is None:
                from mcpcore_aws.dynamodb import DynamoDB

                self._made = DynamoDB()
            return self._made

    def close(self) -> None:
        if self._made is not None:
            self._made.close()


@contextmanager
def _as_store_unavailable() -> Iterator[None]:
    """Turn a `StoreFault` into `StoreUnavailable`, with the fault as its cause."""
    try:
        yield
    except StoreFault as fault:
        raise StoreUnavailable(str(fault), retry_after_seconds=fault.retry_after_seconds) from fault


def _size_bytes(value: object) -> int:
    """The size of an item's attribute names and values in UTF-8."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8"))
    if isinstance(value, Mapping):
        return sum(_size_bytes(name) + _size_bytes(member) for name, member in value.items())
    return 1


def _key(session_id: SessionId) -> dict[str, Any]:
    return {"session_id": {"S": session_id}, "item": {"S": _ITEM}}


def _to_item(session: "Session") -> dict[str, Any]:
    return {
        **_key(session.id),
        "version": {"S": session.version},
        "client_name": {"S": _storable(session.client_name)},
        "client_version": {"S": _storable(session.client_version)},
        "capabilities": {"S": json.dumps(session.capabilities)},
        "created_at": number_value(session.created_at),
        "expires_at": number_value(session.expires_at),
        **({} if session.log_level is None else {"log_level": {"S": session.log_level}}),
        **({"principal": {"S": session.principal}} if session.principal else {}),
    }


def _storable(text: str) -> str:
    # JSON may contain a lone surrogate; DynamoDB rejects an item with a string that is not valid UTF-8.
    return text.encode("utf-8", "replace").decode("utf-8")


def _from_item(item: Mapping[str, Any]) -> "Session | None":
    """The session in `item`; None if `item` is empty, or has another shape or an unsupported version."""
    from mcpcore.sessions.session import Session

    try:
        capabilities = json.loads(item["capabilities"]["S"])
        session = Session(
            SessionId(item["session_id"]["S"]),
            item["version"]["S"],
            item["client_name"]["S"],
            item["client_version"]["S"],
            capabilities,
            int(item["created_at"]["N"]),
            int(item["expires_at"]["N"]),
            item["log_level"]["S"] if "log_level" in item else None,
            item["principal"]["S"] if "principal" in item else "",
        )
    except (KeyError, TypeError, ValueError):
        return None
    supported = session.version in HANDSHAKE_VERSIONS
    return session if supported and isinstance(capabilities, dict) else None
