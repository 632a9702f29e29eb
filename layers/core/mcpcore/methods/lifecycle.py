"""The handshake of the legacy era (spec 2025-11-25, basic/lifecycle)."""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import negotiate
from mcpcore.request.envelope import client_names
from mcpcore.request.environment import RequestEnvironment
from mcpcore.sessions.session import Session

__all__ = ["new_session"]

_MAX_CAPABILITIES_BYTES: Final = 16_384


def new_session(params: Mapping[str, Any], environment: RequestEnvironment) -> Session:
    """The session that an `initialize` with these params opens.

    Raises:
        InvalidParams: the version, the capabilities or the client info is missing or of a wrong type,
            or the capabilities are too large to store.
    """
    version, capabilities = params.get("protocolVersion"), params.get("capabilities")
    client_info = params.get("clientInfo")
    if not isinstance(version, str):
        raise InvalidParams("Invalid params: initialize needs protocolVersion, a string")
    if not isinstance(capabilities, Mapping):
        raise InvalidParams("Invalid params: initialize needs capabilities, an object")
    if not _is_implementation(client_info):
        raise InvalidParams("Invalid params: initialize needs clientInfo, an object with name and version")
    if len(encode(capabilities)) > _MAX_CAPABILITIES_BYTES:
        raise InvalidParams(f"Invalid params: capabilities exceed {_MAX_CAPABILITIES_BYTES} bytes")
    name, client_version = client_names(client_info)
    return Session(
        id=environment.new_session_id(),
        version=negotiate(version),
        client_name=name,
        client_version=client_version,
        capabilities=capabilities,
        created_at=int(environment.now),
        expires_at=int(environment.now) + environment.session_ttl_seconds,
    )


def _is_implementation(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(key), str) for key in ("name", "version"))
