"""Exchanges in DynamoDB, on moto's server: races, sizes, and an unreachable DynamoDB."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from mcpcore import SessionId, StoreUnavailable
from mcpcore.protocol.errors import TooLargeToStore
from mcpcore.sessions.ids import ExchangeId
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import (
    CreateExchange,
    OpenSession,
    RecordAnswer,
    StoreAction,
    UpdateExchange,
)
from mcpcore_aws.exchange_items import exchange_to_item
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.dynamodb import closed_port, items_of, put_item, recording_server, use_dynamodb
from tests.support.store_suite import EXCHANGE, NOW, SESSION, apply_all

THREADS: Final = 8


def loaded(store: DynamoDBSessions) -> Exchange:
    """The exchange as it is stored now."""
    found = store.load_exchange(SESSION.id, EXCHANGE.id, NOW)
    assert found is not None
    return found


def record(key: str, answer: Any, *, refused: bool = False) -> RecordAnswer:
    return RecordAnswer(SESSION.id, EXCHANGE.id, NOW, key, answer, refused)


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """The results of these functions, started at the same moment, each in its own thread."""
    start = threading.Barrier(len(works), timeout=10)

    def begin(work: Callable[[], Any]) -> Any:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(begin, works))


# Races


def test_of_several_simultaneous_claims_of_a_round_one_succeeds(store: DynamoDBSessions) -> None:
    store.apply(CreateExchange(EXCHANGE), NOW)
    claims = at_once([lambda: store.claim(EXCHANGE, now=NOW, until=NOW + 20)] * THREADS)
    assert sorted(claims) == [False] * (THREADS - 1) + [True]


def test_a_claim_whose_holder_has_died_can_be_taken_by_one(store: DynamoDBSessions) -> None:
    store.apply(CreateExchange(EXCHANGE), NOW)
    assert store.claim(EXCHANGE, now=NOW, until=NOW + 20)
    assert not store.claim(EXCHANGE, now=NOW + 19, until=NOW + 39)
    claims = at_once([lambda: store.claim(EXCHANGE, now=NOW + 20, until=NOW + 40)] * THREADS)
    assert sorted(claims) == [False] * (THREADS - 1) + [True]


def test_answers_recorded_at_once_are_all_stored(store: DynamoDBSessions) -> None:
    keys = [f"key-{number}" for number in range(THREADS)]
    store.apply(CreateExchange(EXCHANGE._replace(asked=tuple(keys))), NOW)
    at_once([lambda key=key: store.apply(record(key, {"said": key}), NOW) for key in keys])  # type: ignore[misc]  # a default to bind it
    assert loaded(store).answers == {key: {"said": key} for key in keys}


def test_of_several_simultaneous_answers_to_a_question_one_is_used(store: DynamoDBSessions) -> None:
    store.apply(CreateExchange(EXCHANGE), NOW)
    answers = [record("name", number, refused=number % 2 == 1) for number in range(THREADS)]
    at_once([lambda answer=answer: store.apply(answer, NOW) for answer in answers])  # type: ignore[misc]  # a default to bind it
    found = loaded(store)
    assert found.answers["name"] in range(THREADS)
    assert found.refused == ({"name"} if found.answers["name"] % 2 else set())
    store.apply(record("name", "late"), NOW)
    assert loaded(store) == found


# Items


def test_an_exchange_is_an_item_of_its_own_beside_its_session(
    store: DynamoDBSessions, shared_table: str, dynamodb: str
) -> None:
    apply_all(store, [OpenSession(SESSION), CreateExchange(EXCHANGE)], NOW)
    assert exchange_to_item(EXCHANGE) in items_of(dynamodb, shared_table)
    assert (store.load(SESSION.id, NOW), loaded(store)) == (SESSION, EXCHANGE)


def test_an_exchange_is_read_as_it_was_last_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with recording_server() as (endpoint, asked):
        use_dynamodb(monkeypatch, endpoint)
        assert DynamoDBSessions("sessions").load_exchange(SESSION.id, EXCHANGE.id, NOW) is None
    key = {"session_id": {"S": SESSION.id}, "item": {"S": f"exchange#{EXCHANGE.id}"}}
    assert asked == [("GetItem", {"TableName": "sessions", "Key": key, "ConsistentRead": True})]


def test_an_item_of_another_shape_is_an_unknown_exchange(
    store: DynamoDBSessions, shared_table: str, dynamodb: str
) -> None:
    put_item(dynamodb, shared_table, exchange_to_item(EXCHANGE) | {"events": {"N": "5"}})
    assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) is None


@pytest.mark.parametrize(
    ("session_id", "exchange_id"),
    [(SESSION.id, ""), (SESSION.id, "a" * 129), (SESSION.id, "a b"), ("", EXCHANGE.id), ("ü", EXCHANGE.id)],
)
def test_an_invalid_id_causes_no_request(
    store_that_is_down: DynamoDBSessions, session_id: str, exchange_id: str
) -> None:
    found = store_that_is_down.load_exchange(SessionId(session_id), ExchangeId(exchange_id), NOW)
    assert found is None


# Sizes: DynamoDB takes items of 400 KB


def test_a_claim_makes_no_item_larger(store: DynamoDBSessions, shared_table: str, dynamodb: str) -> None:
    """An answer may fill the item up to the limit; without a claim its exchange could not go on."""

    def size_of_item() -> int:
        (item,) = (each for each in items_of(dynamodb, shared_table) if EXCHANGE.id in each["item"]["S"])
        return len(json.dumps(item))

    store.apply(CreateExchange(EXCHANGE), NOW)
    unclaimed = size_of_item()
    assert store.claim(EXCHANGE, now=NOW, until=NOW + 20.125)
    assert size_of_item() <= unclaimed


def large(size_bytes: int, text: str = "x") -> Exchange:
    return EXCHANGE._replace(params={"text": text * size_bytes})


@pytest.mark.parametrize("exchange", [large(399_000), large(66_000, "ü"), large(199_000, '"')])
def test_an_exchange_as_large_as_an_item_is_kept(store: DynamoDBSessions, exchange: Exchange) -> None:
    store.apply(CreateExchange(exchange), NOW)
    assert loaded(store) == exchange


@pytest.mark.parametrize("exchange", [large(400_000), large(67_000, "ü"), large(200_000, '"')])
@pytest.mark.parametrize("action", [CreateExchange, UpdateExchange])
def test_a_larger_exchange_is_refused_without_a_retry(
    store: DynamoDBSessions, action: Callable[[Exchange], StoreAction], exchange: Exchange
) -> None:
    store.apply(CreateExchange(EXCHANGE), NOW)
    with pytest.raises(TooLargeToStore, match="at most 400000 bytes can be kept, and this needs 4"):
        store.apply(action(exchange), NOW)
    assert loaded(store) == EXCHANGE


def test_a_session_larger_than_an_item_is_refused_without_a_retry(store: DynamoDBSessions) -> None:
    with pytest.raises(TooLargeToStore):
        store.apply(OpenSession(SESSION._replace(capabilities={"experimental": {"x": "y" * 400_000}})), NOW)
    assert store.load(SESSION.id, NOW) is None


def test_an_answer_that_makes_the_item_too_large_is_refused_without_a_retry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with recording_server(largest_bytes=10_000) as (endpoint, asked):
        use_dynamodb(monkeypatch, endpoint)
        with pytest.raises(TooLargeToStore, match="at most 400000 bytes can be kept, and this needs more"):
            DynamoDBSessions("sessions").apply(record("name", "y" * 20_000), NOW)
    assert [operation for operation, _ in asked] == ["UpdateItem"]


# No DynamoDB


@pytest.fixture
def store_that_is_down(monkeypatch: pytest.MonkeyPatch) -> DynamoDBSessions:
    use_dynamodb(monkeypatch, f"http://127.0.0.1:{closed_port()}")
    return DynamoDBSessions("sessions")


def test_a_load_and_a_claim_from_an_unreachable_store_fail(store_that_is_down: DynamoDBSessions) -> None:
    with pytest.raises(StoreUnavailable):
        store_that_is_down.load_exchange(SESSION.id, EXCHANGE.id, NOW)
    with pytest.raises(StoreUnavailable):
        store_that_is_down.claim(EXCHANGE, now=NOW, until=NOW + 20)
