"""The DynamoDB requests of sessions, and the errors that its failures become for clients and the log."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from mcpcore import StoreUnavailable
from mcpcore.protocol.capabilities import ASKED
from mcpcore.sessions.ids import ExchangeId
from mcpcore.sessions.store import OpenSession, RecordAnswer
from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from mcpcore_aws.errors import MalformedResponse, NotConfigured, ServiceError, StoreFault, Unreachable
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.adapters import NOW, adapter, written
from tests.support.dynamodb import account_at
from tests.support.exchanges import Sent, initialize, legacy, modern, through_handler
from tests.support.leaks import leaks
from tests.support.processes import ROOT, plain_environment
from tests.support.scripted import SILENCE, Scripted, Step, answer, failure, scripted
from tests.support.store_suite import SESSION

ID: Final = "a" * 32
SECRETS: Final = {"AWS_SECRET_ACCESS_KEY": "hush/secret", "AWS_SESSION_TOKEN": "hush/token"}
IMPATIENT: Final = RetryPolicy(0.1, 0.1)


def session_item(expires_at: int) -> dict[str, Any]:
    texts = {"session_id": ID, "item": "session", "version": "2025-11-25", "capabilities": "{}"}
    texts |= {"client_name": "tests", "client_version": "1"}
    numbers = {"created_at": NOW, "expires_at": expires_at}
    return {name: {"S": text} for name, text in texts.items()} | {
        name: {"N": str(number)} for name, number in numbers.items()
    }


@contextmanager
def sessions(*steps: Step) -> Iterator[tuple[DynamoDBSessions, Scripted]]:
    """A store, and the server that answers it."""
    with scripted(*steps) as server:
        client = DynamoDB(account_at(server.endpoint) | SECRETS, retry_policy=IMPATIENT, sleep=lambda _: None)
        store = DynamoDBSessions("sessions", client)
        yield store, server
        store.close()


FRESH: Final = answer({"Item": session_item(NOW + 3600)})
AGING: Final = answer({"Item": session_item(NOW + 60)})


@pytest.mark.parametrize(
    ("sent", "steps", "operations"),
    [
        (legacy("tools/list", session=ID), [FRESH], ["GetItem"]),
        (
            legacy("tools/call", session=ID, name="get_sources", arguments={"query": "rust"}),
            [FRESH],
            ["GetItem"],
        ),
        (legacy("tools/list", session=ID), [AGING, answer({})], ["GetItem", "UpdateItem"]),
        (initialize(), [answer({})], ["PutItem"]),
        (modern("tools/list"), [FRESH], []),
    ],
    ids=["in a fresh session", "a call", "past half of its life", "a handshake", "of 2026-07-28"],
)
def test_a_request_costs_no_more_operations_than_it_needs(
    sent: Sent, steps: list[Step], operations: list[str]
) -> None:
    with sessions(*steps) as (store, server):
        assert through_handler(adapter(store))(sent).status == 200
    assert [asked.operation for asked in server.asked] == operations


def test_opening_a_session_costs_one_write_unit_whatever_the_client_declares() -> None:
    params: dict[str, Any] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {**ASKED, "experimental": {"x": "y" * 100_000}},
        "clientInfo": {"name": "\U0001f600" * 1000, "version": "\U0001f600" * 1000},
    }
    with sessions(answer({})) as (store, server):
        assert through_handler(adapter(store))(legacy("initialize", **params)).status == 200
    item = json.loads(server.asked[0].body)["Item"]
    # A unit is 1 KB of names and values (developer guide, "DynamoDB item sizes and formats").
    sizes = [len(name) + len(text.encode()) for name, each in item.items() for text in each.values()]
    assert 700 < sum(sizes) <= 1024


def test_a_session_is_opened_even_if_the_response_to_its_first_write_is_lost() -> None:
    """The second write fails on its condition, and the item is the very session."""
    item = session_item(SESSION.expires_at) | {"session_id": {"S": SESSION.id}}
    item |= {"created_at": {"N": str(SESSION.created_at)}}
    opened = SESSION._replace(client_name="tests", client_version="1", capabilities={})
    taken = failure("ConditionalCheckFailedException")
    with sessions(SILENCE, taken, answer({"Item": item})) as (store, server):
        store.apply(OpenSession(opened), SESSION.created_at)
    assert [asked.operation for asked in server.asked] == ["PutItem", "PutItem", "GetItem"]


def test_a_denied_write_of_an_answer_is_not_reported_as_too_large() -> None:
    record = RecordAnswer(SESSION.id, ExchangeId("exchange-1"), NOW, "name", "Ada", refused=False)
    with sessions(failure("AccessDeniedException")) as (store, server), pytest.raises(StoreUnavailable):
        store.apply(record, NOW)
    assert [asked.operation for asked in server.asked] == ["UpdateItem"]


FAULTS: Final[dict[str, tuple[Step, type[StoreFault]]]] = {
    "throttled": (failure("ThrottlingException"), ServiceError),
    "forbidden": (failure("AccessDeniedException", message="arn:aws:dynamodb:eu:1:table/x"), ServiceError),
    "signature": (
        failure("InvalidSignatureException", message="x-amz-security-token:hush/token"),
        ServiceError,
    ),
    "broken inside": (failure("InternalServerError", 500), ServiceError),
    "gateway": (answer(b"<html/>", 502), ServiceError),
    "no JSON": (answer(b"{"), MalformedResponse),
    "another item": (answer({"Item": ["x"]}), MalformedResponse),
    "hung up": (Step(b"", then_close=True), Unreachable),
    "silent": (SILENCE, Unreachable),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_store_is_answered_503_and_logged_without_secrets(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    step, kind = FAULTS[name]
    with sessions(step) as (store, _):
        reply = through_handler(adapter(store))(legacy("tools/list", session=ID))
    log = written(capsys).logs
    assert (reply.status, reply.headers["retry-after"], leaks(reply)) == (503, "1", [])
    assert f"mcpcore_aws.errors.{kind.__name__}" in log[-1]["exception"]
    assert "hush" not in f"{log}"
    assert b"hush" not in reply.body


@pytest.mark.parametrize("variables", [{"AWS_REGION": ""}, {"AWS_ENDPOINT_URL_DYNAMODB": "http://a/b"}])
def test_a_store_without_region_or_endpoint_is_unavailable(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**account_at("http://127.0.0.1:1"), "AWS_DEFAULT_REGION": "", **variables}.items():
        monkeypatch.setenv(name, value)
    store = DynamoDBSessions("sessions")
    with pytest.raises(StoreUnavailable) as caught:
        store.load(SESSION.id, NOW)
    assert isinstance(caught.value.__cause__, NotConfigured)
    with pytest.raises(StoreUnavailable):
        store.warm_up()


def test_a_store_can_be_warmed_up_and_closed_without_a_request() -> None:
    with sessions(FRESH) as (store, server):
        store.warm_up()
    assert server.asked == []
    DynamoDBSessions("sessions").close()


PROGRAM: Final = """
import sys
from mcpcore_aws.sessions import DynamoDBSessions
store = DynamoDBSessions("sessions")
costly = {"boto3", "botocore", "urllib3", "http.client", "ssl", "mcpcore_aws.dynamodb"}
print(sorted(costly & set(sys.modules)))
print(store.load("a" * 32, 0))
print(sorted(costly & set(sys.modules)))
store.close()
"""


def test_the_client_is_imported_with_the_first_session_and_no_sdk_even_then() -> None:
    with scripted(answer({})) as server:
        ended = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=plain_environment() | account_at(server.endpoint) | {"PYTHONPATH": str(ROOT / "layers/core")},
            capture_output=True,
            text=True,
            check=True,
        )
    assert ended.stdout.splitlines() == ["[]", "None", "['http.client', 'mcpcore_aws.dynamodb', 'ssl']"]
