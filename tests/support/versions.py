"""Requests in whichever protocol version a test is about."""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore.http import HttpRequest, HttpResponse
from tests.support.messages import LEGACY_VERSIONS, MODERN, initialize, legacy, modern
from tests.support.servers import Wire

EVERY_VERSION: Final = [*LEGACY_VERSIONS, MODERN]


def request_in(version: str, method: str, params: Mapping[str, Any] | None = None) -> HttpRequest:
    """A request in `version`; in the first session of a `Wire` if the version has sessions."""
    return modern(method, params) if version == MODERN else legacy(method, params, version=version)


def ask(wire: Wire, version: str, method: str, params: Mapping[str, Any] | None = None) -> HttpResponse:
    """The response in `version`, after the handshake if the version has one."""
    wire.send(initialize(version))
    return wire.send(request_in(version, method, params))
