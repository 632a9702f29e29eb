"""The credentials endpoint of a function with SnapStart; Lambda passes its address in the environment."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final, NamedTuple

__all__ = ["GIVEN", "Giver", "giving_credentials"]

GIVEN: Final = {
    "AccessKeyId": "ASIA3",
    "SecretAccessKey": "s",
    "Token": "t",
    "Expiration": "2999-01-01T00:00:00Z",
}

_TOKEN: Final = "restored"


class Giver(NamedTuple):
    """The URL of the endpoint, and the authorization header of each request to it."""

    variables: dict[str, str]
    asked: list[str]


@contextmanager
def giving_credentials(given: Mapping[str, object] = GIVEN) -> Iterator[Giver]:
    """The environment in which botocore finds what is given."""
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["authorization"])
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(given).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Giver(
                {
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI": f"http://127.0.0.1:{server.server_port}/c",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN": _TOKEN,
                },
                asked,
            )
        finally:
            server.shutdown()
            thread.join()
