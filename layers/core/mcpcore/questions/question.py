"""Questions to the client: the kinds there are, and the requests that ask them."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, assert_never

from mcpcore.protocol.capabilities import Capabilities, missing_capabilities
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import at_least
from mcpcore.questions.form import Form, form_json

__all__ = [
    "Elicit",
    "ElicitUrl",
    "ListRoots",
    "Question",
    "Sample",
    "generated_key",
    "is_too_new",
    "required_capability",
    "to_request",
]


class Elicit(NamedTuple):
    """Ask the user to fill in a form (since 2025-06-18; spec client/elicitation, "Form Mode").

    The fields of `form` are strings, numbers, booleans and choices; nothing is nested.
    """

    message: str
    form: Form


class ElicitUrl(NamedTuple):
    """Ask the user to visit a page (since 2025-11-25; spec client/elicitation, "URL Mode")."""

    message: str
    url: str


class Sample(NamedTuple):
    """Ask the client's model (spec client/sampling, "Creating Messages").

    `messages` is the text of one user message, or SamplingMessage objects; `options` are further members of
    the request, such as `systemPrompt`.
    """

    messages: str | Sequence[Mapping[str, Any]]
    max_tokens: int
    options: Mapping[str, Any] = {}


class ListRoots(NamedTuple):
    """Ask which folders the client works on (spec client/roots, "Listing Roots")."""


Question: TypeAlias = Elicit | ElicitUrl | Sample | ListRoots


def to_request(question: Question, *, version: str, elicitation_id: str = "") -> tuple[str, dict[str, Any]]:
    """Method and params of the request that asks `question` of a client of `version`.

    Raises:
        ValueError: a client cannot show the form, because a field is not flat.
        ImportError: the form is a JSON Schema and `jsonschema`, which checks the answer, is not installed.
    """
    match question:
        case Elicit(message, form):
            return "elicitation/create", {"message": message, "requestedSchema": form_json(form)}
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


def generated_key(question: Question, *, version: str) -> str:
    """The key of a question that was asked without one: a digest of its request.

    So a question only ever gets an answer to the same question, in whatever order questions are asked. No
    explicit key is equal to it, unless it was written with the digest of another question.

    Raises:
        ValueError, ImportError: see `to_request`; or the question is not JSON.
        TypeError: the question is not JSON.
    """
    digest = hashlib.sha256(encode(to_request(question, version=version))).hexdigest()
    return f"question-{digest[:16]}"


def is_too_new(question: Question, version: str) -> bool:
    """True for a form with a field that clients of `version` cannot show: several choices, before 2025-11-25.

    Raises:
        ValueError, ImportError: see `to_request`.
    """
    if not isinstance(question, Elicit) or at_least(version, "2025-11-25"):
        return False
    return any(field["type"] == "array" for field in form_json(question.form)["properties"].values())


def _has(settings: Mapping[str, Any], name: str) -> bool:
    return settings.get(name) is not None


def required_capability(question: Question, declared: Capabilities) -> Capabilities:
    """The capabilities that `question` needs and `declared` lacks; empty if the client can be asked.

    A bare `elicitation: {}` means forms (spec client/elicitation, "Capabilities"); a model that may use
    tools needs `sampling.tools` (spec client/sampling, "Capabilities").
    """
    match question:
        case Elicit():
            modes = declared.get("elicitation")
            able = isinstance(modes, Mapping) and (_has(modes, "form") or not _has(modes, "url"))
            return {} if able else {"elicitation": {"form": {}}}
        case ElicitUrl():
            modes = declared.get("elicitation")
            able = isinstance(modes, Mapping) and _has(modes, "url")
            return {} if able else {"elicitation": {"url": {}}}
        case Sample(_, _, options):
            tools: Capabilities = {"tools": {}} if "tools" in options or "toolChoice" in options else {}
            return missing_capabilities(declared, {"sampling": tools})
        case ListRoots():
            return missing_capabilities(declared, {"roots": {}})
        case never:
            assert_never(never)
