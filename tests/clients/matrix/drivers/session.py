"""The steps with what has the methods of the official SDK's session, or returns its records.

SDK 1 spells the fields of a record like the protocol, SDK 2 like Python. Some clients return a bare list
where the SDK returns a record with one, or a dictionary where it returns a record.
"""

from collections.abc import Iterable
from typing import Any

from steps import QUERY, TOPIC, URI, WRONG, absent, refused, step


async def use(session: Any) -> None:
    """All steps but the first and the last."""
    with step("tools") as found:
        found(names(await session.list_tools(), "tools"))
    with step("call") as found:
        found(answered(await session.call_tool("get_sources", QUERY)))
    with refused() as found:
        result = await session.call_tool("get_sources", WRONG)
        found(is_error(result), texts(result.content))
    if hasattr(session, "list_resources"):
        await _use_resources(session)
    else:
        absent("resources", "read")
    with step("prompts") as found:
        found(names(await session.list_prompts(), "prompts"))
    with step("prompt") as found:
        found(messages(await session.get_prompt("research_topic", TOPIC)))


async def _use_resources(session: Any) -> None:
    with step("resources") as found:
        found(uris(await session.list_resources()))
    with step("read") as found:
        read = await session.read_resource(URI)
        found(texts(getattr(read, "contents", read)))


def version(connected: Any) -> str | None:
    """The negotiated protocol version of a client, or of what `initialize` gave it; None if not told."""
    told = either(connected, "protocol_version", "protocolVersion", "initialize_result")
    return told if told is None or isinstance(told, str) else version(told)


def names(listed: Any, member: str) -> list[str]:
    """The names in a list of tools or prompts."""
    return [each.name for each in getattr(listed, member, listed)]


def uris(listed: Any) -> list[str]:
    """The URIs in a list of resources."""
    return [str(each.uri) for each in getattr(listed, "resources", listed)]


def texts(blocks: Iterable[Any]) -> list[str]:
    """The text of each content block: its own, or that of the resource within."""
    return [_text(block) for block in blocks]


def either(record: Any, *names: str) -> Any:
    """The first of these fields that there is: SDK 2 renamed what 1 spelled like the protocol."""
    fields = (getattr(record, name, None) for name in names)
    return next((field for field in fields if field is not None), None)


def is_error(result: Any) -> bool:
    """Whether a tool's result of the SDK's type says that it is an error."""
    return bool(either(result, "isError", "is_error"))


def answered(result: Any) -> dict[str, Any]:
    """A tool's result of the SDK's type: its texts, and the structured content."""
    structured = either(result, "structuredContent", "structured_content")
    return {"texts": texts(result.content), "structured": structured}


def messages(prompt: Any) -> list[str]:
    """The texts of a prompt."""
    return texts(message.content for message in prompt.messages)


def _text(block: Any) -> str:
    fields = block if isinstance(block, dict) else vars(block)
    return str(fields["text"]) if "text" in fields else _text(fields["resource"])
