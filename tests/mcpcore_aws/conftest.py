"""Powertools as Lambda has it, for every test of the edge; and a store of sessions in DynamoDB."""

import pytest

from mcpcore_aws.dynamodb import DynamoDB
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.adapters import Observe, Written, adapter, fresh_log, written
from tests.support.dynamodb import account_at, empty_table
from tests.support.exchanges import Sent, modern, through_handler
from tests.support.store_suite import NOW, SESSION


@pytest.fixture(autouse=True)
def _log_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh_log(monkeypatch)


@pytest.fixture(scope="module")
def warm_store(dynamodb: str, shared_table: str) -> DynamoDBSessions:
    """A store whose client is made already, as it is for all requests of a container but the first."""
    store = DynamoDBSessions(shared_table, DynamoDB(account_at(dynamodb)))
    store.load(SESSION.id, NOW)
    return store


@pytest.fixture
def store(warm_store: DynamoDBSessions, dynamodb: str, shared_table: str) -> DynamoDBSessions:
    """The store over an empty table."""
    empty_table(dynamodb, shared_table)
    return warm_store


@pytest.fixture
def observe(capsys: pytest.CaptureFixture[str]) -> Observe:
    """Sends requests through one adapter that is warm already, and gives what it wrote about them."""

    def send_all(*requests: Sent) -> Written:
        send = through_handler(adapter())
        send(modern("tools/list"))
        written(capsys)
        for request in requests:
            send(request)
        return written(capsys)

    return send_all
