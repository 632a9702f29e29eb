"""Any sequence of changes of sessions and exchanges, in memory and in DynamoDB behind a network that errs."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, rule

from mcpcore import MemorySessions, SessionId, SessionStore, StoreUnavailable
from mcpcore.sessions.ids import ExchangeId
from mcpcore.sessions.session import Exchange
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

# Fewer than the client has attempts: the write succeeds in the end.
FEW = st.lists(st.sampled_from([lost, reply_lost, late, doubled]), max_size=2)


class Named(NamedTuple):
    """What names an exchange that a client has been told of."""

    session: SessionId
    id: ExchangeId
    created_at: float


class Stores(RuleBasedStateMachine):
    """The same changes in both stores; those in DynamoDB are lost, doubled and delayed on their way."""

    sessions = Bundle("sessions")
    exchanges = Bundle("exchanges")
    proxy: ClassVar[Proxy]
    table: ClassVar[str]
    opened: ClassVar[Iterator[int]] = iter(range(1_000_000))

    def __init__(self) -> None:
        super().__init__()
        self.now = float(NOW)
        self.memory = MemorySessions()
        self.client = DynamoDB(account_at(self.proxy.endpoint), sleep=lambda _: None)
        self.stored = DynamoDBSessions(self.table, self.client)
        self.closed: set[SessionId] = set()
        self.answered: dict[Named, dict[str, Any]] = {}
        self.saved: set[tuple[Named, int]] = set()

    def teardown(self) -> None:
        self.release()
        self.client.close()

    def both(self, change: Callable[[SessionStore], Any], faults: list[Fault]) -> Any:
        """The result of a change, the same from both stores; requests of a client come one after another."""
        self.now += 0.01
        expected = change(self.memory)
        self.proxy.faults.extend(faults)
        found = change(self.stored)
        self.proxy.faults.clear()
        assert found == expected
        return expected

    def apply(self, action: StoreAction, faults: list[Fault]) -> None:
        self.both(lambda store: store.apply(action, self.now), faults)

    def loaded(self, named: Named) -> Exchange | None:
        """The exchange if its session is open, as a request finds it, with every answer that was recorded."""
        if self.both(lambda store: store.load(named.session, self.now), []) is None:
            return None
        found: Exchange | None = self.both(
            lambda store: store.load_exchange(named.session, named.id, self.now), []
        )
        if found is not None and found.created_at == named.created_at:
            assert found.answers == self.answered[named]
        return found

    @initialize(target=sessions)
    def open_one(self) -> SessionId:
        return self.open([late])

    @rule(target=sessions, faults=FEW)
    def open(self, faults: list[Fault]) -> SessionId:
        session = SessionId(f"session-{next(self.opened)}")
        expires_at = int(self.now) + TTL_SECONDS
        created = SESSION._replace(id=session, created_at=int(self.now), expires_at=expires_at)
        self.apply(OpenSession(created), faults)
        return session

    @rule(session=sessions, level=st.sampled_from(["debug", "info", "error"]), faults=FEW)
    def set_level(self, session: SessionId, level: str, faults: list[Fault]) -> None:
        self.apply(SetLogLevel(session, level), faults)

    @rule(session=sessions, faults=FEW)
    def extend(self, session: SessionId, faults: list[Fault]) -> None:
        self.apply(ExtendSession(session, int(self.now) + TTL_SECONDS), faults)

    @rule(session=consumes(sessions), faults=FEW)
    def close(self, session: SessionId, faults: list[Fault]) -> None:
        self.apply(CloseSession(session), faults)
        self.closed.add(session)

    @rule(target=exchanges, session=sessions, name=st.sampled_from("ab"), faults=FEW)
    def ask(self, session: SessionId, name: str, faults: list[Fault]) -> Named:
        named = Named(session, ExchangeId(name), int(self.now * 1000 + 10) / 1000)
        created = EXCHANGE._replace(
            session_id=session,
            id=named.id,
            asked=KEYS[:1],
            created_at=named.created_at,
            expires_at=int(self.now) + TTL_SECONDS,
        )
        self.answered[named] = {}
        self.apply(CreateExchange(created), faults)
        return named

    @rule(named=exchanges, key=st.sampled_from(KEYS), answer=st.integers(), faults=FEW)
    def answer(self, named: Named, key: str, answer: int, faults: list[Fault]) -> None:
        found = self.loaded(named)
        if found is None or found.created_at != named.created_at or key not in found.asked:
            return
        self.apply(RecordAnswer(named.session, named.id, key, answer, refused=False), faults)
        self.answered[named].setdefault(key, answer)

    @rule(named=exchanges, saves=st.booleans(), faults=FEW, more=FEW)
    def run(self, named: Named, saves: bool, faults: list[Fault], more: list[Fault]) -> None:
        found = self.loaded(named)
        if found is None or found.created_at != named.created_at or not found.ready():
            return
        until = self.now + CLAIM_SECONDS
        if not self.both(lambda store: store.claim(found, now=self.now, until=until), faults):
            return
        assert (named, found.round) not in self.saved
        if saves:  # else the process ends here
            after = found._replace(asked=KEYS[: found.round + 1], round=found.round + 1)
            self.apply(UpdateExchange(after._replace(finished=found.round == len(KEYS))), more)
            self.saved.add((named, found.round))

    @rule(named=exchanges, faults=FEW)
    def cancel(self, named: Named, faults: list[Fault]) -> None:
        self.apply(DeleteExchange(named.session, named.id), faults)

    @rule(session=sessions, fault=st.sampled_from([lost, reply_lost, late]))
    def fail(self, session: SessionId, fault: Fault) -> None:
        """A write that fails in every attempt is made again by the client's next request."""
        action = ExtendSession(session, int(self.now) + TTL_SECONDS)
        self.proxy.always = fault
        with pytest.raises(StoreUnavailable):
            self.stored.apply(action, self.now)
        self.proxy.always = passed
        self.apply(action, [])

    @rule()
    def release(self) -> None:
        """The late requests arrive, and nothing changes by them."""
        self.proxy.release()
        for session in self.closed:
            assert self.both(lambda store, id_=session: store.load(id_, self.now), []) is None
        for named in self.answered:
            self.loaded(named)

    @rule(seconds=st.sampled_from([1, 1, CLAIM_SECONDS, CLAIM_SECONDS, TTL_SECONDS / 2]))
    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(scope="module", autouse=True)
def _stores(dynamodb: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, faulty(dynamodb) as proxy:
        use_dynamodb(patch, dynamodb)
        Stores.proxy, Stores.table = proxy, fresh_table(dynamodb)
        yield


TestStores = Stores.TestCase
TestStores.settings = settings(max_examples=examples(40), stateful_step_count=25)
