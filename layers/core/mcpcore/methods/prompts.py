"""prompts/get (spec server/prompts)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcpcore.definitions.built import Prompt
from mcpcore.methods.call import Call, MethodResult
from mcpcore.protocol.content import ContentBlock, PromptMessage, Text, message_to_wire
from mcpcore.protocol.errors import HandlerCrashed, InvalidParams, McpError, listed, shortened

__all__ = ["get_prompt"]

_MAX_ARGUMENT_CHARACTERS: Final = 50_000
"""The longest argument: a prompt repeats it in its messages, with up to seven bytes for a character."""


def get_prompt(call: Call) -> MethodResult:
    """The messages of the prompt that `params.name` names.

    Raises:
        InvalidParams: no such prompt; a required argument is missing, one is unknown, too long or no string.
        InsufficientScope: the principal lacks a scope of the prompt.
        HandlerCrashed, DeadlineExceeded: the prompt's function raised, or did not end in time.
    """
    name = call.text_param("name")
    prompt = call.server.prompts.get(name)
    if prompt is None:
        raise InvalidParams(f"Unknown prompt: {shortened(name)}. prompts/list names the prompts there are")
    call.require_scopes(prompt.scopes)
    arguments = _checked_arguments(prompt, call.arguments())
    members: dict[str, Any] = {"description": prompt.description} if prompt.description else {}
    try:
        messages = _messages(prompt, call.invoke(prompt.function, arguments, prompt.context_parameter))
        members["messages"] = [message_to_wire(message, call.envelope.version) for message in messages]
        return MethodResult(call.result(members))
    except McpError:
        raise
    except Exception as cause:
        raise HandlerCrashed from cause


def _checked_arguments(prompt: Prompt, found: Mapping[str, Any]) -> Mapping[str, str]:
    faults = [
        f"{shortened(name)} must be a string" for name, value in found.items() if not isinstance(value, str)
    ]
    faults += [
        f"{shortened(name)} is longer than {_MAX_ARGUMENT_CHARACTERS:,} characters"
        for name, value in found.items()
        if isinstance(value, str) and len(value) > _MAX_ARGUMENT_CHARACTERS
    ]
    known = [argument.name for argument in prompt.arguments]
    faults += [f"there is no {shortened(name)}" for name in found if name not in known]
    faults += [f"{a.name} is missing" for a in prompt.arguments if a.required and a.name not in found]
    if faults:
        raise InvalidParams(f"Invalid arguments for prompt {prompt.name}: {listed(faults)}")
    return found


def _messages(prompt: Prompt, returned: object) -> Sequence[PromptMessage]:
    parts = returned if isinstance(returned, list) else [returned]
    return [_message(prompt, part) for part in parts]


def _message(prompt: Prompt, part: object) -> PromptMessage:
    if isinstance(part, PromptMessage):
        return part
    if isinstance(part, str):
        return PromptMessage("user", Text(part))
    if isinstance(part, ContentBlock):
        return PromptMessage("user", part)
    raise TypeError(f"the prompt {prompt.name} returned {type(part).__name__}, which is not a message")
