"""Sessions in DynamoDB: one item each, found by its id, deleted by TTL some time after it has expired."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, assert_never

from mcpcore import Session, SessionId, StoreUnavailable
from mcpcore.protocol.errors import TooLargeToStore
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from mcpcore.sessions.session import Exchange, ExchangeId, is_session_id
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    SetLogLevel,
    StoreAction,
    UpdateExchange,
)
from mcpcore_aws.errors import ConditionFailed, ServiceError, StoreFault
from mcpcore_aws.exchanges import (
    answer_to_value,
    exchange_from_item,
    exchange_key,
    exchange_to_item,
    number_value,
)

if TYPE_CHECKING:
    from mcpcore_aws.dynamodb import DynamoDB

__all__ = ["DynamoDBSessions"]

# The range key of the item that `initialize` writes.
_ITEM: Final = "session"

# DynamoDB takes 400 KB; what is counted here leaves out a few bytes for each attribute.
_LARGEST_ITEM_BYTES: Final = 400_000

# Stands for an answer that does not fit into the item beside what is there already.
_ANSWER_TOO_LARGE: Final = {"message": "the answer is larger than can be kept"}


class DynamoDBSessions:
    """A `SessionStore` over the table of the template: hash key `session_id`, range key `item`.

    Without a `client`, one is made from the environment when the first session is touched: a request of the
    modern era never needs it. What is sent may arrive twice, so every write is the same when done twice, or
    has a condition that fails the second time.
    """

    def __init__(self, table: str, client: "DynamoDB | None" = None) -> None:
        self._table = table
        self._client = client
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Do beforehand what the first session would, as far as it needs neither credentials nor network.

        Raises:
            StoreUnavailable: the environment does not say where DynamoDB is, or what is needed is missing.
        """
        with _translated():
            self._connected().prepare()

    def close(self) -> None:
        """Close the connections that are kept, as before a snapshot; a later request opens another."""
        if self._client is not None:
            self._client.close()

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """See `SessionStore.load`. The read is consistent: a session is used right after it is opened."""
        if not is_session_id(session_id):
            return None
        session = _from_item(self._get(_key(session_id)))
        # TTL deletes up to days late; what has expired is gone all the same.
        return session if session is not None and now < session.expires_at else None

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        """See `SessionStore.load_exchange`."""
        if not (is_session_id(session_id) and is_session_id(exchange_id)):
            return None
        exchange = exchange_from_item(self._get(exchange_key(session_id, exchange_id)))
        return exchange if exchange is not None and now < exchange.expires_at else None

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        """See `SessionStore.claim`."""
        return self._update(
            exchange_key(exchange.session_id, exchange.id),
            "SET running_until = :until",
            "#round = :round AND expires_at > :now"
            " AND (attribute_not_exists(running_until) OR running_until <= :now)",
            {
                ":until": number_value(until),
                ":round": number_value(exchange.round),
                ":now": number_value(now),
            },
            {"#round": "round"},
        )

    def apply(self, action: StoreAction, now: float) -> None:
        """See `SessionStore.apply`."""
        match action:
            case OpenSession(session):
                self._open(session, now)
            case ExtendSession(session_id, expires_at):
                values = {":later": number_value(expires_at), ":now": number_value(now)}
                self._update(_key(session_id), "SET expires_at = :later", "expires_at > :now", values)
            case SetLogLevel(session_id, level):
                values = {":level": {"S": level}, ":now": number_value(now)}
                self._update(_key(session_id), "SET log_level = :level", "expires_at > :now", values)
            case CloseSession(session_id):
                self._delete(_key(session_id))
            case CreateExchange(exchange):
                self._put(exchange_to_item(exchange))
            case RecordAnswer():
                self._record(action)
            case UpdateExchange(exchange):
                self._advance(exchange)
            case DeleteExchange(session_id, exchange_id):
                self._delete(exchange_key(session_id, exchange_id))
            case never:
                assert_never(never)

    def _open(self, session: Session, now: float) -> None:
        stored = self._put(_to_item(session), "attribute_not_exists(session_id)")
        # A try that seemed to have failed may have stored it; a session of another client is not handed out.
        if not stored and self.load(session.id, now) != session:
            raise StoreUnavailable

    def _advance(self, exchange: Exchange) -> None:
        # What is gone meanwhile has no round, and stays gone.
        self._put(
            exchange_to_item(exchange),
            "#round < :round",
            ExpressionAttributeNames={"#round": "round"},
            ExpressionAttributeValues={":round": number_value(exchange.round)},
        )

    def _record(self, record: RecordAnswer) -> None:
        try:
            self._put_answer(record)
        except StoreUnavailable as error:
            cause = error.__cause__
            if not (isinstance(cause, ServiceError) and cause.code == "ValidationException"):
                raise
            # Only the answer's size differs from one to the next; without any the exchange would wait on.
            self._put_answer(record._replace(answer=_ANSWER_TOO_LARGE, refused=True))

    def _put_answer(self, record: RecordAnswer) -> None:
        self._update(
            exchange_key(record.session_id, record.exchange_id),
            "SET answers.#key = :answer",
            "attribute_exists(session_id) AND attribute_not_exists(answers.#key)",
            {":answer": answer_to_value(record.answer, refused=record.refused)},
            {"#key": record.key},
        )

    def _put(self, item: dict[str, Any], condition: str | None = None, **in_condition: Any) -> bool:
        """True when the condition held and the item was stored."""
        if (size_bytes := _size_bytes(item)) > _LARGEST_ITEM_BYTES:
            raise TooLargeToStore(size_bytes, _LARGEST_ITEM_BYTES)
        wanted = {} if condition is None else {"ConditionExpression": condition, **in_condition}
        return self._write("PutItem", {"Item": item, **wanted})

    def _update(
        self,
        key: dict[str, Any],
        expression: str,
        condition: str,
        values: dict[str, Any],
        names: dict[str, str] | None = None,
    ) -> bool:
        """True when the condition held and the item was changed."""
        named = {} if names is None else {"ExpressionAttributeNames": names}
        wanted = {
            "Key": key,
            "UpdateExpression": expression,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": values,
            **named,
        }
        return self._write("UpdateItem", wanted)

    def _delete(self, key: dict[str, Any]) -> None:
        self._write("DeleteItem", {"Key": key})

    def _write(self, operation: str, arguments: dict[str, Any]) -> bool:
        try:
            self._call(operation, arguments)
        except ConditionFailed:
            return False
        return True

    def _get(self, key: dict[str, Any]) -> dict[str, Any]:
        found = self._call("GetItem", {"Key": key, "ConsistentRead": True})
        item = found.get("Item", {})
        if not isinstance(item, dict):
            raise StoreUnavailable("the Item of a GetItem response is not a JSON object")
        return item

    def _call(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        with _translated():
            return self._connected().call(operation, {"TableName": self._table, **arguments})

    def _connected(self) -> "DynamoDB":
        with self._lock:
            if self._client is None:
                from mcpcore_aws.dynamodb import DynamoDB

                self._client = DynamoDB()
            return self._client


@contextmanager
def _translated() -> Iterator[None]:
    """Whatever goes wrong between here and the table, as `StoreUnavailable`."""
    try:
        yield
    except StoreFault as fault:
        raise StoreUnavailable(str(fault)) from fault


def _size_bytes(value: object) -> int:
    """How much of an item's size the names and values in it make up."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8"))
    if isinstance(value, Mapping):
        return sum(_size_bytes(name) + _size_bytes(member) for name, member in value.items())
    return 1


def _key(session_id: SessionId) -> dict[str, Any]:
    return {"session_id": {"S": session_id}, "item": {"S": _ITEM}}


def _to_item(session: Session) -> dict[str, Any]:
    return {
        **_key(session.id),
        "version": {"S": session.version},
        "client_name": {"S": _storable(session.client_name)},
        "client_version": {"S": _storable(session.client_version)},
        "capabilities": {"S": json.dumps(session.capabilities)},
        "created_at": number_value(session.created_at),
        "expires_at": number_value(session.expires_at),
        **({} if session.log_level is None else {"log_level": {"S": session.log_level}}),
    }


def _storable(text: str) -> str:
    # JSON can carry half of a surrogate pair; DynamoDB's strings are UTF-8, and it refuses the whole item.
    return text.encode("utf-8", "replace").decode("utf-8")


def _from_item(item: Mapping[str, Any]) -> Session | None:
    """The session in `item`; None when there is none, or one of a shape or version not spoken (any more)."""
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
        )
    except (KeyError, TypeError, ValueError):
        return None
    spoken = session.version in HANDSHAKE_VERSIONS
    return session if spoken and isinstance(capabilities, dict) else None
