"""`make serve`: the Lambda handler behind a local gateway, with DynamoDB embedded."""

import argparse
import importlib
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mcpcore_aws.settings import SettingsError
from mcpcore_local.gateway import Gateway
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import prepare

__all__ = ["main", "running"]

_WELCOME = """\
Three Good Sources is served at {url}

  Claude Code      claude mcp add --transport http three-good-sources {url}
  Claude Desktop   in claude_desktop_config.json, under "mcpServers":
                   "three-good-sources": {{"command": "npx", "args": ["mcp-remote", "{url}"]}}
  VS Code          code --add-mcp '{{"name": "three-good-sources", "type": "http", "url": "{url}"}}'
  Cursor           in ~/.cursor/mcp.json, under "mcpServers":
                   "three-good-sources": {{"url": "{url}"}}
  curl             curl -s {url} -H 'Content-Type: application/json' \\
                     -H 'MCP-Protocol-Version: 2026-07-28' \\
                     -H 'Mcp-Method: tools/call' -H 'Mcp-Name: get_sources' \\
                     -d '{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{
                           "name": "get_sources", "arguments": {{"query": "how do I get started with rust"}},
                           "_meta": {{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                     "io.modelcontextprotocol/clientCapabilities": {{}}}}}}}}'

Web pages of other origins are refused; ALLOWED_ORIGINS=http://localhost:6274 make serve lets one in.
Ctrl-C stops it. Below, a line for each request.
"""


@contextmanager
def running(port: int) -> Iterator[Gateway]:
    """The product, served on this machine for as long as the block lasts; port 0 is any free one.

    Raises:
        OSError: the port is taken.
    """
    with Gateway(port) as gateway:
        names = [f"{host}:{gateway.server_address[1]}" for host in ("127.0.0.1", "localhost")]
        prepare(ALLOWED_HOSTS=",".join(names), ALLOWED_ORIGINS=",".join(f"http://{name}" for name in names))
        with embedded_dynamodb() as endpoint:
            prepare(AWS_ENDPOINT_URL_DYNAMODB=endpoint)
            gateway.handler = importlib.import_module("handler").lambda_handler
            with gateway.serving():
                yield gateway


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65_535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return port


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="make serve", description=main.__doc__)
    parser.add_argument("--port", type=_port, default=3000)
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background jobs begin with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    try:
        with running(arguments.port) as gateway:
            print(_WELCOME.format(url=gateway.url), flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
    except SettingsError as error:
        print(f"A setting in the environment is wrong: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Port {arguments.port} cannot be served: {error.strerror}. Try PORT=another.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
