"""A sans-I/O server core for the Model Context Protocol: bytes and values in, bytes and values out.

It reads no clock, opens no socket and imports nothing of a vendor; what it needs is passed in. The public
names are below, with `mcpcore.testing.Client`, and `mcpcore.http` for an edge of your own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from mcpcore.definitions.built import BuiltServer, CacheHint, Icon, PromptArgument, ResourceInfo, ToolText
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
    InsufficientScope,
    InternalError,
    McpError,
    MissingClientCapability,
    NoMatch,
    QuestionRefused,
    StoreUnavailable,
    TooLargeToStore,
    ToolError,
    Unauthorized,
)
from mcpcore.request.context import Context
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import Outcome, RequestRecord
from mcpcore.request.principal import Principal
from mcpcore.server.server import Server
from mcpcore.sessions.ids import ExchangeId, SessionId

if TYPE_CHECKING:
    from mcpcore.questions.answer import Answers, Elicited, Root, Roots, Sampled
    from mcpcore.questions.question import Elicit, ElicitUrl, ListRoots, Sample
    from mcpcore.sessions.memory import MemorySessions
    from mcpcore.sessions.session import Exchange, Session
    from mcpcore.sessions.store import (
        CloseSession,
        CreateExchange,
        DeleteExchange,
        ExtendSession,
        OpenSession,
        RecordAnswer,
        SessionStore,
        SetLogLevel,
        StoreAction,
        UpdateExchange,
    )

__all__ = [
    "Answers",
    "Audio",
    "BuiltServer",
    "CacheHint",
    "CloseSession",
    "ContentBlock",
    "Context",
    "CreateExchange",
    "DefinitionError",
    "DeleteExchange",
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "Engine",
    "Exchange",
    "ExchangeId",
    "ExtendSession",
    "Icon",
    "Image",
    "InsufficientScope",
    "InternalError",
    "ListRoots",
    "McpError",
    "MemorySessions",
    "MissingClientCapability",
    "NoMatch",
    "OpenSession",
    "Outcome",
    "Param",
    "Principal",
    "PromptArgument",
    "PromptMessage",
    "QuestionRefused",
    "RecordAnswer",
    "RequestEnvironment",
    "RequestRecord",
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
    "SetLogLevel",
    "StoreAction",
    "StoreUnavailable",
    "Text",
    "TooLargeToStore",
    "ToolError",
    "ToolResult",
    "ToolText",
    "Unauthorized",
    "UpdateExchange",
]

_IMPORTED_WHEN_USED: Final = {
    "mcpcore.questions.answer": ("Answers", "Elicited", "Root", "Roots", "Sampled"),
    "mcpcore.questions.question": ("Elicit", "ElicitUrl", "ListRoots", "Sample"),
    "mcpcore.sessions.memory": ("MemorySessions",),
    "mcpcore.sessions.session": ("Exchange", "Session"),
    "mcpcore.sessions.store": (
        "CloseSession",
        "CreateExchange",
        "DeleteExchange",
        "ExtendSession",
        "OpenSession",
        "RecordAnswer",
        "SessionStore",
        "SetLogLevel",
        "StoreAction",
        "UpdateExchange",
    ),
}


def __getattr__(name: str) -> Any:
    """Import a name that most cold starts do not need (PEP 562)."""
    for module, names in _IMPORTED_WHEN_USED.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
