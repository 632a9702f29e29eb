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
    in_session,
    initialize,
    legacy,
    lost_session,
    message,
    mirrored,
    modern,
    no_session,
    notification,
    post,
    result,
    without,
)
from tests.support.questions import NOT_ASKED
from tests.support.servers import FIXTURE_INFO, Wire

PING = message("ping")
HEADER = "mcp-protocol-version"
UNKNOWN = "1999-01-01"


def naming(version: str) -> dict[str, Any]:
    return {VERSION_KEY: version, CAPABILITIES_KEY: {}}


def unsupported(requested: str) -> HttpResponse:
    return error(
        400,
        1,
        -32022,
        f"Unsupported protocol version {requested}; supported are {', '.join(SUPPORTED)}",
        data={"supported": SUPPORTED, "requested": requested},
    )


MISSING_VERSION_HEADER = error(
    400,
    1,
    -32020,
    "Header mismatch: MCP-Protocol-Version is missing; it must repeat the version in _meta",
)
OTHER_VERSION_HEADER = error(
    400, 1, -32020, "Header mismatch: MCP-Protocol-Version differs from the version in _meta"
)
NO_METADATA = error(400, 1, -32602, f"Invalid params: _meta must be an object with {VERSION_KEY}")
NO_PING = error(404, 1, -32601, "Method not found: ping")
PONG = result(1, {})

