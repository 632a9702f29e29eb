"""URLs of authorization: what tokens are for, where the metadata of that is, and which URLs are safe."""

from typing import Final
from urllib.parse import urlsplit

from mcpcore.http.authorization import METADATA_PATH
from mcpcore.protocol.errors import InternalError
from mcpcore_aws.event_sources import Event

__all__ = ["is_metadata_path", "is_safe_url", "metadata_url_of", "resource_of"]

_MCP_PATH: Final = "/mcp"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def resource_of(event: Event, configured: str = "") -> str:
    """The identifier of the resource (RFC 8707, section 2): `configured`, or the URL that the gateway states.

    The client writes Host and path. So the header has no say in it, and what stands before `/mcp` has only
    where the gateway put it there.

    Raises:
        InternalError: nothing is configured, and the event source does not state its domain.
    """
    if configured:
        return configured
    domain = event["requestContext"].get("domainName")
    if not domain:
        raise InternalError("AUTH_RESOURCE must be set: this event source does not state its domain")
    return f"https://{domain}{_base_path(event)}{_MCP_PATH}"


def metadata_url_of(resource: str) -> str:
    """Where the metadata of `resource` can be read.

    It is the place of RFC 9728, section 3.1, but for a resource below a stage or a base path, which does not
    get the requests for the root of its host: there it is below the same path.
    """
    if resource.endswith(_MCP_PATH):
        return f"{resource.removesuffix(_MCP_PATH)}{METADATA_PATH}{_MCP_PATH}"
    scheme, host, path, *_ = urlsplit(resource)
    return f"{scheme}://{host}{METADATA_PATH}{path.rstrip('/')}"


def is_metadata_path(path: str) -> bool:
    """True for the path of the metadata, with or without a stage before it and the path of MCP after it."""
    return path.endswith((METADATA_PATH, METADATA_PATH + _MCP_PATH))


def is_safe_url(url: str) -> bool:
    """True for an https URL with a host, or for http on loopback, which development uses."""
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if not parts.hostname or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def _base_path(event: Event) -> str:
    """The stage or the base path of a mapping, as far as the gateway states it; else empty.

    It does where the rest of the path is the whole route, and with the stage of an API under its own domain.
    """
    context = event["requestContext"]
    # REST APIs leave the stage out of `path`.
    path = str(event.get("rawPath") or context.get("path") or event.get("path") or "")
    route = str(context.get("resourcePath") or context.get("routeKey") or "").rpartition(" ")[2]
    before = _before_mcp(path)
    staged = context.get("domainPrefix") == context.get("apiId") and before == f"/{context.get('stage')}"
    return before if staged or path == before + route else ""


def _before_mcp(path: str) -> str:
    for end in (METADATA_PATH, _MCP_PATH):
        before, found, _ = path.partition(end)
        if found:
            return before
    return ""
