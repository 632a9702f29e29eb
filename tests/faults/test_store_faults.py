"""Every fault of the store in the table: what the client gets, and that its next request is served."""

import time
from collections.abc import Iterator

import pytest

from mcpcore import SessionId
from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from mcpcore_aws.sessions import DynamoDBSessions
from tests.faults.table import ATTEMPTS, OTHER_FAULTS, STORE_FAULTS, as_markdown
from tests.support.adapters import adapter
from tests.support.dynamodb import account_at
from tests.support.exchanges import Send, initialize, legacy, through_handler
from tests.support.faults import Proxy, faulty
from tests.support.leaks import leaks
from tests.support.processes import ROOT

PAGE = ROOT / "docs" / "reliability.md"


@pytest.fixture(scope="module")
def proxy(dynamodb: str) -> Iterator[Proxy]:
    with faulty(dynamodb) as running:
        yield running


@pytest.fixture
def send(proxy: Proxy, shared_table: str) -> Iterator[Send]:
    limits = RetryPolicy(1, 0.5, 0.4)
    client = DynamoDB(account_at(proxy.endpoint), retry_policy=limits, sleep=lambda _: None)
    store = DynamoDBSessions(shared_table, client)
    yield through_handler(adapter(store, clock=time.time))
    store.close()
    proxy.faults.clear()
    proxy.release()


@pytest.mark.parametrize("name", STORE_FAULTS)
def test_a_fault_has_the_answer_of_the_table_and_the_next_request_is_served(
    send: Send, proxy: Proxy, name: str
) -> None:
    row = STORE_FAULTS[name]
    session = SessionId(send(initialize()).headers["mcp-session-id"])
    for times, status in ((1, row.once), (ATTEMPTS + 1, row.always)):
        proxy.faults.extend([row.fault] * times)
        reply = send(row.sent(session))
        proxy.faults.clear()
        assert (reply.status, leaks(reply)) == (status, [])
        assert ("retry-after" in reply.headers) is (status == 503)
        proxy.release()
        assert send(row.sent(session)).status == 200
    assert send(legacy("tools/list", session=session)).status == 200


def test_the_page_shows_the_table() -> None:
    assert as_markdown() in PAGE.read_text()


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_the_test_of_a_fault_exists(name: str) -> None:
    path, _, test = OTHER_FAULTS[name].test.partition("::")
    assert f"def {test}(" in (ROOT / path).read_text()
