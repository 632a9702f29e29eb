"""Sessions in DynamoDB, on moto's server, and an unreachable DynamoDB."""

import json
from typing import Any, Final

import pytest

from mcpcore import SessionId, SessionStore, StoreUnavailable
from mcpcore.sessions.store import (
    CloseSession,
    ExtendSession,
    OpenSession,
    StoreAction,
)
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.dynamodb import (
    closed_port,
    items_of,
    put_item,
    recording_server,
    use_dynamodb,
)
from tests.support.store_suite import EXPIRY, NOW, SESSION, StoreSuite

ITEM: Final = {
    "session_id": {"S": SESSION.id},
    "item": {"S": "session"},
    "version": {"S": "2025-11-25"},
    "client_name": {"S": "tests"},
    "client_version": {"S": "1.2"},
    "capabilities": {"S": json.dumps(SESSION.capabilities)},
    "created_at": {"N": str(NOW)},
    "expires_at": {"N": str(EXPIRY)},
}


class TestDynamoDBSessions(StoreSuite):
    @pytest.fixture
    def store(self, store: DynamoDBSessions) -> SessionStore:
        return store


def test_a_session_is_one_item_with_its_expiry_as_a_number_for_ttl_until_it_ends(
    store: DynamoDBSessions, shared_table: str, dynamodb: str
) -> None:
    store.apply(OpenSession(SESSION), NOW)
    assert items_of(dynamodb, shared_table) == [ITEM]
    store.apply(ExtendSession(SESSION.id, EXPIRY + 60), NOW)
    assert items_of(dynamodb, shared_table) == [ITEM | {"expires_at": {"N": str(EXPIRY + 60)}}]
    store.apply(CloseSession(SESSION.id), NOW)
    ended = {"session_id": {"S": SESSION.id}, "item": {"S": "session"}, "expires_at": {"N": str(NOW + 900)}}
    assert items_of(dynamodb, shared_table) == [ended]


def test_a_name_with_a_lone_surrogate_does_not_prevent_a_session(store: DynamoDBSessions) -> None:
    store.apply(OpenSession(SESSION._replace(client_name="a\ud800", client_version="\udfff")), NOW)
    assert store.load(SESSION.id, NOW) == SESSION._replace(client_name="a?", client_version="?")


def test_a_session_id_in_use_cannot_be_opened_again(store: DynamoDBSessions) -> None:
    store.apply(OpenSession(SESSION), NOW)
    with pytest.raises(StoreUnavailable):
        store.apply(OpenSession(SESSION._replace(client_name="another")), NOW)
    assert store.load(SESSION.id, NOW) == SESSION


def test_a_session_that_is_stored_a_second_time_is_the_same_session(store: DynamoDBSessions) -> None:
    """As when the answer to the first try is lost, and the client of the store tries again."""
    store.apply(OpenSession(SESSION), NOW)
    store.apply(OpenSession(SESSION), NOW)
    assert store.load(SESSION.id, NOW) == SESSION


def test_a_session_is_read_as_it_was_last_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with recording_server() as (endpoint, asked):
        use_dynamodb(monkeypatch, endpoint)
        assert DynamoDBSessions("sessions").load(SESSION.id, NOW) is None
    key = {"session_id": {"S": SESSION.id}, "item": {"S": "session"}}
    assert asked == [("GetItem", {"TableName": "sessions", "Key": key, "ConsistentRead": True})]


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in ITEM.items() if name not in names}


FOREIGN: Final = {
    "keys only": {name: ITEM[name] for name in ("session_id", "item")},
    "another record altogether": {name: ITEM[name] for name in ("session_id", "item")}
    | {"user": {"S": "ada"}, "visits": {"N": "7"}},
    "no version": without("version"),
    "no expiry": without("expires_at"),
    "a version that is no longer supported": ITEM | {"version": {"S": "2024-10-07"}},
    "a version that has no sessions": ITEM | {"version": {"S": "2026-07-28"}},
    "a version that is a number": ITEM | {"version": {"N": "20251125"}},
    "an expiry that is text": ITEM | {"expires_at": {"S": str(EXPIRY)}},
    "an expiry with a fraction": ITEM | {"expires_at": {"N": f"{EXPIRY}.5"}},
    "capabilities that are a map": ITEM | {"capabilities": {"M": {}}},
    "capabilities that are not JSON": ITEM | {"capabilities": {"S": "{"}},
    "capabilities that are no object": ITEM | {"capabilities": {"S": "[]"}},
    "a client without a name": ITEM | {"client_name": {"NULL": True}},
}


@pytest.mark.parametrize("name", FOREIGN)
def test_an_item_of_another_shape_is_an_unknown_session(
    store: DynamoDBSessions, shared_table: str, dynamodb: str, name: str
) -> None:
    put_item(dynamodb, shared_table, FOREIGN[name])
    assert store.load(SESSION.id, NOW) is None


def test_another_item_with_the_same_key_is_no_session(
    store: DynamoDBSessions, shared_table: str, dynamodb: str
) -> None:
    put_item(dynamodb, shared_table, ITEM | {"item": {"S": "stream#1"}})
    assert store.load(SESSION.id, NOW) is None


ACTIONS: Final = [OpenSession(SESSION), ExtendSession(SESSION.id, EXPIRY), CloseSession(SESSION.id)]


def test_a_missing_table_is_an_unavailable_store(table: str) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        DynamoDBSessions(f"not-{table}").load(SESSION.id, NOW)
    assert "ResourceNotFoundException" in str(caught.value.__cause__)
    assert table not in caught.value.message


@pytest.fixture
def store_that_is_down(monkeypatch: pytest.MonkeyPatch) -> DynamoDBSessions:
    use_dynamodb(monkeypatch, f"http://127.0.0.1:{closed_port()}")
    return DynamoDBSessions("sessions")


@pytest.mark.parametrize("action", ACTIONS)
def test_a_write_to_an_unreachable_store_fails(
    store_that_is_down: DynamoDBSessions, action: StoreAction
) -> None:
    with pytest.raises(StoreUnavailable):
        store_that_is_down.apply(action, NOW)


def test_an_invalid_session_id_causes_no_request(
    store_that_is_down: DynamoDBSessions,
) -> None:
    assert store_that_is_down.load(SessionId("no id\n"), NOW) is None
