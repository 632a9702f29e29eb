"""Requests that end before they are done: what is remembered, where, and what the client is told.

In the modern era the client brings everything back in `requestState`. In the legacy era an exchange is stored
under the session, and the answer is a stream that the client resumes (spec 2025-11-25, basic/transports).
"""

import hmac
from collections.abc import Mapping
from typing import Any, Final

from mcpcore.protocol.base64url import to_text
from mcpcore.protocol.errors import InternalError, InvalidParams
from mcpcore.protocol.jsonrpc import Request, RequestId, encode
from mcpcore.questions.question import Question, ReplayState, to_request
from mcpcore.questions.request_state import Binding, open_state, seal_state
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.request.outcome import Event, Stream
from mcpcore.sessions.store import Exchange, ExchangeId, Session, SessionId

__all__ = [
    "INTERRUPTIBLE",
    "advanced",
    "exchange_id_of",
    "finished",
    "input_required",
    "last_part",
    "opened_exchange",
    "parse_event_id",
    "parse_question_id",
    "part_after",
    "remembered_in_exchange",
    "remembered_in_params",
]

INTERRUPTIBLE: Final = frozenset({"tools/call", "prompts/get", "resources/read"})
"""The methods whose code may ask the client (spec 2026-07-28, basic/patterns/mrtr)."""

_STATE_TTL_SECONDS: Final = 3600
_EXCHANGE_TTL_SECONDS: Final = 900
_ID_BYTES: Final = 18

# How long a client waits before it comes back: soon at first, since a model answers in a second or two;
# less often later, since a person may think for minutes.
_FIRST_RETRY_MS: Final = 500
_LAST_RETRY_MS: Final = 4_000
_PATIENCE_SECONDS: Final = 30


def remembered_in_params(request: Request, environment: RequestEnvironment) -> ReplayState:
    """What a modern request brings back from its earlier rounds; nothing in its first.

    Raises:
        InvalidParams: `requestState` is not ours, or `inputResponses` is not an object of objects.
    """
    params = request.params
    kept: Mapping[str, Any] = {}
    answers: Mapping[str, Any] = {}
    if "requestState" in params:
        state = open_state(
            params["requestState"],
            binding=Binding(request.method, params),
            now=environment.now,
            keys=environment.state_keys,
        )
        answers, kept = state["answers"], state["kept"]
    responses = params.get("inputResponses", {})
    if not isinstance(responses, Mapping):
        raise InvalidParams("Invalid params: inputResponses must be an object")
    return ReplayState({**responses, **answers}, kept=kept)


def input_required(request: Request, questions: Mapping[str, Question], context: Context) -> dict[str, Any]:
    """The members of an `input_required` result.

    Only the answers that an earlier run has asked for are taken along.

    Raises:
        InternalError: no key to seal the state with was configured.
    """
    environment, version = context.environment, context.envelope.version
    state = seal_state(
        {"answers": context.heard, "kept": context.kept},
        binding=Binding(request.method, request.params),
        expires_at=int(environment.now) + _STATE_TTL_SECONDS,
        key=_sealing_key(environment),
    )
    requests = {}
    for key, question in questions.items():
        method, params = to_request(question, version=version)
        requests[key] = {"method": method, "params": params}
    return {"resultType": "input_required", "inputRequests": requests, "requestState": state}


def exchange_id_of(
    session_id: SessionId, request_id: RequestId, environment: RequestEnvironment
) -> ExchangeId:
    """The id of the exchange that a request of a session would open: nobody else can guess it.

    Raises:
        InternalError: no key was configured.
    """
    named = encode([session_id, request_id])
    digest = hmac.digest(_sealing_key(environment), named, "sha256")[:_ID_BYTES]
    return ExchangeId(to_text(digest))


def remembered_in_exchange(exchange: Exchange) -> ReplayState:
    """What an exchange brings to its next run."""
    return ReplayState(exchange.answers, exchange.refused, exchange.kept)


