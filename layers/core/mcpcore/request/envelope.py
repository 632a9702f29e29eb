"""What a request says of itself: from its `_meta` (modern) or from its session (legacy)."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import InvalidEnvelope, InvalidParams, UnsupportedProtocolVersion, shortened
from mcpcore.protocol.versions import STATELESS_VERSIONS, Era
from mcpcore.sessions.store import Session, SessionId

__all__ = [
    "LOG_LEVELS",
    "SERVER_INFO_KEY",
    "Envelope",
    "claims_modern",
    "client_names",
    "from_session",
    "read_metadata",
    "require_log_level",
    "require_metadata_log_level",
    "require_spoken",
]

_PREFIX: Final = "io.modelcontextprotocol/"
_VERSION_KEY: Final = _PREFIX + "protocolVersion"
_CLIENT_INFO_KEY: Final = _PREFIX + "clientInfo"
_CAPABILITIES_KEY: Final = _PREFIX + "clientCapabilities"
_LOG_LEVEL_KEY: Final = _PREFIX + "logLevel"
SERVER_INFO_KEY: Final = _PREFIX + "serverInfo"

LOG_LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most severe (RFC 5424, section 6.2.1)."""

DEFAULT_LOG_LEVEL: Final = "warning"
"""What a legacy client hears of when it has not said; a modern one hears nothing then."""

_TRACE_KEYS: Final = ("traceparent", "tracestate", "baggage")


class Envelope(NamedTuple):
    """Who asks, in which version, and what they can do. `trace` has the W3C trace context keys, if any."""

    era: Era
    version: str
    client_name: str
    client_version: str
    capabilities: Capabilities
    trace: Mapping[str, str]
    progress_token: str | int | None
    log_level: str | None
    session_id: SessionId | None = None


def claims_modern(params: Mapping[str, Any]) -> bool:
    """True when the params carry a per-request protocol version, whatever its value."""
    return _VERSION_KEY in _meta(params)


def read_metadata(params: Mapping[str, Any]) -> Envelope:
    """The envelope of a modern request; the version may still be one that is not spoken here.

    A log level that is none is left out: `require_metadata_log_level` refuses it in its turn.

    Raises:
        InvalidEnvelope: `_meta` is no object, or lacks a string version or an object of client
            capabilities; client info is optional (spec 2026-07-28, basic/index, "_meta").
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise InvalidEnvelope(f"Invalid params: _meta must be an object with {_VERSION_KEY}")
    version, capabilities = meta.get(_VERSION_KEY), meta.get(_CAPABILITIES_KEY)
    if not isinstance(version, str):
        raise InvalidEnvelope(f"Invalid params: _meta must have {_VERSION_KEY}, a string")
    if not isinstance(capabilities, dict):
        raise InvalidEnvelope(f"Invalid params: _meta must have {_CAPABILITIES_KEY}, an object")
    name, client_version = client_names(meta.get(_CLIENT_INFO_KEY))
    return Envelope(
        Era.MODERN,
        version,
        name,
        client_version,
        capabilities,
        trace_of(params),
        progress_token_of(params),
        level if (level := meta.get(_LOG_LEVEL_KEY)) in LOG_LEVELS else None,
    )


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
        progress_token_of(params),
        session.log_level or DEFAULT_LOG_LEVEL,
        session.id,
    )


def client_names(client_info: object) -> tuple[str, str]:
    """Name and version of an Implementation object, cut to a sane length; empty where it has none."""
    if not isinstance(client_info, dict):
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


def progress_token_of(params: Mapping[str, Any]) -> str | int | None:
    """The token under which the client wants to hear of progress, of the type it was sent in."""
    token = _meta(params).get("progressToken")
    return token if isinstance(token, str | int) and not isinstance(token, bool) else None


def require_log_level(level: object) -> str:
    """`level`, if it is one.

    Raises:
        InvalidParams: it is none of the eight (spec server/utilities/logging, "Error Handling").
    """
    if isinstance(level, str) and level in LOG_LEVELS:
        return level
    raise InvalidParams(f"Invalid log level; the levels are {', '.join(LOG_LEVELS)}")


def require_metadata_log_level(params: Mapping[str, Any]) -> None:
    """Pass when a modern request asks for no log messages, or for those of a level.

    Raises:
        InvalidParams: it asks for a level that is none.
    """
    meta = _meta(params)
    if _LOG_LEVEL_KEY in meta:
        require_log_level(meta[_LOG_LEVEL_KEY])


def _meta(params: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}
