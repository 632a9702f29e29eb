"""A real web server on loopback, with a few pages."""

import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Page", "Website", "website"]


class Page(NamedTuple):
    """The answer to a request for one path; an unfinished one never gets all of its body.

    With `byte_seconds`, the rest of the body comes byte by byte, with this time between two.
    """

    body: str | bytes = ""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""
    unfinished: bool = False
    byte_seconds: float | None = None


class Website(NamedTuple):
    """The address of a server, and the paths and agents of the requests that it got."""

    url: str
    requests: list[tuple[str, str]]

    @property
    def paths(self) -> list[str]:
        """The paths that were requested, in their order."""
        return [path for path, _ in self.requests]


@contextmanager
def website(pages: Mapping[str, Page], certificate: Path | None = None) -> Iterator[Website]:
    """A server of these pages, by path; it answers other paths with status 404.

    With `certificate`, a file that has its key too, it speaks TLS.
    """
    requests: list[tuple[str, str]] = []
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append((self.path, self.headers["User-Agent"]))
            page = pages.get(self.path, Page("No such page.", status=404))
            body = page.body.encode() if isinstance(page.body, str) else page.body
            self.send_response(page.status)
            self.send_header("Content-Type", page.content_type)
            self.send_header("Content-Length", str(len(body) + 1_000 * page.unfinished))
            if page.location:
                self.send_header("Location", page.location)
            self.end_headers()
            self.wfile.write(body)
            with suppress(OSError):  # the client gives up
                while page.unfinished and not closing.wait(page.byte_seconds):
                    self.wfile.write(b".")

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Website(f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}", requests)
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
