"""Questions to the client: what can be asked, what an answer looks like, and what is remembered between runs.

A function that asks is run again from its start when answers arrive: each question that has been answered
returns its answer, the first one that has not ends the run by raising `InputRequired`.
"""

import importlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, assert_never

from mcpcore.definitions.schemas import json_schema_faults
from mcpcore.protocol.capabilities import Capabilities, lacking
from mcpcore.protocol.errors import InvalidParams, QuestionRefused
from mcpcore.protocol.versions import at_least

__all__ = [
    "Answer",
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "InputRequired",
    "ListRoots",
    "Question",
    "ReplayState",
    "Root",
    "Sample",
    "Sampled",
    "read_answer",
    "required_capability",
    "to_request",
]


class Elicit(NamedTuple):
    """Ask the user to fill in a form (since 2025-06-18; spec client/elicitation, "Form Mode").

    `schema` is a flat JSON Schema object of strings, numbers, booleans and choices.
    """

    message: str
    schema: Mapping[str, Any]


class ElicitUrl(NamedTuple):
    """Ask the user to visit a page (since 2025-11-25; spec client/elicitation, "URL Mode")."""

    message: str
    url: str


class Sample(NamedTuple):
    """Ask the client's model (spec client/sampling, "Creating Messages").

    `messages` is one user message's text, or SamplingMessage objects; `options` are further members
    of the request, such as `systemPrompt`.
    """

    messages: str | Sequence[Mapping[str, Any]]
    max_tokens: int
    options: Mapping[str, Any] = {}


class ListRoots(NamedTuple):
    """Ask which folders the client works on (spec client/roots, "Listing Roots")."""


Question: TypeAlias = Elicit | ElicitUrl | Sample | ListRoots


class Elicited(NamedTuple):
    """What the user did; `content` has the fields of the form when they accepted it."""

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Any]


class Sampled(NamedTuple):
    """What the model said; `content` is one content block as the wire has it, or several."""

    role: str
    content: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    model: str
    stop_reason: str

    @property
    def text(self) -> str:
        """The text of it, other blocks left out."""
        blocks = [self.content] if isinstance(self.content, Mapping) else self.content
        return "".join(block["text"] for block in blocks if block.get("type") == "text")


class Root(NamedTuple):
    """A folder or file of the client's."""

    uri: str
    name: str


Answer: TypeAlias = Elicited | Sampled | Sequence[Root]


class ReplayState(NamedTuple):
    """What earlier runs of a request left behind.

    `answers` has the client's bare result for each key, or its bare error where `refused` names the
    key; `kept` the values of `context.once`.
    """

    answers: Mapping[str, Any] = {}
    refused: Collection[str] = ()
    kept: Mapping[str, Any] = {}


class InputRequired(BaseException):
    """Ends a run that cannot go on before the client has answered; no `except Exception` stops it.

    Without questions the run goes on as soon as the client comes back.
    """

    def __init__(self, questions: Mapping[str, Question]) -> None:
        super().__init__(", ".join(questions))
        self.questions = questions


def to_request(question: Question, *, version: str, elicitation_id: str = "") -> tuple[str, dict[str, Any]]:
    """Method and params of the request that asks `question` of a client of `version`.

    Raises:
        ValueError: the schema of a form is none that a client can show.
        ImportError: `jsonschema`, which is to check the answer, is not installed.
    """
    match question:
        case Elicit(message, schema):
            _require_form(schema)
            return "elicitation/create", {"message": message, "requestedSchema": dict(schema)}
        case ElicitUrl(message, url):
            params = {"mode": "url", "message": message, "url": url}
            if not at_least(version, "2026-07-28"):
                params["elicitationId"] = elicitation_id
            return "elicitation/create", params
        case Sample(messages, max_tokens, options):
            if isinstance(messages, str):
                messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
            return "sampling/createMessage", {**options, "messages": list(messages), "maxTokens": max_tokens}
        case ListRoots():
            return "roots/list", {}
        case never:
            assert_never(never)


