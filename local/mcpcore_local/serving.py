"""Serve an MCP server from a program: `run` over HTTP, `run_stdio` over stdin and stdout."""

import os
import re
import secrets
import signal
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from mcpcore import BuiltServer, MemorySessions, Server
from mcpcore.http import Policy
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_local.gateway import Handler, HttpGateway, Route
from mcpcore_local.stdio import exclusive_stdout, serve

__all__ = ["Servable", "client_setup", "gateway_until_interrupted", "run", "run_stdio"]

Servable: TypeAlias = Server | BuiltServer | Handler

_STATE_KEY_BYTES: Final = 32
_NOT_IN_A_NAME: Final = re.compile(r"[^\w-]+", re.ASCII)  # clients and shells take the rest unquoted

_CLIENT_SETUP: Final = """\
  Claude Code      claude mcp add --transport http {name} {url}
  Claude Desktop   in claude_desktop_config.json, under "mcpServers":
                   "{name}": {{"command": "npx", "args": ["mcp-remote", "{url}"]}}
  VS Code          code --add-mcp '{{"name": "{name}", "type": "http", "url": "{url}"}}'
  Cursor           in ~/.cursor/mcp.json, under "mcpServers":
                   "{name}": {{"url": "{url}"}}"""

_WELCOME: Final = """\
{name} is served at {url}

{clients}
  curl             curl -s {url} -H 'Content-Type: application/json' \\
                     -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' \\
                     -d '{{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {{"_meta": {{
                           "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": {{}}}}}}}}'

Ctrl-C stops it. Below, a line for each request.
"""


def run(server: Servable, *, port: int = 3000, allowed_origins: Iterable[str] = ()) -> None:
    """Serve `server` at `http://127.0.0.1:<port>/mcp` until SIGINT (Ctrl-C) or SIGTERM.

    Port 0 is any free one. Web pages of other origins than the server's own are refused unless
    `allowed_origins` names them, `http://localhost:6274` for example. Call it in the main thread.

    Raises:
        DefinitionError: the server cannot be built as defined.
        SystemExit: the port cannot be served; the message says why.
        TypeError: `server` is neither a server nor a Lambda handler.
        ValueError: `allowed_origins` is given with a Lambda handler, which applies its own policy.
    """
    if not callable(server) and not isinstance(server, Server | BuiltServer):
        raise TypeError(f"a Server or a Lambda handler can be served, and this is {server!r}")
    origins = frozenset(allowed_origins)
    if origins and not isinstance(server, Server | BuiltServer):
        raise ValueError("a Lambda handler applies its own policy: allowed_origins cannot be added to it")
    with gateway_until_interrupted(port) as gateway:
        if isinstance(server, Server | BuiltServer):
            built = _built(server)
            name, handler = built.info.name, _adapter(built, gateway.policy, origins)
        else:
            name, handler = "local-server", server
        clients = client_setup(name, gateway.url)
        print(_WELCOME.format(name=name, url=gateway.url, clients=clients), flush=True)
        gateway.serve(handler)


def run_stdio(server: Server | BuiltServer) -> None:
    """Serve `server` over stdin and stdout until stdin closes or the process is interrupted.

    Raises:
        DefinitionError: the server cannot be built as defined.
    """
    built = _built(server)
    with exclusive_stdout() as answers:
        try:
            serve(built, sys.stdin.buffer, answers)
        except (KeyboardInterrupt, BrokenPipeError):
            # The client has gone. Redirect: Python would flush what is left into the closed pipe.
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


@contextmanager
def gateway_until_interrupted(
    port: int, pages: Collection[Route] = (), *, renames_challenge: bool = False
) -> Iterator[HttpGateway]:
    """A gateway on `port` for a block that SIGINT or SIGTERM ends without a traceback.

    `pages` and `renames_challenge` are those of `HttpGateway`.

    Raises:
        SystemExit: the port cannot be served; the message says why.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell starts background jobs with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    try:
        gateway = HttpGateway(port, pages, renames_challenge=renames_challenge)
    except OSError as error:
        raise SystemExit(f"Port {port} cannot be served: {error.strerror}. Choose another port.") from error
    except OverflowError as error:
        raise SystemExit(f"Port {port} cannot be served: a port is a number from 0 to 65535.") from error
    with gateway:
        try:
            yield gateway
        except KeyboardInterrupt:
            print("Stopped.", flush=True)


def client_setup(name: str, url: str) -> str:
    """Instructions for a terminal: how to add the server at `url` to common MCP clients."""
    return _CLIENT_SETUP.format(name=_NOT_IN_A_NAME.sub("-", name), url=url)


def _built(server: Server | BuiltServer) -> BuiltServer:
    return server.build() if isinstance(server, Server) else server


def _adapter(server: BuiltServer, policy: Policy, origins: frozenset[str]) -> Handler:
    os.environ.setdefault("POWERTOOLS_SERVICE_NAME", server.info.name)
    os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")  # only CloudWatch reads them from the output
    return LambdaAdapter(
        server.without_scopes(),  # everybody on this machine may call
        sessions=MemorySessions(),
        policy=policy._replace(allowed_origins=policy.allowed_origins | origins),
        state_keys=(secrets.token_bytes(_STATE_KEY_BYTES),),
    )
