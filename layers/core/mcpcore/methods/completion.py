"""completion/complete: values for arguments of prompts and variables of templates.

Spec server/utilities/completion.
"""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore.definitions.built import BuiltServer, Completer
from mcpcore.methods.call import Call, MethodResult
from mcpcore.protocol.errors import HandlerCrashed, InvalidParams, McpError, shortened

__all__ = ["complete"]

_MAX_VALUES: Final = 100
_NAMED_BY: Final = {"ref/prompt": "name", "ref/resource": "uri"}


def complete(call: Call) -> MethodResult:
    """Values that complete what was typed; none for an argument without a completer.

    Raises:
        InvalidParams: the reference names no prompt or template, or it has no such argument.
        InsufficientScope: the principal lacks a scope of the prompt or template.
        HandlerCrashed: the completer raised, or returned something else than strings.
    """
    kind, named = _reference(call.params.get("ref"))
    argument, typed = _argument(call.params.get("argument"))
    arguments, scopes = _completable(call.server, kind, named)
    call.require_scopes(scopes)
    if argument not in arguments:
        raise InvalidParams(f"Invalid params: {named} has no argument {shortened(argument)}")
    completer = call.server.completers.get((kind, named, argument))
    try:
        values = [] if completer is None else _values(call, completer, typed)
    except McpError:
        raise
    except Exception as cause:
        raise HandlerCrashed from cause
    completion = {
        "values": values[:_MAX_VALUES],
        "total": len(values),
        "hasMore": len(values) > _MAX_VALUES,
    }
    return MethodResult(call.result({"completion": completion}))


def _values(call: Call, completer: Completer, typed: str) -> list[str]:
    others = _other_arguments(call.params)
    # By position, as `Completer` declares them: their names are the function's own.
    values = list(call.within_deadline(lambda: completer(typed, others)))
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a completer returned something else than strings")
    return values


def _reference(ref: object) -> tuple[str, str]:
    kind = ref.get("type") if isinstance(ref, Mapping) else None
    if not isinstance(ref, Mapping) or not isinstance(kind, str) or kind not in _NAMED_BY:
        raise InvalidParams("Invalid params: ref must be of type ref/prompt or ref/resource")
    named = ref.get(_NAMED_BY[kind])
    if not isinstance(named, str):
        raise InvalidParams(f"Invalid params: ref.{_NAMED_BY[kind]} must be a string")
    return kind, named


def _argument(argument: object) -> tuple[str, str]:
    name, value = (
        (argument.get("name"), argument.get("value")) if isinstance(argument, Mapping) else (None, None)
    )
    if not isinstance(name, str) or not isinstance(value, str):
        raise InvalidParams("Invalid params: argument must have a name and a value, both strings")
    return name, value


def _completable(server: BuiltServer, kind: str, named: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The arguments of a prompt, or the variables of a template, and the scopes that it needs."""
    if kind == "ref/prompt" and named in server.prompts:
        prompt = server.prompts[named]
        return tuple(argument.name for argument in prompt.arguments), prompt.scopes
    templates = {resource.template.text: resource for resource in server.templates}
    if kind == "ref/resource" and named in templates:
        return templates[named].template.variables, templates[named].scopes
    raise InvalidParams(
        f"Invalid params: ref names no {'prompt' if kind == 'ref/prompt' else 'resource template'}"
    )


def _other_arguments(params: Mapping[str, Any]) -> Mapping[str, str]:
    context = params.get("context")
    others = context.get("arguments") if isinstance(context, Mapping) else None
    if not isinstance(others, Mapping):
        return {}
    return {name: value for name, value in others.items() if isinstance(value, str)}