def required_capability(question: Question, declared: Capabilities) -> Capabilities:
    """What a client that has declared `declared` lacks to be asked this; empty when it can be asked.

    A bare `elicitation: {}` means forms (spec client/elicitation, "Capabilities"); a model that is to use
    tools needs `sampling.tools` (spec client/sampling, "Capabilities").
    """
    match question:
        case Elicit():
            modes = declared.get("elicitation")
            able = isinstance(modes, Mapping) and ("form" in modes or "url" not in modes)
            return {} if able else {"elicitation": {"form": {}}}
        case ElicitUrl():
            modes = declared.get("elicitation")
            able = isinstance(modes, Mapping) and "url" in modes
            return {} if able else {"elicitation": {"url": {}}}
        case Sample(_, _, options):
            tools: Capabilities = {"tools": {}} if "tools" in options or "toolChoice" in options else {}
            return lacking(declared, {"sampling": tools})
        case ListRoots():
            return lacking(declared, {"roots": {}})
        case never:
            assert_never(never)


def read_answer(question: Question, key: str, memory: ReplayState) -> Answer:
    """The client's answer to `question`, as a value.

    Raises:
        QuestionRefused: the client answered with an error.
        InvalidParams: the answer is not of the question's kind, or breaks its schema.
    """
    found = memory.answers[key]
    if key in memory.refused:
        raise QuestionRefused(_error_message(found))
    if not isinstance(found, Mapping):
        raise _unfit(key, "it is not an object")
    match question:
        case Elicit(_, schema):
            return _elicited(found, key, schema)
        case ElicitUrl():
            return _elicited(found, key, {})
        case Sample():
            return _sampled(found, key)
        case ListRoots():
            return _roots(found, key)
        case never:
            assert_never(never)


_FIELD_TYPES: Final = ("string", "number", "integer", "boolean")


def _require_form(schema: object) -> None:
    """Refuse what no client can show, and an answer that nobody could check, before a user is troubled.

    Spec client/elicitation, "Requested Schema".
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise ValueError('the schema of a form must have "type": "object" at its root')
    fields = schema.get("properties", {})
    if not isinstance(fields, Mapping):
        raise ValueError("the properties of a form must be an object")
    for name, field in fields.items():
        if not (isinstance(field, Mapping) and (_is_plain(field) or _is_choice_of_many(field))):
            raise ValueError(
                f"{name} cannot be a field of a form: use a string, number, integer, boolean or enum, or an "
                "array whose items are an enum; nothing nested"
            )
    importlib.import_module("jsonschema")


def _is_plain(field: Mapping[str, Any]) -> bool:
    return field.get("type") in _FIELD_TYPES or ("type" not in field and isinstance(field.get("enum"), list))


def _is_choice_of_many(field: Mapping[str, Any]) -> bool:
    items = field.get("items")
    if field.get("type") != "array" or not isinstance(items, Mapping):
        return False
    return isinstance(items.get("enum") or items.get("anyOf"), list)


_ACTIONS: Final = ("accept", "decline", "cancel")


def _elicited(found: Mapping[str, Any], key: str, schema: Mapping[str, Any]) -> Elicited:
    action, content = found.get("action"), found.get("content", {})
    if action not in _ACTIONS:
        raise _unfit(key, "action must be accept, decline or cancel")
    if action != "accept":
        return Elicited(action, {})
    if not isinstance(content, Mapping):
        raise _unfit(key, "content must be an object")
    if schema and (faults := json_schema_faults(schema, content)):
        raise _unfit(key, "; ".join(faults))
    return Elicited("accept", content)


def _sampled(found: Mapping[str, Any], key: str) -> Sampled:
    role, content, model = found.get("role"), found.get("content", ()), found.get("model")
    blocks = content if isinstance(content, list) else [content]
    if not isinstance(role, str) or not isinstance(model, str):
        raise _unfit(key, "role and model must be strings")
    if not all(_is_block(block) for block in blocks):
        raise _unfit(key, "content must be a content block")
    return Sampled(role, content, model, str(found.get("stopReason", "")))


def _is_block(block: object) -> bool:
    if not isinstance(block, Mapping) or not isinstance(block.get("type"), str):
        return False
    return block["type"] != "text" or isinstance(block.get("text"), str)


def _roots(found: Mapping[str, Any], key: str) -> list[Root]:
    roots = found.get("roots")
    if not isinstance(roots, list) or not all(
        isinstance(root, Mapping) and isinstance(root.get("uri"), str) for root in roots
    ):
        raise _unfit(key, "roots must be an array of objects with a uri")
    return [Root(root["uri"], str(root.get("name", ""))) for root in roots]


def _unfit(key: str, reason: str) -> InvalidParams:
    return InvalidParams(f"Invalid answer to {key}: {reason}")


def _error_message(found: object) -> str:
    message = found.get("message") if isinstance(found, Mapping) else None
    return message if isinstance(message, str) else "no reason given"
