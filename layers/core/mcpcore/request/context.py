"""What a handler sees of its request, and what it can tell or ask the client while it runs."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, overload

from mcpcore.protocol.errors import MissingClientCapability, ToolError
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import Era, at_least
from mcpcore.questions.replay import InputRequired
from mcpcore.request.envelope import LOG_LEVELS
from mcpcore.request.principal import Principal
from mcpcore.request.run import HandlerRun

# Imported by the first question: most requests ask none.
if TYPE_CHECKING:
    from mcpcore.questions.answer import Answers, Elicited, Roots, Sampled
    from mcpcore.questions.question import Question

__all__ = ["Context"]

T = TypeVar("T")

# Where `defer` saves how often it was called; `once` refuses this key.
_DEFERRED: Final = ""

_FIELD_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Context:
    """One request as a handler sees it. A handler gets it in a parameter of this type, whatever its name."""

    def __init__(self, run: HandlerRun) -> None:
        self._run = run
        self._asked: list[str] = []
        self._progress: float | None = None
        self._deferred = 0

    @property
    def protocol_version(self) -> str:
        """The protocol version of this request, such as "2026-07-28"."""
        return self._run.envelope.version

    @property
    def principal(self) -> Principal | None:
        """Who the request is from, as verified; None on a server without authorization."""
        return self._run.environment.principal

    @property
    def client_name(self) -> str:
        """The name that the client gave itself, truncated; empty if it gave none."""
        return self._run.envelope.client_name

    @property
    def client_version(self) -> str:
        """The version that the client gave itself, truncated; empty if it gave none."""
        return self._run.envelope.client_version

    @property
    def trace(self) -> Mapping[str, str]:
        """The client's W3C trace context: traceparent, tracestate and baggage, if it sent them."""
        return self._run.envelope.trace

    @property
    def deadline(self) -> float:
        """When the handler is stopped, in seconds since the epoch."""
        return self._run.environment.deadline

    @property
    def cancelled(self) -> bool:
        """True when the client has cancelled the request; over HTTP no server can see that in time."""
        return self._run.environment.cancelled(self._run.request_id)

    @property
    def transport(self) -> Any:
        """The edge's own object; on Lambda a `mcpcore_aws.LambdaInvocation` with event and context."""
        return self._run.environment.transport

    def count_metric(self, name: str, by: int = 1) -> None:
        """Add `by` to the metric `mcp_<name>_total`.

        Raises:
            ValueError: the name is not made of 1 to 64 lower-case letters, digits and underscores.
            TypeError: `by` is not an integer.
        """
        _require_field_name(name)
        if not isinstance(by, int):
            raise TypeError(f"the metric {name} counts integers, not {type(by).__name__}")
        self._run.counts[name] = self._run.counts.get(name, 0) + by

    def log_field(self, name: str, text: str) -> None:
        """Add a field to the request's log line; the client never sees it.

        Raises:
            ValueError: the name is not made of 1 to 64 lower-case letters, digits and underscores.
            TypeError: `text` is not a string.
        """
        _require_field_name(name)
        if not isinstance(text, str):
            raise TypeError(f"the log field {name} is a string, not {type(text).__name__}")
        self._run.log_fields[name] = text

    def report_progress(self, value: float, total: float | None = None, message: str = "") -> None:
        """Tell the client how far the work is (spec basic/utilities/progress).

        Nothing is sent if the client did not ask for progress, or if `value` is not above the last one.
        """
        envelope = self._run.envelope
        if envelope.progress_token is None or (self._progress is not None and value <= self._progress):
            return
        self._progress = value
        params: dict[str, Any] = {"progressToken": envelope.progress_token, "progress": value}
        if total is not None:
            params["total"] = total
        if message and at_least(envelope.version, "2025-03-26"):
            params["message"] = message
        self._run.notify("notifications/progress", params)

    def log(self, level: str, data: Any, logger: str = "") -> None:
        """Send a log message to the client, if it wants this level (spec server/utilities/logging).

        `level` is debug, info, notice, warning, error, critical, alert or emergency; `data` any JSON value.

        Raises:
            ValueError: there is no such level.
        """
        severity, wanted = LOG_LEVELS.index(level), self._run.envelope.log_level
        if wanted is None or severity < LOG_LEVELS.index(wanted):
            return
        params = {"level": level, "data": data}
        if logger:
            params["logger"] = logger
        self._run.notify("notifications/message", params)

    count = count_metric
    note = log_field
    progress = report_progress

    @overload
    def elicit(
        self, message: str, form: Mapping[str, Any], *, key: str | None = None
    ) -> "Elicited[Mapping[str, Any]]": ...

    @overload
    def elicit(self, message: str, form: type[T], *, key: str | None = None) -> "Elicited[T | None]": ...

    def elicit(
        self, message: str, form: Mapping[str, Any] | type[T], *, key: str | None = None
    ) -> "Elicited[Any]":
        """Ask the user to fill in a form. See `ask`.

        `form` is a pydantic model, dataclass or TypedDict, whose instance is then the answer's content, or a
        flat JSON Schema object.
        """
        from mcpcore.questions.question import Elicit

        return cast("Elicited[Any]", self._ask_one(key, Elicit(message, form)))

    def elicit_url(self, message: str, url: str, *, key: str | None = None) -> "Elicited[Mapping[str, Any]]":
        """Ask the user to visit a page. See `ask`."""
        from mcpcore.questions.question import ElicitUrl

        return cast("Elicited[Mapping[str, Any]]", self._ask_one(key, ElicitUrl(message, url)))

    def sample(
        self,
        messages: str | Sequence[Mapping[str, Any]],
        *,
        max_tokens: int,
        key: str | None = None,
        **options: Any,
    ) -> "Sampled":
        """Ask the client's model; `options` are further members of the request. See `ask`."""
        from mcpcore.questions.question import Sample

        return cast("Sampled", self._ask_one(key, Sample(messages, max_tokens, options)))

    def roots(self, *, key: str | None = None) -> "Roots":
        """Ask which folders the client works on. See `ask`."""
        from mcpcore.questions.question import ListRoots

        return cast("Roots", self._ask_one(key, ListRoots()))

    def ask(self, questions: "Mapping[str, Question]") -> "Answers":
        """Ask several questions at once; the answers have the same keys.

        The handler is run again from its start for each round of answers, so the code before a question runs
        more than once: keep it free of side effects, or save its result with `once`. Keys identify questions
        across runs. A question without a key is identified by its content, and the same question asked again
        by how often: give a key to one whose text differs from run to run, or it is asked for ever.

        Raises:
            QuestionRefused: the client answered with an error.
            MissingClientCapability, ToolError: the client cannot be asked this.
            ValueError: a key is empty, or a form is not flat.
        """
        from mcpcore.questions.answer import Answers, read_answer
        from mcpcore.questions.question import to_request

        if "" in questions:
            raise ValueError("a question needs a key that is not empty")
        run, version = self._run, self._run.envelope.version
        found = run.replay.answers
        answers = Answers(
            {key: read_answer(questions[key], key, run.replay) for key in questions if key in found}
        )
        run.received.update({key: found[key] for key in answers})
        waiting = {key: question for key, question in questions.items() if key not in answers}
        if waiting:
            self._require_askable(waiting.values())
            for question in waiting.values():  # a value that is not JSON raises here, in the handler
                encode(to_request(question, version=version)[1])
            raise InputRequired(waiting)
        return answers

    def can_ask(self, question: "Question") -> bool:
        """True when this client can be asked `question` over this connection."""
        from mcpcore.questions.question import is_too_new, required_capability

        envelope = self._run.envelope
        able = envelope.resumable and self._run.environment.state_secrets is not None
        able = able and not required_capability(question, envelope.capabilities)
        return able and not is_too_new(question, envelope.version)

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """The value of `compute()`, a JSON value: computed in the first run, saved for the later ones.

        Raises:
            ValueError: the key is empty.
        """
        if key == _DEFERRED:
            raise ValueError("a saved value needs a key that is not empty")
        saved = self._run.saved
        if key not in saved:
            # Converted as the next run will read it; a value that is not JSON raises here, in the handler.
            saved[key] = json.loads(encode(compute()))
        value: T = saved[key]
        return value

    def defer(self) -> None:
        """End the response here and let the client fetch the rest, to free the connection before long work.

        Only clients of 2025-11-25 do so, and only with a state secret; for others nothing happens.
        """
        self._deferred += 1
        envelope, saved = self._run.envelope, self._run.saved
        able = envelope.era is Era.LEGACY and envelope.resumable
        able = able and self._run.environment.state_secrets is not None
        if able and self._deferred > saved.get(_DEFERRED, 0):
            saved[_DEFERRED] = self._deferred
            raise InputRequired({})

    def _ask_one(self, key: str | None, question: "Question") -> object:
        key = key or self._next_key(question)
        return self.ask({key: question})[key]

    def _next_key(self, question: "Question") -> str:
        from mcpcore.questions.question import generated_key

        key = generated_key(question, version=self._run.envelope.version)
        self._asked.append(key)
        repeated = self._asked.count(key)
        return key if repeated == 1 else f"{key}-{repeated}"

    def _require_askable(self, questions: "Collection[Question]") -> None:
        from mcpcore.questions.question import is_too_new, required_capability

        envelope = self._run.envelope
        required: dict[str, Any] = {}
        for question in questions:
            for name, settings in required_capability(question, envelope.capabilities).items():
                required[name] = {**required.get(name, {}), **settings}
        if envelope.era is Era.MODERN:
            if required:
                raise MissingClientCapability(required)
        elif not envelope.resumable:
            raise ToolError(
                "This asks the client something, which needs protocol version 2025-11-25 or newer and a "
                "client that accepts text/event-stream"
            )
        elif required:
            raise ToolError(MissingClientCapability(required).message)
        elif any(is_too_new(question, envelope.version) for question in questions):
            raise ToolError("This asks for several choices, which needs protocol version 2025-11-25 or newer")


def _require_field_name(name: str) -> None:
    if _FIELD_NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} cannot be a name here: use lower-case letters, digits and _")
