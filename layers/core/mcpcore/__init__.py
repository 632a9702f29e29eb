"""A sans-I/O server core for the Model Context Protocol: bytes and values in, bytes and values out.

It reads no clock, opens no socket and knows no vendor; what it needs is passed in.
"""

from mcpcore.content import ToolResult
from mcpcore.context import Context, Given
from mcpcore.definitions import BuiltServer, CacheHint
from mcpcore.errors import DefinitionError, McpError, StoreUnavailable, ToolError
from mcpcore.server import Server
from mcpcore.sessions import MemorySessions, Session, SessionId, SessionStore

__all__ = [
    "BuiltServer",
    "CacheHint",
    "Context",
    "DefinitionError",
    "Given",
    "McpError",
    "MemorySessions",
    "Server",
    "Session",
    "SessionId",
    "SessionStore",
    "StoreUnavailable",
    "ToolError",
    "ToolResult",
]
