"""prompts/list and prompts/get (spec server/prompts)."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcpcore.definitions.built import Prompt, prompt_to_wire
from mcpcore.definitions.schemas import CONTEXT_PARAMETER
from mcpcore.methods.call import Answer, Call, paged
from mcpcore.protocol.content import ContentBlock, PromptMessage, Text, message_to_wire
from mcpcore.protocol.errors import InternalError, InvalidParams, McpError, shortened

__all__ = ["get_prompt", "list_prompts"]


def list_prompts(call: Call) -> Answer:
    """A page of the prompts."""
    return paged(call, "prompts", lambda: tuple(call.server.prompts.values()), prompt_to_wire)


def get_prompt(call: Call) -> Answer:
    """The messages of the prompt that `params.name` names.

    Raises:
        InvalidParams: no such prompt; a required argument is missing, one is unknown, or none is a string.
        InternalError: the prompt's function failed, or was not done in time.
    """
    name = call.text_param("name")
    prompt = call.server.prompts.get(name)
    if prompt is None:
        raise InvalidParams(f"Unknown prompt: {shortened(name)}. prompts/list names the prompts there are")
    arguments: dict[str, Any] = dict(_arguments(prompt, call.params.get("arguments", {})))
    if prompt.takes_context:
        arguments[CONTEXT_PARAMETER] = call.context
    members: dict[str, Any] = {"description": prompt.description} if prompt.description else {}
    try:
        messages = _messages(prompt, call.run(prompt.function, **arguments))
        members["messages"] = [message_to_wire(message, call.envelope.version) for message in messages]
        return Answer(call.result(members))
    except McpError:
        raise
    except Exception as cause:
        raise InternalError from cause


def _arguments(prompt: Prompt, found: object) -> Mapping[str, str]:
    if not isinstance(found, Mapping):
        raise InvalidParams("Invalid params: arguments must be an object of strings")
    faults = [
        f"{shortened(name)} must be a string" for name, value in found.items() if not isinstance(value, str)
    ]
    known = [argument.name for argument in prompt.arguments]
    faults += [f"there is no {shortened(name)}" for name in found if name not in known]
    faults += [f"{a.name} is missing" for a in prompt.arguments if a.required and a.name not in found]
    if faults:
        raise InvalidParams(f"Invalid arguments for prompt {prompt.name}: {'; '.join(faults)}")
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
    raise TypeError(f"the prompt {prompt.name} gave {type(part).__name__}, which is no message")
