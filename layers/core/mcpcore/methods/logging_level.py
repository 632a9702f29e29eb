"""logging/setLevel: what a session's client wants to hear (spec 2025-11-25, server/utilities/logging)."""

from mcpcore.methods.call import Answer, Call
from mcpcore.request.envelope import require_log_level
from mcpcore.sessions.store import SetLogLevel

__all__ = ["set_level"]


def set_level(call: Call) -> Answer:
    """Remember the level in the session.

    Raises:
        InvalidParams: it is none of the eight levels.
    """
    level, session_id = require_log_level(call.params.get("level")), call.envelope.session_id
    actions = () if session_id is None else (SetLogLevel(session_id, level),)
    return Answer(call.result({}), actions=actions)
