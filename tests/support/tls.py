"""The contexts of both sides of TLS on loopback."""

import ssl
from pathlib import Path
from typing import NamedTuple

from tests.support.certificates import write_certificate

__all__ = ["Tls", "self_signed"]


class Tls(NamedTuple):
    """A file with a certificate for 127.0.0.1 that no authority has signed, and its key."""

    certificate: Path

    @property
    def server(self) -> ssl.SSLContext:
        """Of a server that has the certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        return context

    @property
    def client(self) -> ssl.SSLContext:
        """Of a client that trusts the server."""
        return ssl.create_default_context(cafile=str(self.certificate))


def self_signed(folder: Path) -> Tls:
    """A new certificate, in `folder`."""
    return Tls(write_certificate(folder / "certificate.pem"))
