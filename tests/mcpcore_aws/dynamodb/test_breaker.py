"""The circuit breaker: when calls are refused, and how they are admitted again."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from mcpcore import StoreUnavailable
from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from mcpcore_aws.dynamodb.breaker import Breaker
from mcpcore_aws.errors import CircuitOpen, ConditionFailed, ServiceError, Unreachable
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.dynamodb import account_at
from tests.support.dynamodb_client import KEY
from tests.support.scripted import Scripted, answer, failure, scripted
from tests.support.store_suite import NOW, SESSION

FAILURES: Final = 3
OPEN_SECONDS: Final = 5


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = float(NOW)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock)


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.failed(Unreachable("no route"))


def test_it_opens_after_three_failures_in_a_row(breaker: Breaker) -> None:
    fail(breaker, FAILURES - 1)
    breaker.succeeded()
    fail(breaker, FAILURES - 1)
    assert not breaker.admit()
    fail(breaker, 1)
    with pytest.raises(CircuitOpen, match="Unreachable: no route") as caught:
        breaker.admit()
    assert caught.value.retry_after_seconds == OPEN_SECONDS


def test_after_five_seconds_one_caller_may_try_and_a_success_closes_it(
    breaker: Breaker, clock: Clock
) -> None:
    fail(breaker, FAILURES)
    clock.now += OPEN_SECONDS
    start = threading.Barrier(8, timeout=10)

    def admitted(_: int) -> bool:
        start.wait()
        try:
            return breaker.admit()
        except CircuitOpen:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(admitted, range(8))) == [False] * 7 + [True]
    breaker.succeeded()
    assert not breaker.admit()


def test_a_probe_that_fails_or_never_ends_opens_it_for_five_more_seconds(
    breaker: Breaker, clock: Clock
) -> None:
    fail(breaker, FAILURES)
    for failures in (1, 0):
        clock.now += OPEN_SECONDS
        assert breaker.admit()
        fail(breaker, failures)
        clock.now += OPEN_SECONDS - 0.5
        with pytest.raises(CircuitOpen) as caught:
            breaker.admit()
        assert caught.value.retry_after_seconds == 1
        clock.now += 0.5 - OPEN_SECONDS


def test_a_clock_that_is_put_back_does_not_keep_it_open(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, FAILURES)
    clock.now -= 3600
    assert breaker.admit()


# In the client


@pytest.fixture
def down() -> Iterator[Scripted]:
    with scripted(*[failure("InternalServerError", 500)] * 10, answer({})) as server:
        yield server


def test_a_store_that_is_down_is_not_called_until_a_single_probe(down: Scripted, clock: Clock) -> None:
    client = DynamoDB(account_at(down.endpoint), clock=clock, sleep=lambda _: None)
    store = DynamoDBSessions("sessions", client)
    for _ in range(FAILURES):
        with pytest.raises(StoreUnavailable):
            store.load(SESSION.id, NOW)
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        store.load(SESSION.id, NOW)
    assert (caught.value.retry_after_seconds, len(down.asked)) == (OPEN_SECONDS, 9)
    assert time.monotonic() - started < 0.1
    clock.now += OPEN_SECONDS
    with pytest.raises(StoreUnavailable):
        store.load(SESSION.id, NOW)
    clock.now += OPEN_SECONDS
    assert store.load(SESSION.id, NOW) is None
    assert store.load(SESSION.id, NOW) is None
    assert len(down.asked) == 12
    store.close()


@pytest.mark.parametrize("code", ["AccessDeniedException", "ConditionalCheckFailedException"])
def test_an_answer_that_no_retry_can_change_does_not_open_it(code: str) -> None:
    with scripted(failure(code)) as server:
        client = DynamoDB(account_at(server.endpoint), retry_policy=RetryPolicy(attempts=1))
        for _ in range(FAILURES + 1):
            with pytest.raises((ServiceError, ConditionFailed)):
                client.call("GetItem", KEY)
        client.close()
    assert len(server.asked) == FAILURES + 1