SITUATIONS = {
    "no header, modern metadata": (without(modern("ping"), HEADER), MISSING_VERSION_HEADER),
    "no header, modern metadata, a session": (
        post(message("ping", {"_meta": METADATA}), {"mcp-session-id": SESSION}),
        MISSING_VERSION_HEADER,
    ),
    "no header, no metadata, a session": (post(PING, {"mcp-session-id": SESSION}), PONG),
    "no header, no metadata, no session": (post(PING), no_session(1)),
    "legacy header, no metadata, a session": (legacy("ping"), PONG),
    "legacy header, no metadata, no session": (post(PING, {HEADER: LEGACY}), no_session(1)),
    "legacy header, no metadata, an unknown session": (
        post(PING, {HEADER: LEGACY, "mcp-session-id": "session-2"}),
        lost_session(1),
    ),
    "legacy header that is not the session's version": (legacy("ping", version="2024-11-05"), PONG),
    "legacy header, modern metadata": (
        post(message("ping", {"_meta": METADATA}), in_session()),
        OTHER_VERSION_HEADER,
    ),
    "legacy header, the same legacy metadata": (
        modern("ping", metadata=naming(LEGACY), headers={HEADER: LEGACY}),
        unsupported(LEGACY),
    ),
    "legacy header, another legacy metadata": (
        modern("ping", metadata=naming("2025-06-18"), headers={HEADER: LEGACY}),
        OTHER_VERSION_HEADER,
    ),
    "modern header and metadata": (modern("ping"), NO_PING),
    "modern header and metadata, a session too": (
        modern("ping", headers={"mcp-session-id": SESSION}),
        NO_PING,
    ),
    "modern header with white space around": (modern("ping", headers={HEADER: f"\t {MODERN} "}), NO_PING),
    "modern header, no params": (post(PING, mirrored("ping")), NO_METADATA),
    "modern header, no metadata": (post(message("ping", {}), mirrored("ping")), NO_METADATA),
    "modern header, no metadata, a session": (
        post(PING, {**in_session(), HEADER: MODERN}),
        NO_METADATA,
    ),
    "unknown header, the same metadata": (
        modern("ping", metadata=naming(UNKNOWN), headers={HEADER: UNKNOWN}),
        unsupported(UNKNOWN),
    ),
    "unknown header, modern metadata": (modern("ping", headers={HEADER: UNKNOWN}), OTHER_VERSION_HEADER),
    "unknown header, no metadata": (post(PING, {HEADER: UNKNOWN}), NO_METADATA),
    "unknown header, no metadata, a session": (legacy("ping", version=UNKNOWN), NO_METADATA),
    "empty header, no metadata, a session": (legacy("ping", version=""), NO_METADATA),
    "modern header, unknown metadata": (modern("ping", metadata=naming(UNKNOWN)), OTHER_VERSION_HEADER),
    "modern header twice, joined by the gateway": (
        modern("ping", headers={HEADER: f"{MODERN}, {MODERN}"}),
        OTHER_VERSION_HEADER,
    ),
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
        {HEADER: LEGACY},
        {HEADER: "2024-11-05"},
        {HEADER: MODERN},
        {"mcp-session-id": SESSION},
        {"mcp-session-id": "unknown"},
        {HEADER: LEGACY, "mcp-session-id": SESSION},
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


PLAIN_NOTE = notification("notifications/initialized")
MODERN_NOTE = notification("notifications/initialized", {"_meta": METADATA})
UNKNOWN_VERSION = error(400, NO_ID, -32600, "Invalid request: MCP-Protocol-Version names an unknown version")
LOST = lost_session(NO_ID)

NOTIFICATIONS = {
    "nothing but itself": (post(PLAIN_NOTE), ACCEPTED),
    "in a session": (post(PLAIN_NOTE, in_session()), ACCEPTED),
    "in a session, no version": (post(PLAIN_NOTE, {"mcp-session-id": SESSION}), ACCEPTED),
    "legacy header, no session": (post(PLAIN_NOTE, {HEADER: LEGACY}), ACCEPTED),
    "in an unknown session": (post(PLAIN_NOTE, {"mcp-session-id": "session-2"}), LOST),
    "modern header": (post(PLAIN_NOTE, {HEADER: MODERN}), ACCEPTED),
    "modern header in an unknown session": (
        post(PLAIN_NOTE, {HEADER: MODERN, "mcp-session-id": "session-2"}),
        ACCEPTED,
    ),
    "modern metadata": (post(MODERN_NOTE), ACCEPTED),
    "modern metadata and header": (post(MODERN_NOTE, {HEADER: MODERN}), ACCEPTED),
    "metadata of an unknown version, no header": (
        post(notification("notifications/initialized", {"_meta": naming(UNKNOWN)})),
        ACCEPTED,
    ),
    "unknown header": (post(PLAIN_NOTE, {HEADER: UNKNOWN}), UNKNOWN_VERSION),
    "unknown header in a session": (post(PLAIN_NOTE, in_session(UNKNOWN)), UNKNOWN_VERSION),
    "unknown header, modern metadata": (post(MODERN_NOTE, {HEADER: UNKNOWN}), UNKNOWN_VERSION),
}


@pytest.mark.requirement("notification-accepted")
@pytest.mark.parametrize(("request_", "expected"), NOTIFICATIONS.values(), ids=NOTIFICATIONS.keys())
def test_a_notification_is_accepted_unless_its_version_or_its_session_is_unknown(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected


ANSWER = {"jsonrpc": "2.0", "id": 7, "result": {}}
OUTSIDE = error(400, NO_ID, -32600, "Invalid request: a response is only taken inside a session that asked")

RESPONSES = {
    "no session": (post(ANSWER), OUTSIDE),
    "legacy header, no session": (post(ANSWER, {HEADER: LEGACY}), OUTSIDE),
    "modern header": (post(ANSWER, {HEADER: MODERN}), OUTSIDE),
    "modern header in a session": (post(ANSWER, in_session(MODERN)), OUTSIDE),
    "unknown header in a session": (post(ANSWER, in_session(UNKNOWN)), OUTSIDE),
    "a number, in a session": (post(ANSWER, in_session()), OUTSIDE),
    "no exchange in the id": (post({**ANSWER, "id": "x"}, in_session()), OUTSIDE),
    "no key in the id": (post({**ANSWER, "id": "x."}, in_session()), OUTSIDE),
    "nothing before the key": (post({**ANSWER, "id": ".y"}, in_session()), OUTSIDE),
    "in a session": (post({**ANSWER, "id": "x.y"}, in_session()), NOT_ASKED),
    "an error, in a session": (
        post({"jsonrpc": "2.0", "id": "x.y", "error": {"code": -1, "message": "no"}}, in_session()),
        NOT_ASKED,
    ),
    "in an unknown session": (post({**ANSWER, "id": "x.y"}, {"mcp-session-id": "session-2"}), LOST),
}


@pytest.mark.requirement("response-unasked")
@pytest.mark.parametrize(("request_", "expected"), RESPONSES.values(), ids=RESPONSES.keys())
def test_a_response_to_no_question_is_refused_without_an_id(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected
