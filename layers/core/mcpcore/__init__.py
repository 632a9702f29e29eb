"""A sans-I/O server core for the Model Context Protocol: bytes and values in, bytes and values out.

It reads no clock, opens no socket and knows no vendor; what it needs is passed in. The public names are those
below, `mcpcore.testing.Client`, and `mcpcore.http` for whoever writes an edge of their own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from mcpcore.definitions.built import BuiltServer, CacheHint, Icon, PromptArgument, ResourceInfo
from mcpcore.definitions.param import Param
from mcpcore.engine.engine import Engine
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
from mcpcore.request.context import Context
from mcpcore.request.environment import RequestEnvironment
from mcpcore.server.server import Server
from mcpcore.sessions.ids import SessionId

if TYPE_CHECKING:
    from mcpcore.questions.answer import Answers, Elicited, Root, Roots, Sampled
    from mcpcore.questions.question import Elicit, ElicitUrl, ListRoots, Sample
    from mcpcore.sessions.memory import MemorySessions
    from mcpcore.sessions.session import Session
    from mcpcore.sessions.store import SessionStore

__all__ = [
    "Answers",
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
    "Engine",
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
    "Roots",
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

_IMPORTED_WHEN_USED: Final = {
    "mcpcore.questions.answer": ("Answers", "Elicited", "Root", "Roots", "Sampled"),
    "mcpcore.questions.question": ("Elicit", "ElicitUrl", "ListRoots", "Sample"),
    "mcpcore.sessions.memory": ("MemorySessions",),
    "mcpcore.sessions.session": ("Session",),
    "mcpcore.sessions.store": ("SessionStore",),
}


def __getattr__(name: str) -> Any:
    """Import a name that most cold starts do not need (PEP 562)."""
    for module, names in _IMPORTED_WHEN_USED.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
