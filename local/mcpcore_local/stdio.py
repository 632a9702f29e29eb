"""A server over lines of JSON on stdin and stdout (spec basic/transports, "stdio").

One process serves one client. What may take long runs beside the reading of further lines, so that a request
can be cancelled, and a question to the client be answered, while others are at work.
"""

import secrets
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from typing import BinaryIO, Final, assert_never

from mcpcore import BuiltServer, McpError, MemorySessions, RequestEnvironment, SessionId
from mcpcore.engine.dispatch import answer_legacy, answer_modern
from mcpcore.engine.resumption import due, rerun, take_answer
from mcpcore.engine.suspension import INTERRUPTIBLE, parse_question_id
from mcpcore.protocol.error_map import encoded
from mcpcore.protocol.errors import UnexpectedError
from mcpcore.protocol.jsonrpc import (
    DecodeError,
    Message,
    NoId,
    Notification,
    Request,
    RequestId,
    Response,
    decode,
    result_bytes,
)
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, Era
from mcpcore.request.envelope import claims_modern, read_metadata, require_spoken
from mcpcore.request.outcome import Completed, Failed, NoReply, Outcome, RequestRecord, Stream
from mcpcore.sessions.store import CreateExchange, Exchange, ExchangeId, OpenSession, Session, UpdateExchange
from mcpcore_aws.timeouts import run_within

__all__ = ["Conversation", "heard", "serve"]

_SECONDS_OF_A_SESSION: Final = 10 * 365 * 24 * 3600  # it ends with the process


class Conversation:
    """One client's messages, and what is remembered between them; several threads may answer at once."""

    def __init__(self, server: BuiltServer) -> None:
        self._server = server
        self._sessions = MemorySessions()
        self._session_id: SessionId | None = None
        self._state_key = secrets.token_bytes(32)
        self._cancelled: set[RequestId | NoId] = set()
        self._storing = threading.Lock()

    def answers(self, message: Message | Outcome) -> Iterator[bytes]:
        """The lines that answer `message`, without their line feeds; none for a notification.

        Call it in the order of the messages; the lines may be asked for beside each other.
        """
        if isinstance(message, Request):
            self._cancelled.discard(message.id)  # whatever was cancelled under this id has ended
        elif isinstance(message, Notification):
            self._take(message)
            return iter(())
        return self._perform(message)

    def _perform(self, message: Request | Response | Outcome) -> Iterator[bytes]:
        request_id: RequestId | NoId = NoId.ABSENT
        try:
            match message:
                case Outcome():
                    outcome: Outcome | None = message
                case Request(request_id, _, params):
                    outcome = self._modern(message) if claims_modern(params) else self._legacy(message)
                case Response():
                    request_id, exchange_id = self._taken(message)
                    outcome = None if exchange_id is None else self._gone_on(exchange_id)
                case never:
                    assert_never(never)
            while outcome is not None and request_id not in self._cancelled:
                yield from _lines(outcome)
                outcome = self._rest(outcome)
        except Exception as cause:  # whatever it is, the client gets an answer and stderr the story
            yield from _lines(
                Outcome(Failed(request_id, UnexpectedError()), RequestRecord("fault", cause=cause))
            )

    def _take(self, notification: Notification) -> None:
        request_id = notification.params.get("requestId")
        cancels = notification.method == "notifications/cancelled" and not isinstance(request_id, bool)
        if cancels and isinstance(request_id, str | int):
            self._cancelled.add(request_id)
        if not claims_modern(notification.params):
            self._legacy(notification)

    def _legacy(self, message: Request | Notification) -> Outcome:
        environment = self._given(message.id if isinstance(message, Request) else None)
        session_id = self._session_id
        session = None if session_id is None else self._sessions.load(session_id, environment.now)
        outcome = answer_legacy(
            self._server, message, session_id=session_id, session=session, environment=environment
        )
        for action in outcome.actions:
            if isinstance(action, OpenSession):
                self._session_id = action.session.id
        self._keep(outcome, environment)
        return outcome

    def _modern(self, request: Request) -> Outcome:
        try:
            envelope = read_metadata(request.params)
            require_spoken(envelope.version)
        except McpError as error:
            return Outcome(
                Failed(request.id, error), RequestRecord("refusal", Era.MODERN, method=request.method)
            )
        return answer_modern(self._server, request, envelope, self._given(request.id))

    def _taken(self, response: Response) -> tuple[RequestId | NoId, ExchangeId | None]:
        """The request whose question `response` answers, and its exchange; the answer is recorded."""
        environment, asked = self._given(None), parse_question_id(response.id)
        if asked is None:
            return NoId.ABSENT, None
        exchange_id, key = asked
        with self._storing:
            session, exchange = self._load(exchange_id, environment.now)
            self._sessions.apply(
                take_answer(response, key, session, exchange, environment).actions, environment.now
            )
        return (NoId.ABSENT, None) if exchange is None else (exchange.request_id, exchange_id)

    def _rest(self, outcome: Outcome) -> Outcome | None:
        """What follows at once on a run that has only let the client come back: nobody has to come here."""
        for action in outcome.actions:
            if isinstance(action, CreateExchange | UpdateExchange) and due(action.exchange):
                return self._gone_on(action.exchange.id)
        return None

    def _gone_on(self, exchange_id: ExchangeId) -> Outcome | None:
        """The next run of an exchange; None while it waits, is over, or is another thread's."""
        environment = self._given(None)
        with self._storing:
            session, exchange = self._load(exchange_id, environment.now)
            if session is None or exchange is None or not due(exchange):
                return None
            if not self._sessions.claim(exchange, now=environment.now, until=environment.deadline):
                return None
        environment = self._given(exchange.request_id)
        outcome = rerun(self._server, session, exchange, len(exchange.events), environment)
        self._keep(outcome, environment)
        return outcome

    def _load(self, exchange_id: ExchangeId, now: float) -> tuple[Session | None, Exchange | None]:
        if self._session_id is None:
            return None, None
        return (
            self._sessions.load(self._session_id, now),
            self._sessions.load_exchange(self._session_id, exchange_id, now),
        )

    def _keep(self, outcome: Outcome, environment: RequestEnvironment) -> None:
        with self._storing:
            self._sessions.apply(outcome.actions, environment.now)

    def _given(self, request_id: RequestId | None) -> RequestEnvironment:
        return RequestEnvironment(
            time.time(),
            _new_session_id,
            _SECONDS_OF_A_SESSION,
            run=run_within,
            state_keys=(self._state_key,),
            resumable=frozenset(HANDSHAKE_VERSIONS),
            cancelled=lambda: request_id in self._cancelled,
        )


