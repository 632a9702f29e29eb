"""`python fastmcp_client.py MODE SCENARIO URL`: one scenario of fastmcp's client, reported as JSON.

It runs in an environment of its own, where fastmcp is and the project is not.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from fastmcp import Client  # type: ignore[import-not-found]  # not in the environment that checks types

_FORM: Final = {"username": "ada", "email": "ada@example.com", "name": "Ada", "color": "blue", "ok": True}
_RUST: Final = "registry://categories/rust-learning"
_ASKING: Final[list[tuple[str, dict[str, Any]]]] = [
    ("test_elicitation", {"message": "Who are you?"}),
    ("test_sampling", {"prompt": "Which city?"}),
    ("test_input_required_result_list_roots", {}),
    ("test_input_required_result_multiple_inputs", {}),
    ("test_input_required_result_multi_round", {}),
]

_Document = dict[str, Any]


async def product(client: Any) -> _Document:
    """List, read, get, complete and call."""
    slug = {"name": "slug", "value": "rust"}
    contents = await client.read_resource(_RUST)
    prompt = await client.get_prompt("research_topic", {"topic": "rust"})
    completion = await client.complete(_reference("registry://categories/{slug}"), slug)
    result = await client.call_tool("get_sources", {"query": "learning rust"})
    return {
        "version": client.session.protocol_version,
        "tools": [tool.name for tool in await client.list_tools()],
        "prompts": [prompt.name for prompt in await client.list_prompts()],
        "resources": [str(resource.uri) for resource in await client.list_resources()],
        "contents": [content.text for content in contents],
        "prompt": [message.content.type for message in prompt.messages],
        "completed": completion.values,
        "structured": result.structured_content,
    }


async def asks(client: Any) -> _Document:
    """Answer several kinds of questions, and receive progress."""
    steps: list[list[Any]] = []

    async def note(*step: Any) -> None:
        steps.append(list(step))

    await client.call_tool("test_tool_with_progress", progress_handler=note)
    return {
        "texts": [_text(await client.call_tool(name, arguments)) for name, arguments in _ASKING],
        "progress": steps,
    }


_SCENARIOS: Final[Mapping[str, Callable[[Any], Awaitable[_Document]]]] = {
    "product": product,
    "asks": asks,
}


async def fill(_message: str, _type: object, params: Any, _context: object) -> dict[str, Any]:
    """What the person behind the client fills in."""
    return {name: _FORM[name] for name in params.requested_schema["properties"]}


async def write(_messages: object, _params: object, _context: object) -> str:
    """What the model behind the client writes."""
    return "Paris"


def _reference(uri: str) -> Any:
    from mcp_types import ResourceTemplateReference

    return ResourceTemplateReference(uri=uri)


def _text(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


async def main(mode: str, scenario: str, url: str) -> None:
    """Run the scenario with a client in this mode."""
    client = Client(
        url,
        mode=mode,
        elicitation_handler=fill,
        sampling_handler=write,
        roots=["file:///home/ada/engine"],
    )
    async with client:
        json.dump(await _SCENARIOS[scenario](client), sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