def opened_exchange(request: Request, session: Session, environment: RequestEnvironment) -> Exchange:
    """The exchange that `request` opens, before its first run has said anything."""
    return Exchange(
        id=exchange_id_of(session.id, request.id, environment),
        session_id=session.id,
        request_id=request.id,
        method=request.method,
        params=request.params,
        asked=(),
        answers={},
        refused=frozenset(),
        kept={},
        events=(),
        notified=0,
        round=0,
        finished=False,
        created_at=int(environment.now),
        expires_at=int(environment.now) + _EXCHANGE_TTL_SECONDS,
    )


def advanced(exchange: Exchange, questions: Mapping[str, Question], context: Context) -> Exchange:
    """`exchange` after a run that asked `questions`; what the run says and asks are its new events."""
    record = [message.decode("ascii") for message in context.notifications[exchange.notified :]]
    asked = [_request_of(exchange, key, question, context) for key, question in questions.items()]
    return exchange._replace(
        asked=tuple(questions),
        kept=dict(context.kept),
        events=(*exchange.events, *record, *asked),
        notified=max(exchange.notified, len(context.notifications)),
        round=exchange.round + 1,
    )


def finished(exchange: Exchange, notifications: tuple[bytes, ...], response: bytes) -> Exchange:
    """`exchange` after its last run, which ended in `response`."""
    last = [message.decode("ascii") for message in (*notifications[exchange.notified :], response)]
    return exchange._replace(
        asked=(), events=(*exchange.events, *last), round=exchange.round + 1, finished=True
    )


def part_after(exchange: Exchange, position: int, now: float) -> Stream:
    """The events of `exchange` after the first `position` ones, and word to come back if more will follow.

    A first event without data makes the stream resumable even if nothing follows yet.
    """
    mark = f"{exchange.id}.{position}"
    # A poll needs an id of its own, or the client would not take it for an event at all.
    first = Event(mark if position == 0 else f"{mark}.{int(now * 1000)}", "")
    events = [
        Event(f"{exchange.id}.{place}", data)
        for place, data in enumerate(exchange.events[position:], start=position + 1)
    ]
    if exchange.finished:
        return Stream(tuple(events), None)
    return Stream((first, *events), _retry_ms(now - exchange.created_at))


def last_part(exchange: Exchange, response: bytes) -> Stream:
    """`response` as the end of an exchange that is not stored, under an id that none of its events has."""
    return Stream((Event(f"{exchange.id}.{len(exchange.events) + 1}", response.decode("ascii")),), None)


def parse_event_id(event_id: str) -> tuple[ExchangeId, int] | None:
    """Exchange and position that an event id stands for; None when it is none of ours."""
    exchange_id, _, place = event_id.partition(".")
    position = place.partition(".")[0]
    if (
        not exchange_id
        or not (position.isascii() and position.isdecimal())
        or len(position) > _LONGEST_NUMBER
    ):
        return None
    return ExchangeId(exchange_id), int(position)


def parse_question_id(request_id: RequestId) -> tuple[ExchangeId, str] | None:
    """Exchange and key that the id of a request of ours stands for; None when it is none of ours."""
    if not isinstance(request_id, str):
        return None
    exchange_id, separator, key = request_id.partition(".")
    return (ExchangeId(exchange_id), key) if exchange_id and separator and key else None


_LONGEST_NUMBER: Final = 9


def _request_of(exchange: Exchange, key: str, question: Question, context: Context) -> str:
    request_id = f"{exchange.id}.{key}"
    method, params = to_request(question, version=context.envelope.version, elicitation_id=request_id)
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return encode(message).decode("ascii")


def _retry_ms(age_seconds: float) -> int:
    share = min(max(age_seconds, 0) / _PATIENCE_SECONDS, 1)
    return int(_FIRST_RETRY_MS + share * (_LAST_RETRY_MS - _FIRST_RETRY_MS))


def _sealing_key(environment: RequestEnvironment) -> bytes:
    if not environment.state_keys:
        raise InternalError from LookupError("a question needs a state key, and none was given")
    return environment.state_keys[0]
