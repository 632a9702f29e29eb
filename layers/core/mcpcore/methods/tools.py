"""tools/call: find a tool, check its arguments, run it (spec server/tools)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from mcpcore.definitions.built import Tool
from mcpcore.definitions.schemas import DeclaredSchema, OutputSchema
from mcpcore.methods.call import Call, MethodResult
from mcpcore.protocol.capabilities import missing_capabilities
from mcpcore.protocol.content import ContentBlock, Text, ToolResult, block_to_wire
from mcpcore.protocol.errors import (
    InternalError,
    InvalidArguments,
    InvalidParams,
    McpError,
    MissingClientCapability,
    ToolError,
    shortened,
)
from mcpcore.protocol.versions import Era, at_least

__all__ = ["call_tool", "tool_failure"]


def call_tool(call: Call) -> MethodResult:
    """Run the tool that `params.name` names.

    Raises:
        InvalidParams: the params are wrong, there is no such tool, or, before 2025-11-25, its arguments
            break its schema; since then those are a tool error that a model can learn from.
        MissingClientCapability: a modern client has not declared what the tool requires.
        InternalError: the tool returned something else than it declares.
        DeadlineExceeded: the tool did not end in time.
    """
    tool = _tool(call)
    arguments = call.params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise InvalidParams("Invalid params: arguments must be an object")
    try:
        _require_capabilities(tool, call)
        values = _checked_arguments(call, tool, arguments)
        returned = call.invoke(tool.function, values, tool.context_parameter)
    except ToolError as error:
        return tool_failure(call, error.message)
    except InvalidArguments as error:
        if at_least(call.envelope.version, "2025-11-25"):
            return tool_failure(call, error.message)
        raise
    except McpError:
        raise
    except Exception as cause:
        return tool_failure(call, f"The tool {tool.name} failed. Try again later.", cause)
    return _success(call, tool, returned)


def tool_failure(call: Call, text: str, cause: Exception | None = None) -> MethodResult:
    """The result of a tool execution error: `text` tells the model what went wrong."""
    members = {"content": [block_to_wire(Text(text), call.envelope.version)], "isError": True}
    return MethodResult(call.result(members), failed=True, cause=cause)


def _tool(call: Call) -> Tool:
    name = call.params.get("name")
    if not isinstance(name, str):
        raise InvalidParams("Invalid params: name must be a string, the name of a tool")
    tool = call.server.tools.get(name)
    if tool is None:
        raise InvalidParams(f"Unknown tool: {shortened(name)}. tools/list names the tools there are")
    return tool


def _require_capabilities(tool: Tool, call: Call) -> None:
    missing = missing_capabilities(call.envelope.capabilities, tool.requires)
    if not missing:
        return
    error = MissingClientCapability(missing)
    # The legacy era has no code for this: there the model reads the sentence.
    raise error if call.envelope.era is Era.MODERN else ToolError(error.message)


def _success(call: Call, tool: Tool, returned: object) -> MethodResult:
    try:
        members = _members(call, tool, returned)
        return MethodResult(call.result({**members, "isError": False}))
    except (TypeError, ValueError, AttributeError, RecursionError) as cause:
        raise InternalError(f"{tool.name} returned a value that cannot be sent") from cause


def _members(call: Call, tool: Tool, returned: object) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if isinstance(returned, ToolResult):
        members |= _structured(call, tool, returned.structured)
        returned = returned.text
    elif tool.output is not None:
        members |= _structured(call, tool, returned)
        returned = _checked_output(call, tool.output, partial(tool.output.as_text, returned))
    blocks = [block_to_wire(block, call.envelope.version) for block in _blocks(tool, returned)]
    return {"content": blocks, **members}


def _structured(call: Call, tool: Tool, value: object) -> dict[str, Any]:
    if tool.output is None:
        raise InternalError(f"{tool.name} returned structured content that it does not declare")
    checked = _checked_output(call, tool.output, partial(tool.output.checked, value))
    return {"structuredContent": checked} if tool.output.sent_to(call.envelope.version) else {}


def _checked_arguments(call: Call, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(tool.arguments, DeclaredSchema):
        # jsonschema is pure Python, and a client's value can keep it busy: the deadline covers it too.
        checked: dict[str, Any] = call.within_deadline(partial(tool.arguments.checked, tool.name, arguments))
        return checked
    return tool.arguments.checked(tool.name, arguments)


def _checked_output(call: Call, output: OutputSchema, check: Callable[[], Any]) -> Any:
    return check() if output.adapter is not None else call.within_deadline(check)


def _blocks(tool: Tool, returned: object) -> Sequence[ContentBlock]:
    if returned is None:
        return ()
    if isinstance(returned, str):
        return (Text(returned),)
    if isinstance(returned, ContentBlock):
        return (returned,)
    if isinstance(returned, list | tuple) and all(isinstance(block, ContentBlock) for block in returned):
        return returned
    raise InternalError(f"{tool.name} returned {type(returned).__name__}, which is not content")
