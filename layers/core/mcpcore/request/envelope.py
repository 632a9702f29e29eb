"""The sender of a request, its protocol version and capabilities: from `_meta`, or from the session."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import InvalidEnvelope, InvalidParams, UnsupportedProtocolVersion, shortened
from mcpcore.protocol.jsonrpc import read_id
from mcpcore.protocol.versions import STATELESS_VERSIONS, Era
from mcpcore.sessions.ids import SessionId

if TYPE_CHECKING:
    from mcpcore.sessions.session import Session

__all__ = [
    "CAPABILITIES_KEY",
    "CLIENT_INFO_KEY",
    "LOG_LEVELS",
    "LOG_LEVEL_KEY",
    "SERVER_INFO_KEY",
    "VERSION_KEY",
    "Envelope",
    "client_names",
    "envelope_from_metadata",
    "envelope_from_session",
    "has_modern_metadata",
    "is_modern",
    "require_log_level",
    "require_metadata_log_level",
    "require_supported_version",
]

_PREFIX: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = _PREFIX + "protocolVersion"
CLIENT_INFO_KEY: Final = _PREFIX + "clientInfo"
CAPABILITIES_KEY: Final = _PREFIX + "clientCapabilities"
LOG_LEVEL_KEY: Final = _PREFIX + "logLevel"
SERVER_INFO_KEY: Final = _PREFIX + "serverInfo"

LOG_LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most severe (RFC 5424, section 6.2.1)."""

DEFAULT_LOG_LEVEL: Final = "warning"
"""The lowest level that a legacy client gets if it has set none; a modern client then gets nothing."""

_VERSION_CHARACTERS: Final = 40
_TRACE_KEYS: Final = ("traceparent", "tracestate", "baggage")


class Envelope(NamedTuple):
    """The sender of a request, its protocol version and its capabilities.

    `trace` has the W3C trace context keys, if any. `resumable` is True when the client continues a request
    that ended early: it retries it (modern), or fetches the rest of the answer (legacy).
    """

    era: Era
    version: str
    client_name: str
    client_version: str
    capabilities: Capabilities
    trace: Mapping[str, str]
    progress_token: str | float | None
    log_level: str | None
    resumable: bool = True
    session_id: SessionId | None = None


def has_modern_metadata(params: Mapping[str, Any]) -> bool:
    """True when the params carry a per-request protocol version, whatever its value."""
    return VERSION_KEY in _meta(params)


def is_modern(method: str, params: Mapping[str, Any], *, in_session: bool) -> bool:
    """True when a request belongs to the modern era by its body.

    `server/discover` exists only there, so without its metadata it gets the modern era's error; a client that
    is in a session is told that the legacy era has no such method.
    """
    return has_modern_metadata(params) or (method == "server/discover" and not in_session)


def envelope_from_metadata(params: Mapping[str, Any]) -> Envelope:
    """The envelope of a modern request. Its version may still be unsupported.

    An unknown log level is left out: `require_metadata_log_level` refuses it later, in the order of checks.

    Raises:
        InvalidEnvelope: `_meta` is not an object, or lacks a string version or an object of client
            capabilities; client info is optional (spec 2026-07-28, basic/index, "_meta").
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise InvalidEnvelope(f"Invalid params: _meta must be an object with {VERSION_KEY}")
    version, capabilities = meta.get(VERSION_KEY), meta.get(CAPABILITIES_KEY)
    if not isinstance(version, str):
        raise InvalidEnvelope(f"Invalid params: _meta must have {VERSION_KEY}, a string")
    if not isinstance(capabilities, dict):
        raise InvalidEnvelope(f"Invalid params: _meta must have {CAPABILITIES_KEY}, an object")
    name, client_version = client_names(meta.get(CLIENT_INFO_KEY))
    return Envelope(
        Era.MODERN,
        version,
        name,
        client_version,
        capabilities,
        trace_of(params),
        progress_token_of(params),
        level if (level := meta.get(LOG_LEVEL_KEY)) in LOG_LEVELS else None,
    )


def require_supported_version(version: str) -> None:
    """Pass for a version of the modern era.

    Raises:
        UnsupportedProtocolVersion: any other, legacy versions included: they have no such `_meta`.
    """
    if version not in STATELESS_VERSIONS:
        raise UnsupportedProtocolVersion(version)


def envelope_from_session(
    session: "Session", params: Mapping[str, Any], resumable_versions: frozenset[str] = frozenset()
) -> Envelope:
    """The envelope of a request in a session; `resumable_versions` as in `Legacy`."""
    return Envelope(
        Era.LEGACY,
        session.version,
        session.client_name,
        session.client_version,
        session.capabilities,
        trace_of(params),
        progress_token_of(params),
        session.log_level or DEFAULT_LOG_LEVEL,
        session.version in resumable_versions,
        session.id,
    )


def client_names(client_info: object) -> tuple[str, str]:
    """Name and version of an Implementation object, truncated; empty where it has none."""
    if not isinstance(client_info, dict):
        return "", ""
    name, version = client_info.get("name"), client_info.get("version")
    return (
        shortened(name) if isinstance(name, str) else "",
        shortened(version, _VERSION_CHARACTERS) if isinstance(version, str) else "",
    )


def trace_of(params: Mapping[str, Any]) -> Mapping[str, str]:
    """The trace context in `_meta`; values that are not strings are left out."""
    meta = _meta(params)
    return {key: shortened(value) for key in _TRACE_KEYS if isinstance(value := meta.get(key), str)}


def progress_token_of(params: Mapping[str, Any]) -> str | float | None:
    """The token of the client's request for progress notifications, as it was sent: 1.0 stays 1.0."""
    token = _meta(params).get("progressToken")
    return None if read_id(token) is None else token


def require_log_level(level: object) -> str:
    """`level`, if it is one.

    Raises:
        InvalidParams: it is not one of the eight (spec server/utilities/logging, "Error Handling").
    """
    if isinstance(level, str) and level in LOG_LEVELS:
        return level
    raise InvalidParams(f"Invalid log level; the levels are {', '.join(LOG_LEVELS)}")


def require_metadata_log_level(params: Mapping[str, Any]) -> None:
    """Pass when a modern request asks for no log messages, or for those of a level.

    Raises:
        InvalidParams: it asks for an unknown level.
    """
    level = _meta(params).get(LOG_LEVEL_KEY)
    if level is not None:
        require_log_level(level)


def _meta(params: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}
