"""The modern era's way to ask: the client carries the state of its request in `requestState`.

Spec 2026-07-28, basic/patterns/mrtr.
"""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import Request
from mcpcore.questions.question import Question, to_request
from mcpcore.questions.replay import ReplayState
from mcpcore.questions.request_state import Binding, open_state, seal_state
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.run import HandlerRun

__all__ = ["input_required", "replay_from_params"]

_STATE_TTL_SECONDS: Final = 3600


def replay_from_params(request: Request, audience: str, environment: RequestEnvironment) -> ReplayState:
    """What a modern request brings back from its earlier rounds; empty in its first.

    `audience` is the name of the server.

    Raises:
        InvalidParams: `requestState` cannot be opened, or `inputResponses` is not an object.
        StoreUnavailable: the state secrets could not be read.
    """
    params = request.params
    saved: Mapping[str, Any] = {}
    answers: Mapping[str, Any] = {}
    if params.get("requestState") is not None:
        state = open_state(
            params["requestState"],
            binding=Binding(audience, request.method, params, environment.principal_digest),
            now=environment.now,
            secrets=environment.state_secrets() if environment.state_secrets else (),
        )
        answers, saved = state["answers"], state["saved"]
    responses = params.get("inputResponses", {})
    if not isinstance(responses, Mapping):
        raise InvalidParams("Invalid params: inputResponses must be an object")
    return ReplayState({**responses, **answers}, saved=saved)


def input_required(
    request: Request, audience: str, questions: Mapping[str, Question], run: HandlerRun
) -> dict[str, Any]:
    """The members of an `input_required` result. The state has only answers that the run has read.

    Raises:
        InternalError: no secret to seal the state with is configured.
        StoreUnavailable: it could not be read.
    """
    environment = run.environment
    state = seal_state(
        {"answers": run.received, "saved": run.saved},
        binding=Binding(audience, request.method, request.params, environment.principal_digest),
        expires_at=int(environment.now) + _STATE_TTL_SECONDS,
        secret=environment.newest_secret(),
    )
    requests = {}
    for key, question in questions.items():
        method, params = to_request(question, version=run.envelope.version)
        requests[key] = {"method": method, "params": params}
    return {"resultType": "input_required", "inputRequests": requests, "requestState": state}
