"""What the edge hands in with a request, and what a tool may see of it, say, and ask."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from mcpcore.protocol.errors import MissingClientCapability, ToolError
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import Era, at_least
from mcpcore.questions.question import (
    Answer,
    Elicit,
    Elicited,
    ElicitUrl,
    InputRequired,
    ListRoots,
    Question,
    ReplayState,
    Root,
    Sample,
    Sampled,
    read_answer,
    required_capability,
    to_request,
)
from mcpcore.request.envelope import LOG_LEVELS, Envelope
from mcpcore.sessions.store import SessionId

__all__ = ["Context", "RequestEnvironment", "run_directly"]

T = TypeVar("T")


def run_directly(work: Callable[[], Any], _seconds: float) -> Any:
    """Run `work` here and now, however long it takes; an `async def` tool needs a runner with a loop."""
    return work()


# Where it is kept how many times the work was put off; `once` takes no such key.
_DEFERRED: Final = ""

_COUNTER: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


class RequestEnvironment(NamedTuple):
    """What the core does not have of its own: the time, random ids, keys, and the door's own objects.

    `now`, `deadline` and `ends_at` are in seconds since the epoch: work is given up at the deadline, and none
    runs on after the end. `run` calls a piece of work, awaits what it
    returns if that can be awaited, and raises `DeadlineExceeded` after as many seconds as it is told.
    `resumable` are the legacy versions in which a client of this door comes back for the rest of an answer.
    `state_keys` seal what a client brings back; the first one seals, all of them open.
    `event` and `lambda_context` are whatever the door was called with, None where there is no such thing.
    """

    now: float
    new_session_id: Callable[[], SessionId]
    session_ttl_seconds: int
    deadline: float = float("inf")
    ends_at: float = float("inf")
    run: Callable[[Callable[[], Any], float], Any] = run_directly
    state_keys: Sequence[bytes] = ()
    resumable: frozenset[str] = frozenset()
    cancelled: Callable[[], bool] = lambda: False
    event: object = None
    lambda_context: object = None


class Context:
    """One request as a tool sees it. It lives as long as one run of the tool."""

    def __init__(
        self, envelope: Envelope, environment: RequestEnvironment, memory: ReplayState | None = None
    ) -> None:
        self.envelope = envelope
        self.environment = environment
        self.counts: dict[str, int] = {}
        self.notes: dict[str, str] = {}
        self.notifications: list[bytes] = []
        self.kept: dict[str, Any] = dict(memory.kept) if memory else {}
        self.heard: dict[str, Any] = {}
        self._memory = memory or ReplayState()
        self._asked = 0
        self._progress: float | None = None
        self._deferred = 0

    @property
    def deadline(self) -> float:
        """When the work must be done, in seconds since the epoch."""
        return self.environment.deadline

    @property
    def cancelled(self) -> bool:
        """True when the client has taken the request back; over HTTP nobody sees that while a tool runs."""
        return self.environment.cancelled()

    def count(self, name: str, by: int = 1) -> None:
        """Add `by` to the named counter; the edge turns it into a metric of that name.

        Raises:
            ValueError: the name is not made of 1 to 64 lower-case letters, digits and underscores.
            TypeError: `by` is no whole number.
        """
        if _COUNTER.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot name a counter: use lower-case letters, digits and _")
        if not isinstance(by, int):
            raise TypeError(f"the counter {name} counts whole numbers, not {type(by).__name__}")
        self.counts[name] = self.counts.get(name, 0) + by

    def note(self, name: str, text: str) -> None:
        """Have the edge write `text` under `name` into the request's log line; the client never sees it.

        Raises:
            ValueError: the name is not made of 1 to 64 lower-case letters, digits and underscores.
            TypeError: `text` is no string.
        """
        if _COUNTER.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot name a note: use lower-case letters, digits and _")
        if not isinstance(text, str):
            raise TypeError(f"the note {name} is a text, not {type(text).__name__}")
        self.notes[name] = text

    def progress(self, value: float, total: float | None = None, message: str = "") -> None:
        """Tell the client how far the work is (spec basic/utilities/progress).

        Nothing is sent when the client did not ask for it, or when `value` is not above the last one.
        """
        token = self.envelope.progress_token
        if token is None or (self._progress is not None and value <= self._progress):
            return
        self._progress = value
        params: dict[str, Any] = {"progressToken": token, "progress": value}
        if total is not None:
            params["total"] = total
        if message and at_least(self.envelope.version, "2025-03-26"):
            params["message"] = message
        self._notify("notifications/progress", params)

    def log(self, level: str, data: Any, logger: str = "") -> None:
        """Tell the client's log something, if it listens at this level (spec server/utilities/logging).

        `level` is debug, info, notice, warning, error, critical, alert or emergency; `data` any JSON value.

        Raises:
            ValueError: there is no such level.
        """
        severity, wanted = LOG_LEVELS.index(level), self.envelope.log_level
        if wanted is None or severity < LOG_LEVELS.index(wanted):
            return
        params = {"level": level, "data": data}
        if logger:
            params["logger"] = logger
        self._notify("notifications/message", params)

    def elicit(self, message: str, schema: Mapping[str, Any], *, key: str | None = None) -> Elicited:
        """Ask the user to fill in a form; `schema` is a flat JSON Schema object. See `ask`."""
        answer: Elicited = self._ask_one(key, Elicit(message, schema))
        return answer

    def elicit_url(self, message: str, url: str, *, key: str | None = None) -> Elicited:
        """Ask the user to visit a page. See `ask`."""
        answer: Elicited = self._ask_one(key, ElicitUrl(message, url))
        return answer

    def sample(
        self,
        messages: str | Sequence[Mapping[str, Any]],
        *,
        max_tokens: int,
        key: str | None = None,
        **options: Any,
    ) -> Sampled:
        """Ask the client's model; `options` are further members of the request. See `ask`."""
        answer: Sampled = self._ask_one(key, Sample(messages, max_tokens, options))
        return answer

    def roots(self, *, key: str | None = None) -> Sequence[Root]:
        """Ask which folders the client works on. See `ask`."""
        answer: Sequence[Root] = self._ask_one(key, ListRoots())
        return answer

    def ask(self, questions: Mapping[str, Question]) -> Mapping[str, Answer]:
        """Ask several questions at once; the answers come under the same keys.

        The tool is run again from its start for each round of answers, so what stands before a question
        runs more than once: keep it free of side effects, or keep its outcome with `once`. Keys name
        questions across runs; those not given count the asks, so ask in the same order in each run.

        Raises:
            QuestionRefused: the client answered with an error.
            MissingClientCapability, ToolError: the client cannot be asked this.
            ValueError: a key is empty.
        """
        if "" in questions:
            raise ValueError("a question needs a key that is not empty")
        found = self._memory.answers
        answers = {key: read_answer(questions[key], key, self._memory) for key in questions if key in found}
        self.heard.update({key: found[key] for key in answers})
        waiting = {key: question for key, question in questions.items() if key not in answers}
        if waiting:
            self._require_askable(waiting.values())
            for question in waiting.values():  # what JSON has not fails here, where the fault is
                encode(to_request(question, version=self.envelope.version)[1])
            raise InputRequired(waiting)
        return answers

    def can_ask(self, question: Question) -> bool:
        """True when this client, over this connection, can be asked `question`."""
        able = self._resumable() and bool(self.environment.state_keys)
        return able and not required_capability(question, self.envelope.capabilities)

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """The value of `compute()`, a JSON value, computed in the first run only and kept for the others.

        Raises:
            ValueError: the key is empty.
        """
        if key == _DEFERRED:
            raise ValueError("what is kept needs a key that is not empty")
        if key not in self.kept:
            # As it will be in the next run; what JSON has not fails here, where the fault is.
            self.kept[key] = json.loads(encode(compute()))
        value: T = self.kept[key]
        return value

    def defer(self) -> None:
        """Let the client come back for the rest, where it can: it frees the connection before long work.

        Clients of 2025-11-25 resume the answer; for all others, and without a state key, this does nothing.
        """
        self._deferred += 1
        able = self.envelope.era is Era.LEGACY and self._resumable() and self.environment.state_keys
        if able and self._deferred > self.kept.get(_DEFERRED, 0):
            self.kept[_DEFERRED] = self._deferred
            raise InputRequired({})

    def _ask_one(self, key: str | None, question: Question) -> Any:
        named = key or self._next_key()
        return self.ask({named: question})[named]

    def _resumable(self) -> bool:
        return self.envelope.era is Era.MODERN or self.envelope.version in self.environment.resumable

    def _require_askable(self, questions: Iterable[Question]) -> None:
        required: dict[str, Any] = {}
        for question in questions:
            for name, settings in required_capability(question, self.envelope.capabilities).items():
                required[name] = {**required.get(name, {}), **settings}
        if self.envelope.era is Era.MODERN:
            if required:
                raise MissingClientCapability(required)
        elif not self._resumable():
            raise ToolError(
                "This asks the client something, which needs protocol version 2025-11-25 or newer and a "
                "client that accepts text/event-stream"
            )
        elif required:
            raise ToolError(MissingClientCapability(required).message)

    def _next_key(self) -> str:
        self._asked += 1
        return f"ask-{self._asked}"

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        self.notifications.append(encode({"jsonrpc": "2.0", "method": method, "params": params}))
