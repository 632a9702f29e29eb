"""The envelope of a request: read from its metadata, or taken from its session."""

from typing import Any

import pytest

from mcpcore import Session, SessionId
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.versions import Era
from mcpcore.request.envelope import (
    Envelope,
    envelope_from_metadata,
    envelope_from_session,
    require_metadata_log_level,
)
from tests.support.messages import LEGACY, METADATA, MODERN

CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
LEVEL_KEY = "io.modelcontextprotocol/logLevel"
BARE = Envelope(Era.MODERN, MODERN, "", "", {}, {}, None, None)


def read(**meta: Any) -> Envelope:
    return envelope_from_metadata({"_meta": {**METADATA, **meta}})


def test_metadata_needs_a_version_and_capabilities_alone() -> None:
    assert read() == BARE


VALID: list[object] = ["t", "", "7", 7, 7.0, 0, -1, 10**30]
INVALID: list[object] = [None, True, False, 1.5, [], ["t"], {}]


@pytest.mark.parametrize(
    ("token", "expected"), [*((each, each) for each in VALID), *((each, None) for each in INVALID)]
)
def test_a_progress_token_is_a_string_or_an_integer_and_else_ignored(
    token: object, expected: str | float | None
) -> None:
    assert read(progressToken=token) == BARE._replace(progress_token=expected)
    assert type(read(progressToken=token).progress_token) is type(expected)


@pytest.mark.parametrize("level", ["", "warn", 5, [], {}, ["info"]])
def test_an_unknown_log_level_is_left_out_and_refused_by_its_own_check(level: object) -> None:
    params = {"_meta": {**METADATA, LEVEL_KEY: level}}

    assert read(**{LEVEL_KEY: level}) == BARE
    with pytest.raises(InvalidParams):
        require_metadata_log_level(params)


@pytest.mark.parametrize(
    ("client_info", "names"),
    [
        (None, ("", "")),
        ("tests", ("", "")),
        ({"name": "tests"}, ("tests", "")),
        ({"name": 1, "version": "2"}, ("", "2")),
        ({"name": "n" * 101, "version": "v" * 41}, ("n" * 100 + "…", "v" * 40 + "…")),
    ],
)
def test_the_names_of_a_client_are_strings_or_empty_and_truncated(
    client_info: object, names: tuple[str, str]
) -> None:
    found = read(**{CLIENT_KEY: client_info})

    assert (found.client_name, found.client_version) == names


SESSION = Session(SessionId("s-1"), LEGACY, "tests", "1.2", {"roots": {}}, 0, 1)


@pytest.mark.parametrize(("level", "expected"), [(None, "warning"), ("debug", "debug")])
@pytest.mark.parametrize(("resumable", "can_resume"), [({LEGACY}, True), (set(), False)])
def test_the_envelope_of_a_session_is_that_of_its_handshake_whatever_the_metadata_says(
    resumable: set[str], can_resume: bool, level: str | None, expected: str
) -> None:
    session = SESSION._replace(log_level=level)
    meta = {**METADATA, LEVEL_KEY: "emergency", "progressToken": 5, "traceparent": "00-1", "tracestate": 1}

    assert envelope_from_session(session, {"_meta": meta}, frozenset(resumable)) == Envelope(
        Era.LEGACY,
        LEGACY,
        "tests",
        "1.2",
        {"roots": {}},
        {"traceparent": "00-1"},
        5,
        expected,
        can_resume,
        SessionId("s-1"),
    )
