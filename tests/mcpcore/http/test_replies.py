"""Outcomes of faults, as HTTP responses."""

import pytest

from mcpcore.http import HttpResponse, Policy, response_to
from mcpcore.protocol.errors import McpError, StoreUnavailable, UnexpectedError
from mcpcore.protocol.jsonrpc import NoId
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Failed, Outcome, RequestKind, RequestRecord
from tests.support.messages import NO_ID, error, legacy, post

UNAVAILABLE = "Sessions are unavailable at the moment; try again shortly"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (StoreUnavailable(), error(503, 1, -32603, UNAVAILABLE, headers={"retry-after": "1"})),
        (
            StoreUnavailable(retry_after_seconds=30),
            error(503, 1, -32603, UNAVAILABLE, headers={"retry-after": "30"}),
        ),
        (UnexpectedError(), error(500, 1, -32603, "Internal error")),
    ],
)
def test_a_fault_says_when_to_retry_and_nothing_of_its_cause(fault: McpError, expected: HttpResponse) -> None:
    fault.__cause__ = RuntimeError("sessions-prod: connection refused")
    outcome = Outcome(Failed(1, fault), RequestRecord(RequestKind.REQUEST, Era.LEGACY))

    assert response_to(legacy("ping"), outcome, Policy()) == expected


@pytest.mark.requirement("jsonrpc-unreadable-id")
@pytest.mark.parametrize(
    ("request_id", "era", "echoed"),
    [
        (NoId.UNREADABLE, None, None),
        (NoId.UNREADABLE, Era.LEGACY, None),
        (NoId.UNREADABLE, Era.MODERN, NO_ID),
        (NoId.ABSENT, None, NO_ID),
        (NoId.ABSENT, Era.LEGACY, NO_ID),
        (NoId.ABSENT, Era.MODERN, NO_ID),
        ("", Era.LEGACY, ""),
        (0, Era.MODERN, 0),
    ],
)
def test_an_id_that_could_not_be_read_is_null_except_in_the_modern_era(
    request_id: str | int | NoId, era: Era | None, echoed: object
) -> None:
    outcome = Outcome(Failed(request_id, UnexpectedError()), RequestRecord(RequestKind.REFUSAL, era))

    assert response_to(post(b""), outcome, Policy()) == error(500, echoed, -32603, "Internal error")
