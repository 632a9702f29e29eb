"""tools/call: find a tool, check its arguments, run it (spec server/tools)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mcpcore.definitions.built import Tool, ToolText
from mcpcore.definitions.schemas import DeclaredSchema, OutputSchema
from mcpcore.methods.call import Call, MethodResult
from mcpcore.protocol.capabilities import missing_capabilities
from mcpcore.protocol.content import ContentBlock, Text, ToolResult, block_to_wire, check_meta
from mcpcore.protocol.errors import (
    HandlerCrashed,
    InternalError,
    InvalidArguments,
    InvalidParams,
    McpError,
    MissingClientCapability,
    ToolError,
    shortened,
)
from mcpcore.protocol.jsonrpc import json_text
from mcpcore.protocol.versions import Era, at_least

__all__ = ["call_tool", "tool_failure"]


def call_tool(call: Call) -> MethodResult:
    """Run the tool that `params.name` names.

    Raises:
        InvalidParams: the params are wrong, there is no such tool, or, before 2025-11-25, its arguments
            break its schema; since then those are a tool error that a model can learn from.
        InsufficientScope: the principal lacks a scope of the tool.
        MissingClientCapability: a modern client has not declared what the tool requires.
        InternalError: the tool returned something else than it declares.
        DeadlineExceeded: the tool did not end in time.
    """
    tool = _tool(call)
    call.require_scopes(tool.scopes)
    arguments = call.arguments()
    try:
        _require_capabilities(tool, call)
        values = _checked_arguments(call, tool, arguments)
        returned = call.invoke(tool.function, values, tool.context_parameter)
    except ToolError as error:
        return tool_failure(call, error)
    except InvalidArguments as error:
        if at_least(call.envelope.version, "2025-11-25"):
            return tool_failure(call, ToolError(error.message))
        raise
    except McpError:
        raise
    except Exception as cause:
        crash = HandlerCrashed(message=f"The tool {tool.name} failed. Try again later.")
        crash.__cause__ = cause
        return tool_failure(call, crash)
    return _success(call, tool, returned)


def tool_failure(call: Call, error: McpError) -> MethodResult:
    """The result of a tool execution error: the message of `error` tells the model what went wrong.

    Raises:
        InternalError: the `meta` of `error` cannot be sent.
    """
    members = {"content": [block_to_wire(Text(error.message), call.envelope.version)], "isError": True}
    try:
        meta = _meta(error.meta if isinstance(error, ToolError) else None)
        return MethodResult(call.result({**members, **meta}), error)
    except (TypeError, ValueError, AttributeError, RecursionError) as cause:
        raise InternalError("A tool raised an error whose meta cannot be sent") from cause


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
    version = call.envelope.version
    if tool.output is None:
        if isinstance(returned, ToolResult):
            raise InternalError(f"{tool.name} returned structured content that it does not declare")
        return {"content": _to_wire(_blocks(tool, returned), version)}
    result = returned if isinstance(returned, ToolResult) else ToolResult(returned, ())
    structured = _checked_output(call, tool.output, result.structured)
    blocks = _with_json(_blocks(tool, result.text), structured, call.server.tool_text)
    shown = tool.output.members_for(version, structured)
    return {"content": _to_wire(blocks, version), **shown, **_meta(result.meta)}


def _meta(meta: Mapping[str, Any] | None) -> dict[str, Any]:
    if not meta:
        return {}
    check_meta(meta)
    return {"_meta": meta}


def _to_wire(blocks: Sequence[ContentBlock], version: str) -> list[dict[str, Any]]:
    return [block_to_wire(block, version) for block in blocks]


def _with_json(
    own: Sequence[ContentBlock], structured: object, tool_text: ToolText
) -> Sequence[ContentBlock]:
    """The blocks that the tool gave, with `structured` as JSON beside or in place of their text.

    An empty text is none: many clients read the first text alone.
    """
    texts = [block for block in own if isinstance(block, Text) and block.text]
    if texts and tool_text == "own":
        return own
    kept = [block for block in own if not isinstance(block, Text) or (tool_text == "both" and block.text)]
    return [*kept, Text(json_text(structured))]


def _checked_arguments(call: Call, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(tool.arguments, DeclaredSchema):
        # jsonschema is pure Python, and a client's value can keep it busy: the deadline covers it too.
        checked: dict[str, Any] = call.within_deadline(partial(tool.arguments.checked, tool.name, arguments))
        return checked
    return tool.arguments.checked(tool.name, arguments)


def _checked_output(call: Call, output: OutputSchema, structured: object) -> Any:
    check = partial(output.checked, structured)
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
