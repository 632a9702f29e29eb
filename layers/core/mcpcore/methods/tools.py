"""tools/call: find the tool, check its arguments, run it, and say how it went (spec server/tools)."""

from collections.abc import Mapping
from typing import Any

from mcpcore.capabilities import lacking
from mcpcore.content import TextContent, ToolResult, block_to_wire
from mcpcore.definitions import Tool
from mcpcore.errors import (
    InternalError,
    InvalidArguments,
    InvalidParams,
    McpError,
    MissingClientCapability,
    ToolError,
    shortened,
)
from mcpcore.methods.call import Answer, Call
from mcpcore.schemas import OutputSchema
from mcpcore.versions import Era, at_least

__all__ = ["call_tool"]


def call_tool(call: Call) -> Answer:
    """Run the tool that `params.name` names.

    Raises:
        InvalidParams: the params do not fit, no such tool, or, before 2025-11-25, arguments that
            break its schema; since then those are a tool error that a model can learn from.
        MissingClientCapability: the tool needs what a modern client has not declared.
        InternalError: the tool gave back something else than it promises.
    """
    tool = _tool(call)
    arguments = call.params.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raise InvalidParams("Invalid params: arguments must be an object")
    try:
        _require_capabilities(tool, call)
        values = tool.arguments.checked(tool.name, arguments)
        if tool.takes_context:
            values["context"] = call.context
        returned = tool.function(**values)
    except ToolError as error:
        return _failure(call, error.message)
    except InvalidArguments as error:
        if at_least(call.envelope.version, "2025-11-25"):
            return _failure(call, error.message)
        raise
    except McpError:
        raise
    except Exception as cause:
        return _failure(call, f"The tool {tool.name} failed. Try again later.", cause)
    return _success(call, tool, returned)


def _tool(call: Call) -> Tool:
    name = call.params.get("name")
    if not isinstance(name, str):
        raise InvalidParams("Invalid params: name must be a string, the name of a tool")
    tool = call.server.tools.get(name)
    if tool is None:
        raise InvalidParams(f"Unknown tool: {shortened(name)}. tools/list names the tools there are")
    return tool


def _require_capabilities(tool: Tool, call: Call) -> None:
    missing = lacking(call.envelope.capabilities, tool.requires)
    if not missing:
        return
    error = MissingClientCapability(missing)
    # The legacy era has no code for this, so there the model is told.
    raise error if call.envelope.era is Era.MODERN else ToolError(error.message)


def _success(call: Call, tool: Tool, returned: object) -> Answer:
    match returned:
        case str() if tool.output is None:
            return Answer(_result(call, returned, failed=False))
        case ToolResult(structured, str(text)) if tool.output is not None:
            return _structured(call, tool.output, structured, text)
    raise InternalError from TypeError(f"{tool.name} returned {type(returned).__name__}")


def _structured(call: Call, output: OutputSchema, structured: object, text: str) -> Answer:
    try:
        checked = output.checked(structured)
        if not at_least(call.envelope.version, "2025-06-18"):
            return Answer(_result(call, text, failed=False))
        return Answer(_result(call, text, failed=False, structured=checked))
    except ValueError as cause:
        raise InternalError from cause


def _failure(call: Call, text: str, cause: Exception | None = None) -> Answer:
    return Answer(_result(call, text, failed=True), failed=True, cause=cause)


def _result(call: Call, text: str, *, failed: bool, **structured: Any) -> bytes:
    members: dict[str, Any] = {"content": [block_to_wire(TextContent(text))]}
    if structured:
        members["structuredContent"] = structured["structured"]
    return call.result({**members, "isError": failed})
