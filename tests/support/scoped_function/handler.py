"""A function with a tool that needs a scope of its own; tests put the clock of its keys forward."""

import os
import time
from pathlib import Path

from mcpcore import Context, Server
from mcpcore_aws import EnvironmentReader, LambdaAdapter
from mcpcore_aws.authorization.settings import open_authorizer, read_authorization_settings

server = Server("scoped", version="1")


@server.tool()
def whoami(*, context: Context) -> str:
    """Give the name of the caller."""
    principal = context.principal
    return f"{principal.subject} by {principal.client_id}" if principal else "nobody"


@server.tool(scopes=("mcp:write",))
def write() -> str:
    """Change something."""
    return "written"


def _clock() -> float:
    return time.time() + float(Path(os.environ["SECONDS_AHEAD"]).read_text())


lambda_handler = LambdaAdapter.from_environment(
    server,
    authorizer=open_authorizer(read_authorization_settings(EnvironmentReader(os.environ)), clock=_clock),
)
