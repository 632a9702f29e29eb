"""Any sequence of changes of sessions and exchanges, in memory and in DynamoDB behind a network that errs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from mcpcore import MemorySessions, SessionId, SessionStore, StoreUnavailable
from mcpcore.sessions.session import Exchange, Session
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
from tests.properties.subject import examples
from tests.support.dynamodb import account_at, fresh_table, use_dynamodb
from tests.support.faults import Fault, Proxy, doubled, faulty, late, lost, passed, reply_lost
from tests.support.store_suite import EXCHANGE, NOW, SESSION

TTL_SECONDS = 600
CLAIM_SECONDS = 30
KEYS = ("first", "second")

BACK = st.sampled_from([0, 0, 0, 1])

# Fewer than the client has attempts: the write succeeds in the end.
FEW = st.lists(st.sampled_from([lost, reply_lost, late, doubled]), max_size=2)


class Named(NamedTuple):
    """What distinguishes an exchange: all of them have the same id, as of a client that uses it again."""

    session: SessionId
    created_at: float


class Stores(RuleBasedStateMachine):
    """The same changes in both stores; those in DynamoDB are lost, doubled and delayed on their way.

    A rule takes the last session or exchange, or one before it: most sequences are about few of them.
    """

    proxy: ClassVar[Proxy]
    table: ClassVar[str]
    numbers: ClassVar[Iterator[int]] = iter(range(1_000_000))

    def __init__(self) -> None:
        super().__init__()
        self.now = float(NOW)
        self.memory = MemorySessions()
        self.client = DynamoDB(account_at(self.proxy.endpoint), sleep=lambda _: None)
        self.stored = DynamoDBSessions(self.table, self.client)
        self.sessions: list[SessionId] = []
        self.closed: set[SessionId] = set()
        self.answered: dict[Named, dict[str, int]] = {}
        self.saved: set[tuple[Named, int]] = set()
        self.open([late])
        self.ask(0, [late])

    def teardown(self) -> None:
        self.release()
        self.client.close()

    def both(self, change: Callable[[SessionStore], Any], faults: Sequence[Fault] = ()) -> Any:
        """The result of a change, the same from both stores; requests of a client come one after another."""
        self.now += 0.01
        expected = change(self.memory)
        self.proxy.faults.extend(faults)
        found = change(self.stored)
        self.proxy.faults.clear()
        assert found == expected
        return expected

    def apply(self, action: StoreAction, faults: Sequence[Fault]) -> None:
        self.both(lambda store: store.apply(action, self.now), faults)

    def loaded(self, named: Named) -> Exchange | None:
        """The exchange as a request finds it, with every answer that was recorded; None if it is another."""
        if self.both(partial(self.load, named.session)) is None:
            return None
        found: Exchange | None = self.both(
            lambda store: store.load_exchange(named.session, EXCHANGE.id, self.now)
        )
        if found is None or found.created_at != named.created_at:
            return None
        assert found.answers == self.answered[named]
        return found

    def load(self, session: SessionId, store: SessionStore) -> Session | None:
        return store.load(session, self.now)

    def named(self, back: int) -> Named:
        return list(self.answered)[-1 - min(back, len(self.answered) - 1)]

    def waiting(self, back: int) -> tuple[Named, Exchange]:
        """An exchange that waits for answers, a new one if that is over."""
        found = self.loaded(self.named(back))
        if found is not None and not found.finished:
            return self.named(back), found
        self.open([])
        self.ask(0, [])
        found = self.loaded(self.named(0))
        assert found is not None
        return self.named(0), found

    def session(self, back: int) -> SessionId:
        return self.sessions[-1 - min(back, len(self.sessions) - 1)]

    @rule(faults=FEW)
    def open(self, faults: list[Fault]) -> None:
        session = SessionId(f"session-{next(self.numbers)}")
        self.sessions.append(session)
        expires_at = int(self.now) + TTL_SECONDS
        self.apply(OpenSession(SESSION._replace(id=session, expires_at=expires_at)), faults)

    @rule(back=BACK, level=st.sampled_from(["debug", "info", None]), faults=FEW)
    def change(self, back: int, level: str | None, faults: list[Fault]) -> None:
        """Set a log level, or extend the session."""
        session = self.session(back)
        extension = ExtendSession(session, int(self.now) + TTL_SECONDS)
        self.apply(SetLogLevel(session, level) if level else extension, faults)

    @rule(back=BACK, faults=FEW)
    def close(self, back: int, faults: list[Fault]) -> None:
        self.apply(CloseSession(self.session(back)), faults)
        self.closed.add(self.session(back))
        self.open([])

    @rule(back=BACK, faults=FEW)
    def ask(self, back: int, faults: list[Fault]) -> None:
        named = Named(self.session(back), int(self.now * 1000 + 10) / 1000)
        created = EXCHANGE._replace(
            session_id=named.session,
            asked=KEYS[:1],
            created_at=named.created_at,
            expires_at=int(self.now) + TTL_SECONDS,
        )
        self.answered[named] = {}
        self.apply(CreateExchange(created), faults)

    @rule(back=BACK, again=st.booleans(), faults=FEW)
    def answer(self, back: int, again: bool, faults: list[Fault]) -> None:
        """Answer the next question, or one that has an answer."""
        named, found = self.waiting(back)
        key = found.asked[0 if again else -1]
        answer = next(self.numbers)
        self.apply(
            RecordAnswer(named.session, EXCHANGE.id, named.created_at, key, answer, refused=False), faults
        )
        self.answered[named].setdefault(key, answer)

    @rule(back=BACK, saves=st.booleans(), faults=FEW, more=FEW)
    def run(self, back: int, saves: bool, faults: list[Fault], more: list[Fault]) -> None:
        """Run the handler of an exchange that is ready; without saving, its process ends before."""
        named, found = self.waiting(back)
        if not found.ready():
            self.answer(back, False, [])
            named, found = self.waiting(back)
        until = self.now + CLAIM_SECONDS
        if not self.both(lambda store: store.claim(found, now=self.now, until=until), faults):
            return
        assert (named, found.round) not in self.saved
        if saves:
            asked, last = KEYS[: found.round + 1], found.round == len(KEYS)
            after = found._replace(asked=asked, round=found.round + 1, finished=last)
            self.apply(UpdateExchange(after), more)
            self.saved.add((named, found.round))

    @rule(back=BACK, faults=FEW)
    def cancel(self, back: int, faults: list[Fault]) -> None:
        self.apply(DeleteExchange(self.named(back).session, EXCHANGE.id), faults)

    @rule(back=BACK, fault=st.sampled_from([lost, reply_lost, late]))
    def fail(self, back: int, fault: Fault) -> None:
        """A write that fails in every attempt is made again by the client's next request."""
        action = ExtendSession(self.session(back), int(self.now) + TTL_SECONDS)
        self.proxy.always = fault
        with pytest.raises(StoreUnavailable):
            self.stored.apply(action, self.now)
        self.proxy.always = passed
        self.apply(action, [])

    @rule()
    def release(self) -> None:
        """The late requests arrive, and nothing changes by them."""
        self.proxy.release()
        for session in self.sessions:
            found = self.both(partial(self.load, session))
            assert found is None or session not in self.closed
        for named in self.answered:
            self.loaded(named)

    @rule(seconds=st.sampled_from([1, CLAIM_SECONDS, TTL_SECONDS / 2]))
    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(scope="module", autouse=True)
def _stores(dynamodb: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, faulty(dynamodb) as proxy:
        use_dynamodb(patch, dynamodb)
        Stores.proxy, Stores.table = proxy, fresh_table(dynamodb)
        yield


TestStores = Stores.TestCase
TestStores.settings = settings(max_examples=examples(25), stateful_step_count=30)
