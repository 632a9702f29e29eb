"""The legacy era's way to ask: an exchange is stored, and its answer is a stream that the client resumes.

Spec 2025-11-25, basic/transports, "Resumability and Redelivery".
"""

import hmac
import json
import math
from collections.abc import Mapping
from typing import Final

from mcpcore.protocol import base64url
from mcpcore.protocol.jsonrpc import Request, RequestId, encode
from mcpcore.questions.question import Question, to_request
from mcpcore.questions.replay import ReplayState
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import Event, Stream
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.ids import ExchangeId, SessionId, event_id_of, question_id_of
from mcpcore.sessions.session import Exchange, Session

__all__ = [
    "advanced",
    "exchange_id_of",
    "finished",
    "last_event",
    "new_exchange",
    "replay_from_exchange",
    "stream_after",
]

_PROGRESS: Final = "notifications/progress"
_EXCHANGE_TTL_SECONDS: Final = 900
_ID_BYTES: Final = 18

# The time after which a client resumes: short at first, since a model answers in a second or two; longer
# later, since a person may think for minutes.
_FIRST_RETRY_MS: Final = 500
_LAST_RETRY_MS: Final = 4_000
_LAST_RETRY_AFTER_SECONDS: Final = 30


def exchange_id_of(
    session_id: SessionId, request_id: RequestId, environment: RequestEnvironment
) -> ExchangeId:
    """The id of a request's exchange, derived with the state key: no other client can guess it.

    Raises:
        InternalError: no key is configured.
    """
    name = encode([session_id, request_id])
    return ExchangeId(base64url.encode(hmac.digest(environment.sealing_key(), name, "sha256")[:_ID_BYTES]))


def replay_from_exchange(exchange: Exchange) -> ReplayState:
    """What an exchange brings to its next run."""
    return ReplayState(exchange.answers, exchange.refused, exchange.saved)


def new_exchange(request: Request, session: Session, environment: RequestEnvironment) -> Exchange:
    """The exchange of `request` before its first run."""
    return Exchange(
        id=exchange_id_of(session.id, request.id, environment),
        session_id=session.id,
        request_id=request.id,
        method=request.method,
        params=request.params,
        asked=(),
        answers={},
        refused=frozenset(),
        saved={},
        events=(),
        notified=0,
        round=0,
        finished=False,
        created_at=int(environment.now * 1000) / 1000,
        expires_at=int(environment.now) + _EXCHANGE_TTL_SECONDS,
    )


def advanced(exchange: Exchange, questions: Mapping[str, Question], run: HandlerRun) -> Exchange:
    """`exchange` after a run that asked `questions`, with the run's new messages as events."""
    requests = [_question_request(exchange, key, question, run) for key, question in questions.items()]
    return exchange._replace(
        asked=tuple(questions),
        saved=dict(run.saved),
        events=(*exchange.events, *_new_notifications(exchange, run), *requests),
        notified=max(exchange.notified, len(run.notifications)),
        round=exchange.round + 1,
    )


def finished(exchange: Exchange, run: HandlerRun, response: bytes) -> Exchange:
    """`exchange` after its last run, which ended with `response`."""
    last = (*_new_notifications(exchange, run), response.decode("ascii"))
    return exchange._replace(
        asked=(), events=(*exchange.events, *last), round=exchange.round + 1, finished=True
    )


def stream_after(exchange: Exchange, position: int, now: float) -> Stream:
    """The events of `exchange` after the first `position`, and when to resume if more will follow.

    A first event without data makes the stream resumable even if nothing follows yet.
    """
    marker = event_id_of(exchange.id, position)
    # Each later poll needs an event id of its own, or clients ignore the event.
    first = Event(marker if position == 0 else f"{marker}.{int(now * 1000)}", "")
    events = tuple(
        Event(event_id_of(exchange.id, place), data)
        for place, data in enumerate(exchange.events[position:], start=position + 1)
    )
    if exchange.finished:
        return Stream(events, None)
    return Stream((first, *events), _retry_ms(now - exchange.created_at), exchange.ready())


def last_event(exchange: Exchange, response: bytes) -> Stream:
    """`response` as the last event of an exchange that is not stored, under an unused event id."""
    event_id = event_id_of(exchange.id, len(exchange.events) + 1)
    return Stream((Event(event_id, response.decode("ascii")),), None)


def _new_notifications(exchange: Exchange, run: HandlerRun) -> list[str]:
    """The notifications of `run` that earlier runs have not sent.

    A handler may take another way in each run; progress that does not rise above what was sent is left out
    (spec 2025-11-25, basic/utilities/progress, "Progress Flow").
    """
    new = [message.decode("ascii") for message in run.notifications[exchange.notified :]]
    sent = [value for event in exchange.events if (value := _progress(event)) is not None]
    reached = max(sent, default=-math.inf)
    return [message for message in new if (value := _progress(message)) is None or value > reached]


def _progress(event: str) -> float | None:
    """The value of a progress notification; None for any other event."""
    if _PROGRESS not in event:  # most events are large answers or questions, and not worth parsing
        return None
    message = json.loads(event)
    value: float | None = message["params"]["progress"] if message.get("method") == _PROGRESS else None
    return value


def _question_request(exchange: Exchange, key: str, question: Question, run: HandlerRun) -> str:
    request_id = question_id_of(exchange.id, key)
    method, params = to_request(question, version=run.envelope.version, elicitation_id=request_id)
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return encode(message).decode("ascii")


def _retry_ms(age_seconds: float) -> int:
    share = min(max(age_seconds, 0) / _LAST_RETRY_AFTER_SECONDS, 1)
    return int(_FIRST_RETRY_MS + share * (_LAST_RETRY_MS - _FIRST_RETRY_MS))
