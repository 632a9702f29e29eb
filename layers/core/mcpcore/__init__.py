"""A sans-I/O server core for the Model Context Protocol: bytes and values in, bytes and values out.

It reads no clock, opens no socket and knows no vendor; what it needs is passed in.
"""

from mcpcore.definitions.built import BuiltServer, CacheHint, Icon, PromptArgument, ResourceInfo
from mcpcore.definitions.param import Param
from mcpcore.protocol.content import (
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
from mcpcore.protocol.errors import (
    DefinitionError,
    McpError,
    MissingClientCapability,
    QuestionRefused,
    StoreUnavailable,
    ToolError,
)
from mcpcore.questions.question import Elicit, Elicited, ElicitUrl, ListRoots, Root, Sample, Sampled
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.server.server import Server
from mcpcore.sessions.memory import MemorySessions
from mcpcore.sessions.store import Session, SessionId, SessionStore

__all__ = [
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
    "Icon",
    "Image",
    "ListRoots",
    "McpError",
    "MemorySessions",
    "MissingClientCapability",
    "Param",
    "PromptArgument",
    "PromptMessage",
    "QuestionRefused",
    "RequestEnvironment",
    "ResourceContents",
    "ResourceInfo",
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