def heard(line: bytes) -> Message | Outcome:
    """The message in `line`, or how it is refused."""
    try:
        return decode(line)
    except DecodeError as refusal:
        era = Era.MODERN if claims_modern(refusal.params) else None
        return Outcome(Failed(refusal.request_id, refusal.error), RequestRecord("refusal", era))


def serve(server: BuiltServer, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of `lines` until it closes. Whatever else is printed meanwhile goes to stderr."""
    conversation, writing = Conversation(server), threading.Lock()

    def write(found: Iterator[bytes]) -> None:
        for line in found:
            with writing:
                answers.write(line + b"\n")
                answers.flush()

    with redirect_stdout(sys.stderr), ThreadPoolExecutor() as beside:
        for line in filter(bytes.strip, lines):
            message = heard(line)
            found = conversation.answers(message)
            if _may_take_long(message):
                beside.submit(write, found)
            else:
                write(found)


def _may_take_long(message: Message | Outcome) -> bool:
    return isinstance(message, Response) or (isinstance(message, Request) and message.method in INTERRUPTIBLE)


def _lines(outcome: Outcome) -> Iterator[bytes]:
    record, reply = outcome.record, outcome.reply
    if record.cause is not None:
        print(f"{record.method} {record.tool}: {record.cause!r}", file=sys.stderr)
    match reply:
        case Completed(request_id, result, notifications):
            yield from notifications
            yield result_bytes(request_id, result)
        case Stream(events):
            yield from (event.data.encode("ascii") for event in events if event.data)
        case Failed(request_id, error):
            yield encoded(error, request_id, record.era)
        case NoReply():
            pass
        case never:
            assert_never(never)


def _new_session_id() -> SessionId:
    return SessionId(secrets.token_urlsafe())
