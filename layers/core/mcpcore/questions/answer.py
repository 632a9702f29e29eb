"""Answers of the client: as values, and read from what the client sent.

Answers can be awaited, so `await context.elicit(…)` gives the same value as the plain call.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar, assert_never

from mcpcore.protocol.errors import InvalidParams, QuestionRefused
from mcpcore.questions.form import Form, filled_in
from mcpcore.questions.question import Elicit, ElicitUrl, ListRoots, Question, Sample
from mcpcore.questions.replay import ReplayState

__all__ = ["Answer", "Answers", "Elicited", "Root", "Roots", "Sampled", "read_answer"]

T = TypeVar("T")


class Elicited(NamedTuple, Generic[T]):
    """The user's answer to a form or a page.

    `content` has the fields of an accepted form: a mapping for a form given as JSON Schema, else an instance
    of the form's type. Without acceptance it is an empty mapping, or None for a form given as a type; a page
    has no content.
    """

    action: Literal["accept", "decline", "cancel"]
    content: T

    def __await__(self) -> Generator[None, None, Self]:
        """The answer itself."""
        yield from ()
        return self


class Sampled(NamedTuple):
    """The model's message; `content` is one content block as the client sent it, or several."""

    role: str
    content: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    model: str
    stop_reason: str

    @property
    def text(self) -> str:
        """The text blocks, joined."""
        blocks = [self.content] if isinstance(self.content, Mapping) else self.content
        return "".join(block["text"] for block in blocks if block.get("type") == "text")

    def __await__(self) -> Generator[None, None, Self]:
        """The answer itself."""
        yield from ()
        return self


class Root(NamedTuple):
    """A folder or file of the client."""

    uri: str
    name: str


class Roots(list[Root]):
    """The folders and files that the client works on."""

    def __await__(self) -> Generator[None, None, Self]:
        """The answer itself."""
        yield from ()
        return self


Answer: TypeAlias = Elicited[Any] | Sampled | Roots


class Answers(dict[str, Answer]):
    """The answers to several questions, by their keys."""

    def __await__(self) -> Generator[None, None, Self]:
        """The answers themselves."""
        yield from ()
        return self


def read_answer(question: Question, key: str, replay: ReplayState) -> Answer:
    """The client's answer to `question`.

    Raises:
        QuestionRefused: the client answered with an error.
        InvalidParams: the answer is not of the question's kind, or breaks its schema.
    """
    found = replay.answers[key]
    if key in replay.refused:
        raise QuestionRefused(_error_message(found))
    if not isinstance(found, Mapping):
        raise _invalid(key, "it is not an object")
    match question:
        case Elicit(_, form):
            return _elicited(found, key, form)
        case ElicitUrl():
            return Elicited(_action(found, key), {})
        case Sample():
            return _sampled(found, key)
        case ListRoots():
            return _roots(found, key)
        case never:
            assert_never(never)


def _elicited(found: Mapping[str, Any], key: str, form: Form) -> Elicited[Any]:
    action, content = _action(found, key), found.get("content")
    if action != "accept":
        return Elicited(action, None if isinstance(form, type) else {})
    if content is None:
        content = {}
    if not isinstance(content, Mapping):
        raise _invalid(key, "content must be an object")
    try:
        return Elicited("accept", filled_in(form, content))
    except ValueError as error:
        raise _invalid(key, str(error)) from None


_Action: TypeAlias = Literal["accept", "decline", "cancel"]
_ACTIONS: Final[tuple[_Action, ...]] = ("accept", "decline", "cancel")


def _action(found: Mapping[str, Any], key: str) -> _Action:
    for action in _ACTIONS:
        if action == found.get("action"):
            return action
    raise _invalid(key, "action must be accept, decline or cancel")


def _sampled(found: Mapping[str, Any], key: str) -> Sampled:
    role, content, model = found.get("role"), found.get("content", ()), found.get("model")
    blocks = content if isinstance(content, list) else [content]
    if not isinstance(role, str) or not isinstance(model, str):
        raise _invalid(key, "role and model must be strings")
    if not all(_is_block(block) for block in blocks):
        raise _invalid(key, "content must be a content block")
    return Sampled(role, content, model, _text(found.get("stopReason")))


def _is_block(block: object) -> bool:
    if not isinstance(block, Mapping) or not isinstance(block.get("type"), str):
        return False
    return block["type"] != "text" or isinstance(block.get("text"), str)


def _roots(found: Mapping[str, Any], key: str) -> Roots:
    roots = found.get("roots")
    if not isinstance(roots, list) or not all(
        isinstance(root, Mapping) and isinstance(root.get("uri"), str) for root in roots
    ):
        raise _invalid(key, "roots must be an array of objects with a uri")
    return Roots(Root(root["uri"], _text(root.get("name"))) for root in roots)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _invalid(key: str, reason: str) -> InvalidParams:
    return InvalidParams(f"Invalid answer to {key}: {reason}")


def _error_message(found: object) -> str:
    message = found.get("message") if isinstance(found, Mapping) else None
    return message if isinstance(message, str) else "no reason given"
