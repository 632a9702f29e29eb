"""The issuer as a whole: a port on loopback, and the authorization server that answers there."""

import logging
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from flask import Flask
from werkzeug.serving import make_server

from threegood_local.issuer.clients import Clients
from threegood_local.issuer.endpoints import Endpoints
from threegood_local.issuer.tokens import AccessTokens

__all__ = ["DevelopmentIssuer", "development_issuer"]

_LOOPBACK: Final = "127.0.0.1"
_HOSTS: Final = [_LOOPBACK, "localhost"]


class DevelopmentIssuer(NamedTuple):
    """An issuer that runs: its identifier, which is its URL, its tokens and its clients."""

    url: str
    tokens: AccessTokens
    clients: Clients


@contextmanager
def development_issuer(
    port: int = 0, *, opaque: bool = False, trusted: ssl.SSLContext | None = None
) -> Iterator[DevelopmentIssuer]:
    """An OAuth 2.1 authorization server on loopback that consents to everything in the name of one user.

    Port 0 is any free one. With `opaque` its tokens are random text that only introspection explains.
    `trusted` checks the servers of client-ID metadata documents, or else the system's roots.
    """
    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # the handler logs its own requests
    app = Flask(__name__, static_folder=None)
    app.config["TRUSTED_HOSTS"] = _HOSTS  # a web page whose name leads here gets no token
    server = make_server(_LOOPBACK, port, app, threaded=True)
    issuer = f"http://{_LOOPBACK}:{server.server_port}"
    tokens, clients = AccessTokens(issuer, opaque=opaque), Clients(trusted)
    Endpoints(app, tokens, clients)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield DevelopmentIssuer(issuer, tokens, clients)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
