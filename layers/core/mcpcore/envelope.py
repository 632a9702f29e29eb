"""What a request says of itself: from its `_meta` (modern) or from its session (legacy)."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore.capabilities import Capabilities
from mcpcore.errors import InvalidEnvelope, UnsupportedProtocolVersion, shortened
from mcpcore.sessions import Session
from mcpcore.versions import STATELESS_VERSIONS, Era

__all__ = ["SERVER_INFO_KEY", "Envelope", "claims_modern", "from_session", "read_metadata", "require_spoken"]

_PREFIX: Final = "io.modelcontextprotocol/"
_VERSION_KEY: Final = _PREFIX + "protocolVersion"
_CLIENT_INFO_KEY: Final = _PREFIX + "clientInfo"
_CAPABILITIES_KEY: Final = _PREFIX + "clientCapabilities"
SERVER_INFO_KEY: Final = _PREFIX + "serverInfo"

_TRACE_KEYS: Final = ("traceparent", "tracestate", "baggage")


class Envelope(NamedTuple):
    """Who asks, in which version, and what they can do. `trace` has the W3C trace context keys, if any."""

    era: Era
    version: str
    client_name: str
    client_version: str
    capabilities: Capabilities
    trace: Mapping[str, str]


def claims_modern(params: Mapping[str, Any]) -> bool:
    """True when the params carry a per-request protocol version, whatever its value."""
    return _VERSION_KEY in _meta(params)


def read_metadata(params: Mapping[str, Any]) -> Envelope:
    """The envelope of a modern request; the version may still be one that is not spoken here.

    Raises:
        InvalidEnvelope: `_meta` is no object, or lacks a string version or an object of client
            capabilities; client info is optional (spec 2026-07-28, basic/index, "_meta").
    """
    meta = params.get("_meta")
    if not isinstance(meta, Mapping):
        raise InvalidEnvelope(f"Invalid params: _meta must be an object with {_VERSION_KEY}")
    version, capabilities = meta.get(_VERSION_KEY), meta.get(_CAPABILITIES_KEY)
    if not isinstance(version, str):
        raise InvalidEnvelope(f"Invalid params: _meta must have {_VERSION_KEY}, a string")
    if not isinstance(capabilities, Mapping):
        raise InvalidEnvelope(f"Invalid params: _meta must have {_CAPABILITIES_KEY}, an object")
    name, client_version = client_names(meta.get(_CLIENT_INFO_KEY))
    return Envelope(Era.MODERN, version, name, client_version, capabilities, trace_of(params))


def require_spoken(version: str) -> None:
    """Pass for a version of the modern era.

    Raises:
        UnsupportedProtocolVersion: anything else, the legacy versions too: they have no `_meta` of this kind.
    """
    if version not in STATELESS_VERSIONS:
        raise UnsupportedProtocolVersion(version)


def from_session(session: Session, params: Mapping[str, Any]) -> Envelope:
    """The envelope of a request in a session."""
    return Envelope(
        Era.LEGACY,
        session.version,
        session.client_name,
        session.client_version,
        session.capabilities,
        trace_of(params),
    )


def client_names(client_info: object) -> tuple[str, str]:
    """Name and version of an Implementation object, cut to a sane length; empty where it has none."""
    if not isinstance(client_info, Mapping):
        return "", ""
    name, version = client_info.get("name"), client_info.get("version")
    return (
        shortened(name) if isinstance(name, str) else "",
        shortened(version) if isinstance(version, str) else "",
    )


def trace_of(params: Mapping[str, Any]) -> Mapping[str, str]:
    """The trace context in `_meta`, the strings of it only."""
    meta = _meta(params)
    return {key: shortened(value) for key in _TRACE_KEYS if isinstance(value := meta.get(key), str)}


def _meta(params: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, Mapping) else {}
