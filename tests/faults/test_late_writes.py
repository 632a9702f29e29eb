"""Writes that arrive again after later ones: each row of the table in docs/dynamodb.md."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import pytest

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
from mcpcore_aws.dynamodb import DynamoDB
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.dynamodb import account_at, empty_table, items_of
from tests.support.faults import Proxy, faulty, late, reply_lost
from tests.support.store_suite import EXCHANGE, EXPIRY, NOW, SESSION

Change = Callable[[DynamoDBSessions], object]


def applied(action: StoreAction, now: float = NOW) -> Change:
    return lambda store: store.apply(action, now)


def recorded(key: str, answer: str) -> Change:
    return applied(RecordAnswer(SESSION.id, EXCHANGE.id, NOW, key, answer, refused=False))


def claimed(now: float = NOW) -> Change:
    return lambda store: store.claim(EXCHANGE, now=now, until=now + 20)


def deleted(now: float) -> Change:
    return applied(DeleteExchange(SESSION.id, EXCHANGE.id), now)


OPENED: Final = applied(OpenSession(SESSION))
CREATED: Final = applied(CreateExchange(EXCHANGE))
AGAIN: Final = EXCHANGE._replace(created_at=NOW + 2.5, params={"another": "request"})
"""The exchange of another request under the same id."""


class Row(NamedTuple):
    """A write, what comes before it, and what comes between its two arrivals."""

    before: list[Change]
    write: Change
    after: list[Change]


ROWS: Final = {
    "a session is opened": Row([], OPENED, [applied(SetLogLevel(SESSION.id, "info"))]),
    "a session is opened that was closed": Row([], OPENED, [applied(CloseSession(SESSION.id), NOW + 1)]),
    "a session is extended": Row(
        [OPENED],
        applied(ExtendSession(SESSION.id, EXPIRY + 10)),
        [applied(ExtendSession(SESSION.id, EXPIRY + 20), NOW + 10)],
    ),
    "a session is extended that was closed": Row(
        [OPENED],
        applied(ExtendSession(SESSION.id, EXPIRY + 10_000)),
        [applied(CloseSession(SESSION.id), NOW + 1)],
    ),
    "a log level is set": Row(
        [OPENED],
        applied(SetLogLevel(SESSION.id, "debug")),
        [applied(SetLogLevel(SESSION.id, "error"), NOW + 0.5)],
    ),
    "a log level is set in a closed session": Row(
        [OPENED], applied(SetLogLevel(SESSION.id, "debug")), [applied(CloseSession(SESSION.id), NOW + 1)]
    ),
    "a session is closed": Row([OPENED], applied(CloseSession(SESSION.id)), []),
    "an exchange is created": Row([], CREATED, [recorded("name", "Ada")]),
    "an exchange is created that was claimed": Row([], CREATED, [claimed()]),
    "an exchange is created that has run": Row(
        [], CREATED, [applied(UpdateExchange(EXCHANGE._replace(round=2)))]
    ),
    "an exchange is created that was replaced": Row([], CREATED, [applied(CreateExchange(AGAIN))]),
    "an exchange is created that was deleted": Row([], CREATED, [deleted(NOW + 1)]),
    "an answer is recorded": Row([CREATED], recorded("name", "Ada"), [recorded("a.b #:c", "x")]),
    "an answer is recorded after the next round": Row(
        [CREATED],
        recorded("name", "Ada"),
        [applied(UpdateExchange(EXCHANGE._replace(answers={"name": "Ada"}, round=2)))],
    ),
    "an answer is recorded after the end": Row([CREATED], recorded("name", "Ada"), [deleted(NOW + 1)]),
    "an answer is recorded in a replaced exchange": Row(
        [CREATED], recorded("name", "Ada"), [applied(CreateExchange(AGAIN))]
    ),
    "a round is claimed": Row([CREATED], claimed(), [recorded("name", "Ada")]),
    "a round is claimed that has ended": Row(
        [CREATED], claimed(), [applied(UpdateExchange(EXCHANGE._replace(round=2)))]
    ),
    "a round is claimed that another has claimed": Row([CREATED], claimed(), [claimed(NOW + 30)]),
    "a round is claimed of a replaced exchange": Row([CREATED], claimed(), [applied(CreateExchange(AGAIN))]),
    "a round is saved": Row(
        [CREATED],
        applied(UpdateExchange(EXCHANGE._replace(round=2))),
        [applied(UpdateExchange(EXCHANGE._replace(round=3)))],
    ),
    "a round is saved of a replaced exchange": Row(
        [CREATED],
        applied(UpdateExchange(EXCHANGE._replace(round=2))),
        [applied(CreateExchange(AGAIN))],
    ),
    "a round is saved of a deleted exchange": Row(
        [CREATED], applied(UpdateExchange(EXCHANGE._replace(round=2))), [deleted(NOW + 1)]
    ),
    "an exchange is deleted": Row([CREATED], deleted(NOW), []),
    "an exchange is deleted that was replaced": Row(
        [CREATED], deleted(NOW + 1), [applied(CreateExchange(AGAIN))]
    ),
}


@pytest.fixture(scope="module")
def proxy(dynamodb: str) -> Iterator[Proxy]:
    with faulty(dynamodb) as running:
        yield running


@pytest.fixture
def store(proxy: Proxy, dynamodb: str, shared_table: str) -> Iterator[DynamoDBSessions]:
    empty_table(dynamodb, shared_table)
    made = DynamoDBSessions(shared_table, DynamoDB(account_at(proxy.endpoint), sleep=lambda _: None))
    yield made
    made.close()


@pytest.mark.parametrize("name", ROWS)
def test_a_write_that_arrives_again_after_later_ones_changes_nothing(
    store: DynamoDBSessions, proxy: Proxy, dynamodb: str, shared_table: str, name: str
) -> None:
    row = ROWS[name]
    for change in row.before:
        change(store)
    proxy.faults.append(late)
    row.write(store)
    for change in row.after:
        change(store)
    expected = items_of(dynamodb, shared_table)
    proxy.release()
    assert items_of(dynamodb, shared_table) == expected


def test_a_claim_whose_reply_was_lost_is_held_by_its_caller(store: DynamoDBSessions, proxy: Proxy) -> None:
    CREATED(store)
    proxy.faults.append(reply_lost)
    assert store.claim(EXCHANGE, now=NOW, until=NOW + 20)
    assert not store.claim(EXCHANGE, now=NOW + 1, until=NOW + 20)
