"""A sans-I/O server core for the Model Context Protocol: bytes and values in, bytes and values out.

It reads no clock, opens no socket and knows no vendor; what it needs is passed in.
"""

from mcpcore.asking import Elicit, Elicited, ElicitUrl, ListRoots, Root, Sample, Sampled
from mcpcore.content import (
    Audio,
    ContentBlock,
    EmbeddedResource,
    Image,
    PromptMessage,
    ResourceContents,
    ResourceLink,
    Text,
    ToolResult,
)
from mcpcore.context import Context, Given
from mcpcore.definitions import BuiltServer, CacheHint, Icon, Listed, PromptArgument
from mcpcore.errors import (
    AskRefused,
    DefinitionError,
    McpError,
    MissingClientCapability,
    StoreUnavailable,
    ToolError,
)
from mcpcore.memory_sessions import MemorySessions
from mcpcore.parameters import Param
from mcpcore.server import Server
from mcpcore.sessions import Session, SessionId, SessionStore

__all__ = [
    "AskRefused",
    "Audio",
    "BuiltServer",
    "CacheHint",
    "ContentBlock",
    "Context",
    "DefinitionError",
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "Given",
    "Icon",
    "Image",
    "ListRoots",
    "Listed",
    "McpError",
    "MemorySessions",
    "MissingClientCapability",
    "Param",
    "PromptArgument",
    "PromptMessage",
    "ResourceContents",
    "ResourceLink",
    "Root",
    "Sample",
    "Sampled",
    "Server",
    "Session",
    "SessionId",
    "SessionStore",
    "StoreUnavailable",
    "Text",
    "ToolError",
    "ToolResult",
]
