"""One request of any body and headers: its reply keeps the rules."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.properties.strategies import bodies, header_soup, json_values, messages, modern_requests
from tests.properties.subject import Subject, examples, quiet
from tests.support.exchanges import Sent, initialize
from tests.support.judge import judge, messages_in

HTTP_METHODS = ("POST", "GET", "DELETE", "OPTIONS", "PUT", "PATCH", "HEAD", "TRACE", "post", "")
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        quiet(patch)
        yield


@pytest.mark.requirement("jsonrpc-notification-silence")
@settings(max_examples=examples(400))
@example(body=b'{"id":0.0}')
@given(body=bodies)
def test_any_body_is_answered_by_the_rules(body: bytes) -> None:
    sent = Sent(body, {"content-type": "application/json", "accept": "application/json, text/event-stream"})
    judge(sent, Subject().send(sent))


@pytest.mark.requirement("schema-valid-session")
@settings(max_examples=examples(400))
@given(body=bodies, revision=st.sampled_from(REVISIONS))
def test_any_body_in_a_session_is_answered_by_the_rules(body: bytes, revision: str) -> None:
    subject = Subject()
    session = subject.send(initialize(revision)).headers["mcp-session-id"]
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    sent = Sent(body, {**headers, "mcp-session-id": session})
    judge(sent, subject.send(sent), version=revision)


@pytest.mark.requirement("error-internals-hidden", "schema-valid-alone")
@settings(max_examples=examples(500))
@example(body=b"", headers={"mcp-session-id": "\ud800", "last-event-id": "a.0"}, method="GET")
@given(body=bodies, headers=header_soup, method=st.sampled_from(("POST",) * 6 + HTTP_METHODS))
def test_any_headers_are_answered_by_the_rules(body: bytes, headers: dict[str, str], method: str) -> None:
    sent = Sent(body, headers, method)
    judge(sent, Subject().send(sent))


@pytest.mark.requirement("stateless", "no-server-requests")
@settings(max_examples=examples(500))
@given(sent=modern_requests())
def test_any_modern_request_whose_headers_repeat_its_body_is_answered_by_the_rules(sent: Sent) -> None:
    reply = Subject().send(sent)
    judge(sent, reply)
    assert "mcp-session-id" not in reply.headers
    assert json.loads(sent.body)["id"] == messages_in(reply)[-1]["id"]


@pytest.mark.requirement("jsonrpc-extra-members")
@settings(max_examples=examples(200))
@given(message=messages(), garbage=json_values)
def test_an_unknown_member_changes_nothing(message: dict[str, Any], garbage: object) -> None:
    plain = Sent(json.dumps(message).encode(), {"content-type": "application/json"})
    more = plain._replace(body=json.dumps({**message, "x-unknown": garbage}).encode())
    first, second = Subject().send(plain), Subject().send(more)
    assert (first.status, first.body) == (second.status, second.body)
