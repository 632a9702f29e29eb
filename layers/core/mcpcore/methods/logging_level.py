"""logging/setLevel: the lowest level that a client wants (spec 2025-11-25, server/utilities/logging)."""

from mcpcore.methods.call import Call, MethodResult
from mcpcore.request.envelope import require_log_level

__all__ = ["set_level"]


def set_level(call: Call) -> MethodResult:
    """Store the level in the session.

    Raises:
        InvalidParams: it is not one of the eight levels.
    """
    from mcpcore.sessions.store import SetLogLevel

    level, session_id = require_log_level(call.params.get("level")), call.envelope.session_id
    action = None if session_id is None else SetLogLevel(session_id, level)
    return MethodResult(call.result({}), action=action)
