"""The server that the conformance suite tests, built with the public API of the core alone.

The functions have the names of the suite's tools without `test_`, and return what the suite expects.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from mcpcore import (
    Audio,
    CacheHint,
    ContentBlock,
    Context,
    EmbeddedResource,
    Image,
    PromptMessage,
    ResourceContents,
    Server,
    Text,
    ToolError,
)
from tests.conformance import questions

__all__ = ["fixture_server"]

PNG: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# The shortest sound there is: a header for 8 kHz, 8 bits, one channel, and no samples.
WAV: Final = (
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00"
    b"\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00"
    b"data\x00\x00\x00\x00"
)

CONTACT: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def fixture_server() -> Server:
    """What the scenarios of both requirement sets need, scored or not."""
    server = Server(
        "conformance-fixture",
        version="1.0.0",
        title="Conformance fixture",
        instructions="Call whichever tool the scenario at hand is about.",
        cache=CacheHint(ttl_ms=60_000),
        logging=True,
        subscriptions=True,
    )
    for tool in (*_TOOLS, *questions.TOOLS):
        server.tool(f"test_{tool.__name__}", requires=_REQUIRED.get(tool))(tool)
    server.tool("json_schema_2020_12_tool", input_schema=CONTACT)(contact)
    for prompt in (*_PROMPTS, *questions.PROMPTS):
        server.prompt(f"test_{prompt.__name__}")(prompt)
    server.resource("test://static-text", mime_type="text/plain")(static_text)
    server.resource("test://static-binary", mime_type="image/png")(static_binary)
    server.resource("test://template/{id}/data", mime_type="application/json")(template_data)
    server.resource("test://watched-resource", mime_type="text/plain")(watched)
    server.completion("arg1", prompt="test_prompt_with_arguments")(first_arguments)
    return server


def simple_text() -> str:
    """Say one sentence."""
    return "This is a simple text response for testing."


def image_content() -> Image:
    """Show an image of one pixel."""
    return Image(PNG, "image/png")


def audio_content() -> Audio:
    """Play a sound without samples."""
    return Audio(WAV, "audio/wav")


def embedded_resource() -> EmbeddedResource:
    """Put a resource into the answer."""
    contents = "This is an embedded resource content."
    return EmbeddedResource(ResourceContents("test://embedded-resource", contents, "text/plain"))


def multiple_content_types() -> list[ContentBlock]:
    """Answer with a text, an image and a resource."""
    mixed = ResourceContents(
        "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
    )
    return [Text("Multiple content types test:"), Image(PNG, "image/png"), EmbeddedResource(mixed)]


def tool_with_logging(*, context: Context) -> str:
    """Log three steps of the work."""
    for step in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log("info", step)
    return "Tool with logging executed successfully"


def logging_tool(*, context: Context) -> str:
    """Log one step, if the client wants this level."""
    context.log("info", "Tool execution started", "fixture")
    return "Logged if the client wants this level"


def error_handling() -> str:
    """Fail in words."""
    raise ToolError("This tool intentionally returns an error for testing")


def tool_with_progress(*, context: Context) -> str:
    """Report progress three times."""
    for done in (0, 50, 100):
        context.progress(done, 100, f"Completed step {done} of 100")
    return "Tool with progress executed successfully"


def reconnection(*, context: Context) -> str:
    """Close the connection before the answer, which the client gets when it resumes."""
    context.defer()
    return "Reconnection test completed successfully"


def trigger_tool_change() -> str:
    """Do nothing: the tools never change."""
    return "The list of tools is what it was"


def trigger_prompt_change() -> str:
    """Do nothing: the prompts never change."""
    return "The list of prompts is what it was"


def missing_capability() -> str:
    """Need a client that lets the server use its model."""
    return "This client has the capability"


def x_mcp_header(
    region: Annotated[
        str, Field(description="Where to look", json_schema_extra={"x-mcp-header": "Region"})
    ] = "everywhere",
) -> str:
    """Take an argument that is repeated in a header."""
    return f"Looked in {region}"


def contact(**arguments: Any) -> str:
    """Take what a schema with conditions and references allows."""
    return f"Reached by {json.dumps(arguments, sort_keys=True)}"


def simple_prompt() -> str:
    """Give one sentence."""
    return "This is a simple prompt for testing."


def prompt_with_arguments(
    arg1: Annotated[str, Field(description="First test argument")],
    arg2: Annotated[str, Field(description="Second test argument")],
) -> str:
    """Repeat the two arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def prompt_with_embedded_resource(
    resourceUri: Annotated[str, Field(description="URI of the resource to embed")],  # its name on the wire
) -> list[PromptMessage]:
    """Embed a resource and ask about it."""
    contents = ResourceContents(resourceUri, "Embedded resource content for testing.", "text/plain")
    return [
        PromptMessage("user", EmbeddedResource(contents)),
        PromptMessage("user", Text("Please process the embedded resource above.")),
    ]


def prompt_with_image() -> list[PromptMessage]:
    """Show an image and ask about it."""
    return [
        PromptMessage("user", Image(PNG, "image/png")),
        PromptMessage("user", Text("Please analyze the image above.")),
    ]


def first_arguments(value: str, arguments: Mapping[str, str]) -> Sequence[str]:
    """What an `arg1` may be that begins like `value`; the other arguments change nothing."""
    del arguments
    return [word for word in ("paris", "park", "party", "test", "testing") if word.startswith(value)]


def static_text() -> str:
    """A text that never changes."""
    return "This is the content of the static text resource."


def static_binary() -> bytes:
    """An image that never changes."""
    return PNG


def template_data(id: str) -> str:  # the variable's name in the template
    """Data about whatever the URI names."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def watched() -> str:
    """A resource that clients subscribe to."""
    return "This resource can be subscribed to."


_TOOLS: Final[Sequence[Callable[..., Any]]] = (
    simple_text,
    image_content,
    audio_content,
    embedded_resource,
    multiple_content_types,
    tool_with_logging,
    logging_tool,
    error_handling,
    tool_with_progress,
    reconnection,
    trigger_tool_change,
    trigger_prompt_change,
    missing_capability,
    x_mcp_header,
)

_REQUIRED: Final[Mapping[Callable[..., Any], Mapping[str, Any]]] = {missing_capability: {"sampling": {}}}

_PROMPTS: Final[Sequence[Callable[..., Any]]] = (
    simple_prompt,
    prompt_with_arguments,
    prompt_with_embedded_resource,
    prompt_with_image,
)
