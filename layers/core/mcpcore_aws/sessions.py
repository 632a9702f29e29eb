"""Sessions in DynamoDB: one item each, found by its id, deleted by TTL some time after it has expired."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from mcpcore import Session, SessionId, StoreUnavailable
from mcpcore.sessions import Action, End, Open, Refresh, is_session_id
from mcpcore.versions import HANDSHAKE_VERSIONS

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["DynamoDBSessions"]

# The range key of the item that `initialize` writes.
_ITEM: Final = "session"

# With every try failing, well inside the 30 s that the gateway waits.
_CONNECT_TIMEOUT_SECONDS: Final = 1
_READ_TIMEOUT_SECONDS: Final = 2
_ATTEMPTS: Final = 3


class DynamoDBSessions:
    """A `SessionStore` over the table of the template: hash key `session_id`, range key `item`.

    The client is made when the first session is touched: it costs more than all the rest of a cold start,
    and a request of the modern era never needs it.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._client: DynamoDBClient | None = None

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """See `SessionStore.load`. The read is consistent: a session is used right after it is opened."""
        if not is_session_id(session_id):
            return None
        with _translated():
            found = self._connected().get_item(
                TableName=self._table, Key=_key(session_id), ConsistentRead=True
            )
        session = _from_item(found.get("Item", {}))
        # TTL deletes up to days late; what has expired is gone all the same.
        return session if session is not None and now < session.expires_at else None

    def apply(self, actions: Iterable[Action], now: float) -> None:
        """See `SessionStore.apply`."""
        for action in actions:
            with _translated():
                match action:
                    case Open(session):
                        self._open(session)
                    case Refresh(session_id, expires_at):
                        self._refresh(session_id, expires_at, now)
                    case End(session_id):
                        self._connected().delete_item(TableName=self._table, Key=_key(session_id))

    def _open(self, session: Session) -> None:
        self._connected().put_item(
            TableName=self._table,
            Item=_to_item(session),
            ConditionExpression="attribute_not_exists(session_id)",
        )

    def _refresh(self, session_id: SessionId, expires_at: int, now: float) -> None:
        client = self._connected()
        # A session that ended meanwhile stays ended.
        with suppress(client.exceptions.ConditionalCheckFailedException):
            client.update_item(
                TableName=self._table,
                Key=_key(session_id),
                UpdateExpression="SET expires_at = :later",
                ConditionExpression="expires_at > :now",
                ExpressionAttributeValues={":later": {"N": str(expires_at)}, ":now": {"N": str(int(now))}},
            )

    def _connected(self) -> "DynamoDBClient":
        if self._client is None:
            import boto3
            from botocore.config import Config

            # A session of its own: boto3's default one is not safe to use from two threads at once.
            self._client = boto3.Session().client(
                "dynamodb",
                config=Config(
                    connect_timeout=_CONNECT_TIMEOUT_SECONDS,
                    read_timeout=_READ_TIMEOUT_SECONDS,
                    retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
                ),
            )
        return self._client


@contextmanager
def _translated() -> Iterator[None]:
    """Whatever the store's client raises, as `StoreUnavailable`."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise StoreUnavailable from error


def _key(session_id: SessionId) -> dict[str, Any]:
    return {"session_id": {"S": session_id}, "item": {"S": _ITEM}}


def _to_item(session: Session) -> dict[str, Any]:
    return {
        **_key(session.id),
        "version": {"S": session.version},
        "client_name": {"S": _storable(session.client_name)},
        "client_version": {"S": _storable(session.client_version)},
        "capabilities": {"S": json.dumps(session.capabilities)},
        "created_at": {"N": str(session.created_at)},
        "expires_at": {"N": str(session.expires_at)},
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
        )
    except (KeyError, ValueError):
        return None
    spoken = session.version in HANDSHAKE_VERSIONS
    return session if spoken and isinstance(capabilities, dict) else None
