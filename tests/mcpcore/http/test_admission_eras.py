"""The era of a request: what each mixture of header, metadata and session is answered."""

from typing import Any

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.versions import Era
from tests.support.messages import (
    ACCEPTED,
    CAPABILITIES_KEY,
    LEGACY,
    METADATA,
    MODERN,
    NO_ID,
    SESSION,
    SUPPORTED,
    VERSION_KEY,
    error,
    header_mismatch,
    initialize,
    legacy,
    lost_session,
    message,
    modern,
    no_session,
    notification,
    post,
    result,
    unsupported_version,
)
from tests.support.questions import NOT_ASKED
from tests.support.servers import FIXTURE_INFO, Wire

UNKNOWN = "1999-01-01"


def sent(
    body: dict[str, Any],
    header: str | None = None,
    *,
    session: str | None = None,
    metadata: object = None,
) -> HttpRequest:
    """A POST with this version in its header, in that session, with metadata if it is not None."""
    if metadata is not None:
        body = {**body, "params": {"_meta": metadata}}
    headers = {"mcp-protocol-version": header, "mcp-session-id": session, "mcp-method": body.get("method")}
    return post(body, {name: value for name, value in headers.items() if value is not None})


def ping(header: str | None = None, *, session: str | None = None, metadata: object = None) -> HttpRequest:
    return sent(message("ping"), header, session=session, metadata=metadata)


def naming(version: str) -> dict[str, Any]:
    """Metadata of that version."""
    return {VERSION_KEY: version, CAPABILITIES_KEY: {}}


MISSING_HEADER = header_mismatch("MCP-Protocol-Version is missing; it must repeat the version in _meta")
OTHER_HEADER = header_mismatch("MCP-Protocol-Version differs from the version in _meta")
NO_METADATA = error(400, 1, -32602, f"Invalid params: _meta must be an object with {VERSION_KEY}")
NO_PING = error(404, 1, -32601, "Method not found: ping")
NO_DISCOVERY = error(200, 1, -32601, "Method not found: server/discover")
PONG = result(1, {})
USE_INITIALIZE = error(
    400,
    1,
    -32022,
    "Protocol version 2025-11-25 has no per-request metadata: use initialize to speak it; supported are "
    "2026-07-28, 2025-06-18, 2025-03-26, 2024-11-05",
    data={"supported": ["2026-07-28", "2025-06-18", "2025-03-26", "2024-11-05"], "requested": "2025-11-25"},
)

OTHER = "session-2"

SITUATIONS = {
    "no header, modern metadata": (ping(metadata=METADATA), MISSING_HEADER),
    "no header, modern metadata, session": (ping(metadata=METADATA, session=SESSION), MISSING_HEADER),
    "no header, session": (ping(session=SESSION), PONG),
    "no header, no session": (ping(), PONG),
    "no header, no session, a method of sessions": (sent(message("tools/list")), no_session(1)),
    "no header, no session, discovery": (sent(message("server/discover")), NO_METADATA),
    "no header, session, discovery": (sent(message("server/discover"), session=SESSION), NO_DISCOVERY),
    "legacy header, no session, discovery": (sent(message("server/discover"), LEGACY), NO_METADATA),
    "legacy header, session": (ping(LEGACY, session=SESSION), PONG),
    "legacy header, no session": (ping(LEGACY), PONG),
    "legacy header, unknown session": (ping(LEGACY, session=OTHER), lost_session(1)),
    "legacy header of another version than the session": (ping("2024-11-05", session=SESSION), PONG),
    "legacy header, modern metadata": (ping(LEGACY, session=SESSION, metadata=METADATA), OTHER_HEADER),
    "legacy header, same metadata": (
        ping(LEGACY, metadata=naming(LEGACY)),
        USE_INITIALIZE,
    ),
    "legacy header, other metadata": (ping(LEGACY, metadata=naming("2025-06-18")), OTHER_HEADER),
    "modern header and metadata": (ping(MODERN, metadata=METADATA), NO_PING),
    "modern header and metadata, session": (ping(MODERN, metadata=METADATA, session=SESSION), NO_PING),
    "modern header with white space": (ping(f"\t {MODERN} ", metadata=METADATA), NO_PING),
    "modern header, no params": (ping(MODERN), NO_METADATA),
    "modern header, no metadata, session": (ping(MODERN, session=SESSION), NO_METADATA),
    "modern header, metadata of an unknown version": (ping(MODERN, metadata=naming(UNKNOWN)), OTHER_HEADER),
    "modern header twice, joined": (
        ping(f"{MODERN}, {MODERN}", metadata=METADATA),
        OTHER_HEADER,
    ),
    "unknown header, same metadata": (
        ping(UNKNOWN, metadata=naming(UNKNOWN)),
        unsupported_version(UNKNOWN),
    ),
    "unknown header, modern metadata": (ping(UNKNOWN, metadata=METADATA), OTHER_HEADER),
    "unknown header": (ping(UNKNOWN), NO_METADATA),
    "unknown header, session": (ping(UNKNOWN, session=SESSION), NO_METADATA),
    "empty header, session": (ping("", session=SESSION), NO_METADATA),
}


