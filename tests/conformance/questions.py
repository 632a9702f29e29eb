"""The tools and the prompt of the fixture that ask the client something."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mcpcore import Context, Elicit, Elicited, ElicitUrl, ListRoots, Sample

__all__ = ["PROMPTS", "TOOLS"]


def form(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """A form whose fields are all required."""
    return {"type": "object", "properties": properties, "required": list(properties)}


STRING: Final = {"type": "string"}
BOOLEAN: Final = {"type": "boolean"}

DEFAULTS: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {
            "type": "string",
            "description": "User status",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "description": "Verification status", "default": True},
    },
    "required": [],
}

TITLED: Final = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
CHOICES: Final = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {
            "type": "array",
            "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
        },
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
    "required": [],
}


def sampling(prompt: str, *, context: Context) -> str:
    """Pass a prompt on to the client's model."""
    return f"LLM response: {context.sample(prompt, max_tokens=100).text}"


def elicitation(message: str, *, context: Context) -> str:
    """Ask the user for a name and an address."""
    answer = context.elicit(message, form(username=STRING, email=STRING), key="user")
    return f"User response: {_described(answer)}"


def elicitation_sep1034_defaults(*, context: Context) -> str:
    """Ask with a default in every field."""
    answer = context.elicit("Please review and update the form fields with defaults", DEFAULTS)
    return f"Elicitation completed: {_described(answer)}"


def elicitation_sep1330_enums(*, context: Context) -> str:
    """Ask with every kind of choice."""
    answer = context.elicit("Please select options from the enum fields", CHOICES)
    return f"Elicitation completed: {_described(answer)}"


def elicitation_url(*, context: Context) -> str:
    """Send the user to a page."""
    answer = context.elicit_url("Please sign in", "https://example.com/sign-in", key="visit")
    return f"User response: {_described(answer)}"


def streaming_elicitation(*, context: Context) -> str:
    """Ask, where a stream could have carried the question."""
    return f"User response: {_described(context.elicit('What is your name?', form(name=STRING)))}"


def input_required_result_elicitation(*, context: Context) -> str:
    """Ask the user for a name and greet them."""
    answer = context.elicit("What is your name?", form(name=STRING), key="user_name")
    return f"Hello, {answer.content.get('name', 'whoever you are')}!"


def input_required_result_sampling(*, context: Context) -> str:
    """Ask the client's model a question of geography."""
    answer = context.sample("What is the capital of France?", max_tokens=100, key="capital_question")
    return f"The model says: {answer.text}"


def input_required_result_list_roots(*, context: Context) -> str:
    """Ask which folders the client works on."""
    roots = context.roots(key="client_roots")
    return f"The client works on: {', '.join(root.uri for root in roots)}"


def input_required_result_request_state(*, context: Context) -> str:
    """Ask for a confirmation, with state that comes back."""
    context.elicit("Please confirm", form(ok=BOOLEAN), key="confirm")
    return "state-ok"


def input_required_result_multiple_inputs(*, context: Context) -> str:
    """Ask three questions at once."""
    answers = context.ask(
        {
            "user_name": Elicit("What is your name?", form(name=STRING)),
            "greeting": Sample("Generate a greeting", 50),
            "client_roots": ListRoots(),
        }
    )
    return f"All answered: {', '.join(answers)}"


def input_required_result_multi_round(*, context: Context) -> str:
    """Ask twice, the second time after the first answer."""
    name = context.elicit("Step 1: What is your name?", form(name=STRING), key="step1")
    color = context.elicit("Step 2: What is your favorite color?", form(color=STRING), key="step2")
    return f"{name.content.get('name', 'Somebody')} likes {color.content.get('color', 'no color')}"


def input_required_result_tampered_state(*, context: Context) -> str:
    """Ask for a confirmation, with state that must come back as it was."""
    context.elicit("Please confirm", form(ok=BOOLEAN), key="confirm")
    return "The state came back as it was"


def input_required_result_capabilities(*, context: Context) -> str:
    """Ask in whichever ways the client can be asked."""
    wished: dict[str, Elicit | ElicitUrl | Sample] = {
        "user_name": Elicit("What is your name?", form(name=STRING)),
        "greeting": Sample("Generate a greeting", 50),
        "visit": ElicitUrl("Please sign in", "https://example.com/sign-in"),
    }
    possible = {key: question for key, question in wished.items() if context.can_ask(question)}
    return f"Answered: {', '.join(context.ask(possible)) or 'nothing'}"


def input_required_result_prompt(*, context: Context) -> str:
    """Ask the user what the prompt is about."""
    answer = context.elicit("What is the context?", form(context=STRING), key="user_context")
    return f"Work in this context: {answer.content.get('context', 'none')}"


def _described(answer: Elicited[Mapping[str, Any]]) -> str:
    return f"action={answer.action}, content={json.dumps(answer.content)}"


TOOLS: Final[Sequence[Callable[..., str]]] = (
    sampling,
    elicitation,
    elicitation_sep1034_defaults,
    elicitation_sep1330_enums,
    elicitation_url,
    streaming_elicitation,
    input_required_result_elicitation,
    input_required_result_sampling,
    input_required_result_list_roots,
    input_required_result_request_state,
    input_required_result_multiple_inputs,
    input_required_result_multi_round,
    input_required_result_tampered_state,
    input_required_result_capabilities,
)

PROMPTS: Final[Sequence[Callable[..., str]]] = (input_required_result_prompt,)
