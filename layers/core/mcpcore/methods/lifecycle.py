"""The handshake of the legacy era (spec 2025-11-25, basic/lifecycle)."""

from collections.abc import Mapping
from typing import Any

from mcpcore.definitions.built import BuiltServer
from mcpcore.protocol.capabilities import readable_part
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.versions import negotiate
from mcpcore.request.envelope import client_names
from mcpcore.request.environment import RequestEnvironment
from mcpcore.sessions.session import Session

__all__ = ["new_session"]


def new_session(params: Mapping[str, Any], server: BuiltServer, environment: RequestEnvironment) -> Session:
    """The session that an `initialize` with these params opens, with the capabilities that are read later.

    Raises:
        InvalidParams: the version, the capabilities or the client info is missing or of a wrong type.
    """
    version, capabilities = params.get("protocolVersion"), params.get("capabilities")
    client_info = params.get("clientInfo")
    if not isinstance(version, str):
        raise InvalidParams("Invalid params: initialize needs protocolVersion, a string")
    if not isinstance(capabilities, Mapping):
        raise InvalidParams("Invalid params: initialize needs capabilities, an object")
    if not _is_implementation(client_info):
        raise InvalidParams("Invalid params: initialize needs clientInfo, an object with name and version")
    name, client_version = client_names(client_info)
    return Session(
        id=environment.new_session_id(),
        version=negotiate(version),
        client_name=name,
        client_version=client_version,
        capabilities=readable_part(capabilities, (tool.requires for tool in server.tools.values())),
        created_at=int(environment.now),
        expires_at=int(environment.now) + environment.session_ttl_seconds,
        principal=environment.principal_digest,
    )


def _is_implementation(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(key), str) for key in ("name", "version"))