@pytest.fixture
def wire() -> Wire:
    """A server with one session, negotiated at 2025-11-25."""
    made = Wire()
    made.send(initialize())
    return made


@pytest.mark.requirement("version-unsupported", "era-by-opening", "version-header-unknown")
@pytest.mark.parametrize(("request_", "expected"), SITUATIONS.values(), ids=SITUATIONS.keys())
def test_header_metadata_and_session_decide_together_how_a_request_is_answered(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected


@pytest.mark.requirement("version-header-of-a-session")
@pytest.mark.parametrize("named", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_session_keeps_its_version_whichever_legacy_version_a_header_names(named: str) -> None:
    wire = Wire()
    wire.send(initialize("2025-03-26"))

    outcome = wire.outcome(legacy("ping", version=named))

    assert (outcome.record.era, outcome.record.version) == (Era.LEGACY, "2025-03-26")


def opened(version: str, session_id: str) -> HttpResponse:
    members = {
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": FIXTURE_INFO,
        "instructions": "Call echo.",
    }
    return result(0, members, {"mcp-session-id": session_id})


@pytest.mark.requirement("session-anew")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"mcp-protocol-version": LEGACY},
        {"mcp-protocol-version": "2024-11-05"},
        {"mcp-protocol-version": MODERN},
        {"mcp-session-id": SESSION},
        {"mcp-session-id": "unknown"},
        {"mcp-protocol-version": LEGACY, "mcp-session-id": SESSION},
    ],
)
def test_an_initialize_opens_a_new_session_whatever_its_headers_say(
    wire: Wire, headers: dict[str, str]
) -> None:
    assert wire.send(initialize(headers=headers)) == opened(LEGACY, "session-2")


@pytest.mark.requirement("initialize-gone")
def test_an_initialize_with_modern_metadata_is_no_method_and_the_answer_names_the_versions() -> None:
    assert Wire().send(modern("initialize")) == error(
        404,
        1,
        -32601,
        "Method not found: initialize. This version has no handshake; "
        f"supported versions: {', '.join(SUPPORTED)}",
    )


NOTE = notification("notifications/initialized")
UNKNOWN_VERSION = error(400, NO_ID, -32600, "Invalid request: MCP-Protocol-Version names an unknown version")

NOTIFICATIONS = {
    "no headers": (sent(NOTE), ACCEPTED),
    "session": (sent(NOTE, LEGACY, session=SESSION), ACCEPTED),
    "session, no version": (sent(NOTE, session=SESSION), ACCEPTED),
    "legacy header, no session": (sent(NOTE, LEGACY), ACCEPTED),
    "unknown session": (sent(NOTE, session=OTHER), lost_session(NO_ID)),
    "modern header": (sent(NOTE, MODERN), ACCEPTED),
    "modern header, unknown session": (sent(NOTE, MODERN, session=OTHER), ACCEPTED),
    "modern metadata": (sent(NOTE, metadata=METADATA), ACCEPTED),
    "modern metadata and header": (sent(NOTE, MODERN, metadata=METADATA), ACCEPTED),
    "metadata of an unknown version": (sent(NOTE, metadata=naming(UNKNOWN)), ACCEPTED),
    "unknown header": (sent(NOTE, UNKNOWN), UNKNOWN_VERSION),
    "unknown header, session": (sent(NOTE, UNKNOWN, session=SESSION), UNKNOWN_VERSION),
    "unknown header, modern metadata": (sent(NOTE, UNKNOWN, metadata=METADATA), UNKNOWN_VERSION),
}


@pytest.mark.requirement("notification-accepted")
@pytest.mark.parametrize(("request_", "expected"), NOTIFICATIONS.values(), ids=NOTIFICATIONS.keys())
def test_a_notification_is_accepted_unless_its_version_or_its_session_is_unknown(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected


OUTSIDE = error(400, NO_ID, -32600, "Invalid request: a response is only taken inside a session that asked")


def response(request_id: object = "x.y", **members: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, **(members or {"result": {}})}


RESPONSES = {
    "no session": (sent(response()), OUTSIDE),
    "legacy header, no session": (sent(response(), LEGACY), OUTSIDE),
    "modern header": (sent(response(), MODERN), OUTSIDE),
    "modern header, session": (sent(response(), MODERN, session=SESSION), OUTSIDE),
    "unknown header, session": (sent(response(), UNKNOWN, session=SESSION), OUTSIDE),
    "an id that is a number": (sent(response(7), LEGACY, session=SESSION), OUTSIDE),
    "an id without an exchange": (sent(response(".y"), LEGACY, session=SESSION), OUTSIDE),
    "an id without a key": (sent(response("x."), LEGACY, session=SESSION), OUTSIDE),
    "unknown question": (sent(response(), LEGACY, session=SESSION), NOT_ASKED),
    "error, unknown question": (sent(response(error={"code": -1}), LEGACY, session=SESSION), NOT_ASKED),
    "unknown session": (sent(response(), session=OTHER), lost_session(NO_ID)),
}


@pytest.mark.requirement("response-unasked")
@pytest.mark.parametrize(("request_", "expected"), RESPONSES.values(), ids=RESPONSES.keys())
def test_a_response_to_no_question_is_refused_without_an_id(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected
