"""A function whose tools fail as only a process can: by its memory, or by its end."""

import os
import resource
import signal
import sys

from mcpcore import Context, Server, ToolError
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions

_NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
_MEMORY_BYTES = 1_500_000_000

server = Server("faulty", version="1", logging=True)


@server.tool()
def process() -> str:
    """Give the id of this process."""
    return str(os.getpid())


@server.tool()
def charge(*, context: Context) -> str:
    """Ask for a name, then charge: each run writes a line to standard error."""
    name = context.elicit("Who?", _NAME, key="who").content["name"]
    sys.stderr.write(f"charged in {os.getpid()}\n")
    return f"{name} was charged in {os.getpid()}"


@server.tool()
def hoard() -> str:
    """Take more memory than there is, as far as Python notices."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.RLIM_INFINITY))
    try:
        return str(len(bytearray(2 * _MEMORY_BYTES)))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@server.tool()
def die() -> str:
    """End as Lambda ends a process whose memory is used up."""
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


@server.tool()
def keep(text: str, *, context: Context) -> str:
    """Take a text, tell it to the log and to the client, and fail with it."""
    context.log("error", text)
    context.log_field("text", text)
    raise ToolError(text) if text.startswith("refuse") else RuntimeError(text)


lambda_handler = LambdaAdapter(
    server, sessions=DynamoDBSessions(os.environ["SESSIONS_TABLE"]), state_keys=[b"k" * 32]
)
