"""A server over lines of JSON on stdin and stdout (spec basic/transports, "stdio").

One process serves one client. Requests whose handlers may take long run beside the reading of further lines,
so that a request can be cancelled, and a question to the client answered, while others run.
"""

import os
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from typing import BinaryIO, Final, assert_never

from mcpcore import BuiltServer, Engine, MemorySessions, RequestEnvironment, SessionId
from mcpcore.engine.dispatch import may_ask
from mcpcore.protocol.errors import StreamNotFound
from mcpcore.protocol.jsonrpc import Message, Notification, Request, RequestId, Response, read_id
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from mcpcore.request.admitted import Admitted, AnswerTo, Resume
from mcpcore.request.messages import admit_message, decode_message, encode_messages
from mcpcore.request.outcome import Failed, Outcome, SessionEvent, Stream, failure
from mcpcore.sessions.ids import ExchangeId, parse_event_id
from mcpcore_aws.timeouts import run_within

__all__ = ["StdioConnection", "exclusive_stdout", "serve"]

_SESSION_TTL_SECONDS: Final = 10 * 365 * 24 * 3600  # the session ends with the process

_STDOUT, _STDERR = 1, 2

# Besides the methods that may ask, these call functions of the server, which may take long.
_CALL_FUNCTIONS: Final = frozenset({"completion/complete", "resources/list"})

# Both sides can send at any time, so every version can be asked and gets the rest of an answer.
_RESUMABLE: Final = frozenset(HANDSHAKE_VERSIONS)


class StdioConnection:
    """The connection of one client: its session, and the requests that it has cancelled."""

    def __init__(self, server: BuiltServer) -> None:
        self._engine = Engine(server, MemorySessions())
        self._session_id: SessionId | None = None
        self._state_secret = secrets.token_bytes(32)
        self._cancelled: set[RequestId] = set()
        self._request_ids: dict[ExchangeId, RequestId] = {}

    def answers(self, message: Message | Outcome) -> Iterator[bytes]:
        """The lines that answer `message`, without line feeds; none for a notification.

        Call it in the order of the messages. The lines of several requests may be read in parallel threads.
        """
        if isinstance(message, Request):
            self._cancelled.discard(message.id)  # an earlier request of the same id has ended
        elif isinstance(message, Notification):
            self._take(message)
            return iter(())
        return self._lines(message)

    def _lines(self, message: Request | Response | Outcome) -> Iterator[bytes]:
        match message:
            case Outcome():
                yield from _encoded(message)
            case Request(request_id):
                outcome = self._answer(self._admit(message))
                self._remember(outcome, request_id)
                yield from self._encoded_unless_cancelled(outcome, request_id)
                yield from self._continued(outcome, request_id)
            case Response():
                yield from self._resumed_by(message)
            case never:
                assert_never(never)

    def _take(self, notification: Notification) -> None:
        request_id = read_id(notification.params.get("requestId"))
        if notification.method == "notifications/cancelled" and request_id is not None:
            self._cancelled.add(request_id)
        self._answer(self._admit(notification))

    def _resumed_by(self, response: Response) -> Iterator[bytes]:
        """Record the client's answer, and continue its request if nothing else is asked."""
        admitted = self._admit(response)
        if not isinstance(admitted, AnswerTo):
            return
        recorded = self._answer(admitted)
        request_id = self._request_ids.get(admitted.exchange_id)
        if request_id is not None and not isinstance(recorded.reply, Failed):
            yield from self._resume(admitted.exchange_id, request_id)

    def _resume(self, exchange_id: ExchangeId, request_id: RequestId) -> Iterator[bytes]:
        if self._session_id is None:
            return
        outcome = self._answer(Resume(self._session_id, exchange_id, None, _RESUMABLE))
        match outcome.reply:
            case Failed(_, StreamNotFound()):
                return  # another thread has finished the request, or it was cancelled
            case Failed(_, error):
                outcome = failure(request_id, error, outcome.record)
            case Stream(_, None):
                self._request_ids.pop(exchange_id, None)
        yield from self._encoded_unless_cancelled(outcome, request_id)
        yield from self._continued(outcome, request_id)

    def _continued(self, outcome: Outcome, request_id: RequestId) -> Iterator[bytes]:
        """The rest of a request that asked nothing and only let the client come back."""
        if isinstance(outcome.reply, Stream) and outcome.reply.ready:
            yield from self._resume(_exchange_of(outcome.reply), request_id)

    def _remember(self, outcome: Outcome, request_id: RequestId) -> None:
        if outcome.record.session_event is SessionEvent.OPENED:
            self._session_id = outcome.record.session_id
        if isinstance(outcome.reply, Stream):
            self._request_ids[_exchange_of(outcome.reply)] = request_id

    def _encoded_unless_cancelled(self, outcome: Outcome, request_id: RequestId) -> Iterator[bytes]:
        if request_id not in self._cancelled:
            yield from _encoded(outcome)

    def _admit(self, message: Message) -> Admitted | Outcome:
        return admit_message(message, self._session_id, _RESUMABLE)

    def _answer(self, admitted: Admitted | Outcome) -> Outcome:
        if isinstance(admitted, Outcome):
            return admitted
        environment = RequestEnvironment(
            time.time(),
            _new_session_id,
            _SESSION_TTL_SECONDS,
            run=run_within,
            state_secrets=lambda: (self._state_secret,),
            cancelled=self._cancelled.__contains__,
        )
        return self._engine.answer(admitted, environment)


@contextmanager
def exclusive_stdout() -> Iterator[BinaryIO]:
    """The process's stdout, for messages alone: what else is written to it reaches stderr.

    The file descriptor itself is replaced: programs that a tool starts inherit it.
    """
    printed = sys.stdout
    printed.flush()
    with os.fdopen(os.dup(_STDOUT), "wb") as stdout:
        os.dup2(_STDERR, _STDOUT)
        try:
            yield stdout
        finally:
            printed.flush()
            os.dup2(stdout.fileno(), _STDOUT)


def serve(server: BuiltServer, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of `lines` until it closes. Whatever else is printed meanwhile goes to stderr."""
    connection, writing = StdioConnection(server), threading.Lock()

    def write(found: Iterator[bytes]) -> None:
        for line in found:
            with writing:
                answers.write(line + b"\n")
                answers.flush()

    with redirect_stdout(sys.stderr), ThreadPoolExecutor() as pool:
        for line in filter(bytes.strip, lines):
            message = decode_message(line)
            found = connection.answers(message)
            if _may_take_long(message):
                pool.submit(write, found)
            else:
                write(found)


def _may_take_long(message: Message | Outcome) -> bool:
    if isinstance(message, Request):
        return may_ask(message.method) or message.method in _CALL_FUNCTIONS
    return isinstance(message, Response)


def _exchange_of(stream: Stream) -> ExchangeId:
    exchange_id, _position = parse_event_id(stream.events[-1].id) or (ExchangeId(""), 0)
    return exchange_id


def _encoded(outcome: Outcome) -> Iterator[bytes]:
    record = outcome.record
    if record.reason:
        print(f"{record.method} {record.tool}: {record.reason}", file=sys.stderr)
    if record.cause is not None:
        traceback.print_exception(record.cause)
    return encode_messages(outcome)


def _new_session_id() -> SessionId:
    return SessionId(secrets.token_urlsafe())
