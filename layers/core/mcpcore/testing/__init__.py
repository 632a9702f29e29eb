"""An in-memory client for tests of a server: synchronous, in both eras, without a network.

Servers import nothing of this package.
"""

from mcpcore.testing.answers import OnElicit, OnSample
from mcpcore.testing.client import Client, ToolResponse

__all__ = ["Client", "OnElicit", "OnSample", "ToolResponse"]
