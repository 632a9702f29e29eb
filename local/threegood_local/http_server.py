"""`make serve`: the Lambda handler behind a local gateway, with DynamoDB embedded."""

import argparse
import importlib
import sys
from typing import Final

from mcpcore_aws.settings import SettingsError
from mcpcore_local import client_setup, gateway_until_interrupted
from sources.resources import REGISTRY_PATH
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import set_defaults

_PAGES: Final = (("GET", REGISTRY_PATH), ("HEAD", REGISTRY_PATH))  # as the template routes them

_WELCOME: Final = """\
Three Good Sources is served at {url}

{clients}
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


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="make serve", description=main.__doc__)
    parser.add_argument("--port", type=int, default=3000)
    port = parser.parse_args().port
    set_defaults()
    with gateway_until_interrupted(port, _PAGES) as gateway, embedded_dynamodb() as endpoint:
        set_defaults(
            AWS_ENDPOINT_URL_DYNAMODB=endpoint,
            ALLOWED_HOSTS=",".join(gateway.policy.allowed_hosts),
            ALLOWED_ORIGINS=",".join(gateway.policy.allowed_origins),
        )
        try:
            handler = importlib.import_module("handler").lambda_handler
        except SettingsError as error:
            sys.exit(f"A setting in the environment is wrong: {error}")
        print(
            _WELCOME.format(url=gateway.url, clients=client_setup("three-good-sources", gateway.url)),
            flush=True,
        )
        gateway.serve(handler)


if __name__ == "__main__":
    main()
