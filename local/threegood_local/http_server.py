"""`make serve`: the Lambda handler behind a local gateway, with DynamoDB embedded."""

import argparse
import importlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from mcpcore.http.authorization import METADATA_PATH
from mcpcore_aws.settings import SettingsError
from mcpcore_local import client_setup, gateway_until_interrupted
from sources.baked import BakedRegistry
from sources.resources import HEALTH_PATH, REGISTRY_PATH, SIGNATURE_PATH
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import set_defaults

if TYPE_CHECKING:  # it needs packages that take their time
    from threegood_local.issuer import DevelopmentIssuer

# As the template routes them. A resource with a path has its metadata under both (RFC 9728, section 3.1).
_METADATA_PATHS: Final = (METADATA_PATH, f"{METADATA_PATH}/mcp")
_PAGE_PATHS: Final = (REGISTRY_PATH, SIGNATURE_PATH, HEALTH_PATH, "/audit", "/log/{proxy+}")
_PAGES: Final = (
    *((method, path) for path in _PAGE_PATHS for method in ("GET", "HEAD")),
    *((method, path) for path in _METADATA_PATHS for method in ("GET", "HEAD", "OPTIONS")),
)
_TOKEN_SECONDS: Final = 12 * 3600

_WELCOME: Final = """\
Three Good Sources is served at {url}
{signing}

{clients}
  curl             curl -s {url} -H 'Content-Type: application/json' \\
{authorization}\
                     -H 'MCP-Protocol-Version: 2026-07-28' \\
                     -H 'Mcp-Method: tools/call' -H 'Mcp-Name: get_sources' \\
                     -d '{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{
                           "name": "get_sources", "arguments": {{"query": "how do I get started with rust"}},
                           "_meta": {{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                     "io.modelcontextprotocol/clientCapabilities": {{}}}}}}}}'

{about_tokens}\
Web pages of other origins are refused; ALLOWED_ORIGINS=http://localhost:6274 make serve lets one in.
Ctrl-C stops it. Below, a line for each request.
"""
_AUTHORIZATION: Final = "                     -H 'Authorization: Bearer {token}' \\\n"
_ABOUT_OWN_ISSUER: Final = """\
Every request needs a token from AUTH_ISSUER: for curl, as the header "Authorization: Bearer <token>".
Clients that know OAuth find the issuer and sign in by themselves.

"""
_ABOUT_TOKENS: Final = """\
Every request needs a token from {issuer}, an issuer for development that
lets everybody in. Clients that know OAuth find it and sign in by themselves. For the others this one is
good for {hours} hours, as the header "Authorization: Bearer <token>":

token: {token}

"""


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="make serve", description=main.__doc__)
    parser.add_argument("--port", type=int, default=3000)
    parser.add_argument(
        "--auth", choices=["dev"], help="start an issuer of tokens, and let nobody in without"
    )
    parser.add_argument(
        "--rename", action="store_true", help="rename www-authenticate, as REST APIs and Function URLs do"
    )
    options = parser.parse_args()
    set_defaults()
    with (
        gateway_until_interrupted(options.port, _PAGES, renames_challenge=options.rename) as gateway,
        embedded_dynamodb() as endpoint,
        _issuer() if options.auth else nullcontext() as issuer,
    ):
        set_defaults(
            AWS_ENDPOINT_URL_DYNAMODB=endpoint,
            ALLOWED_HOSTS=",".join(gateway.policy.allowed_hosts),
            ALLOWED_ORIGINS=",".join(gateway.policy.allowed_origins),
            AUTH_RESOURCE=gateway.url,
        )
        try:
            handler = importlib.import_module("handler").lambda_handler
        except SettingsError as error:
            sys.exit(f"A setting in the environment is wrong: {error}")
        print(_welcome(gateway.url, issuer), flush=True)
        gateway.serve(handler)


@contextmanager
def _issuer() -> Iterator["DevelopmentIssuer"]:
    """An issuer whose tokens the handler takes."""
    from threegood_local.issuer import development_issuer

    if os.environ.get("AUTH_ISSUER"):
        sys.exit("AUTH=dev starts an issuer of its own: leave out either AUTH=dev or AUTH_ISSUER.")
    with development_issuer() as issuer:
        set_defaults(AUTH_ISSUER=issuer.url)
        yield issuer


def _welcome(url: str, issuer: "DevelopmentIssuer | None") -> str:
    clients, signing = client_setup("three-good-sources", url), _signing(os.environ["REGISTRY_DIR"])
    if issuer is None:
        about_tokens = _ABOUT_OWN_ISSUER if os.environ.get("AUTH_ISSUER") else ""
        return _WELCOME.format(
            url=url, clients=clients, signing=signing, authorization="", about_tokens=about_tokens
        )
    issuer.tokens.lifetime_seconds = _TOKEN_SECONDS
    scope = os.environ.get("AUTH_SCOPES", "").replace(",", " ")
    token = issuer.tokens.issue("developer", client_id="make serve", audience=url, scope=scope)
    return _WELCOME.format(
        url=url,
        clients=clients,
        signing=signing,
        authorization=_AUTHORIZATION.format(token=token),
        about_tokens=_ABOUT_TOKENS.format(issuer=issuer.url, token=token, hours=_TOKEN_SECONDS // 3600),
    )


def _signing(registry_dir: str) -> str:
    """Whose registry it is, and whether that is signed."""
    facts = BakedRegistry.open(registry_dir).manifest
    how = {
        "signed": f"signed until {facts.expires_at}",
        "expired": f"signed, but expired on {facts.expires_at}: run make sign",
        "edited": "EDITED since it was signed, so UNSIGNED: raise its version and run make sign",
        "unsigned": "UNSIGNED: make sign signs it",
    }[facts.status_at(time.time())]
    label = ", by the demonstration key, which proves nobody's judgement" if facts.demonstration else ""
    return f"Registry {facts.version} of {facts.curator_name}: {how}{label}"


if __name__ == "__main__":
    main()
