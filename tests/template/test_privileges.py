"""The function may do what its code does, and nothing else: calls made are compared with calls allowed."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from mcpcore.http import HttpRequest
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    SetLogLevel,
    StoreAction,
    UpdateExchange,
)
from mcpcore_aws.dynamodb import DynamoDB
from mcpcore_aws.rate_limits import RateLimiter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import RateLimits
from tests.support.dynamodb import account_at
from tests.support.sam_template import effective, load_template
from tests.support.store_suite import ANSWERED, EXCHANGE, EXPIRY, NOW, SESSION

RESOURCES: Final = effective(load_template(), stack="three-good-sources")
ACTIONS: Final[tuple[StoreAction, ...]] = (
    OpenSession(SESSION),
    ExtendSession(SESSION.id, EXPIRY + 60),
    SetLogLevel(SESSION.id, "debug"),
    CreateExchange(EXCHANGE),
    RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", {"action": "accept"}, False),
    UpdateExchange(ANSWERED._replace(round=2)),
    DeleteExchange(SESSION.id, EXCHANGE.id),
    CloseSession(SESSION.id),
)


class Recording(DynamoDB):
    """The client, which remembers what it was asked for: the operation and its table."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__(environment)
        self.calls: set[tuple[str, str]] = set()

    def call(self, operation: str, arguments: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        self.calls.add((operation, arguments["TableName"]))
        return super().call(operation, arguments, **options)


def allowed(name: str) -> dict[str, set[str]]:
    """The actions that a policy of the function's role allows, by resource."""
    policies = {each["PolicyName"]: each for each in RESOURCES["McpFunctionRole"]["Properties"]["Policies"]}
    statements = policies[name]["PolicyDocument"]["Statement"]
    assert {each["Effect"] for each in statements} == {"Allow"}
    return {each["Resource"]: set(each["Action"]) for each in statements}


def test_the_sessions_need_every_operation_that_the_role_allows_and_no_other(
    dynamodb: str, shared_table: str
) -> None:
    assert {type(action) for action in ACTIONS} == set(get_args(StoreAction))
    client = Recording(account_at(dynamodb))
    store = DynamoDBSessions(shared_table, client)
    for action in ACTIONS:
        store.load(SESSION.id, NOW)
        store.load_exchange(SESSION.id, EXCHANGE.id, NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 20)
        store.apply(action, NOW)
    operations = {operation for operation, _ in client.calls}
    assert {table for _, table in client.calls} == {shared_table}
    assert allowed("sessions") == {"SessionsTable": {f"dynamodb:{name}" for name in operations}}


def test_rate_limits_need_no_more_than_sessions_do(dynamodb: str, shared_table: str) -> None:
    client = Recording(account_at(dynamodb))
    limiter = RateLimiter(RateLimits(1, 1, table=shared_table, digest_key=b"key"), client)
    request = HttpRequest("POST", {}, b"")
    limiter.check("203.0.113.7", request, NOW, opens_session=True, seconds_left=9)
    assert client.calls == {("UpdateItem", shared_table)}
    assert "dynamodb:UpdateItem" in allowed("sessions")["SessionsTable"]


def test_beside_its_table_the_function_may_write_to_its_own_log_alone() -> None:
    assert allowed("logs") == {"McpLogGroup": {"logs:CreateLogStream", "logs:PutLogEvents"}}
    role = RESOURCES["McpFunctionRole"]["Properties"]
    assert [policy["PolicyName"] for policy in role["Policies"]] == ["sessions", "logs"]
