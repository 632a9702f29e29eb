"""The template's stack, made by moto's CloudFormation, and the real handler over the table that it made."""

import json
import runpy
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.support.dynamodb import empty_table, items_of
from tests.support.exchanges import Reply, Send, Sent, initialize, legacy, modern, through_handler
from tests.support.processes import ROOT
from tests.support.published import baked_folder
from tests.support.stack import Stack, client, made_stack

CALL: Final[dict[str, Any]] = {"name": "get_sources", "arguments": {"query": "how do I learn rust"}}

PARAMETERS: Final = {
    "SessionTtlSeconds": "600",
    "ToolTimeoutSeconds": "5",
    "StateSecret": "s" * 32,
}


@pytest.fixture(scope="module")
def stack(dynamodb: str) -> Iterator[Stack]:
    with made_stack(dynamodb, PARAMETERS) as made:
        yield made


@pytest.fixture
def send(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Send:
    """Through the handler, as a cold start with the environment of the stack's function makes it."""
    for name, value in {**stack.variables, "REGISTRY_DIR": str(baked_folder())}.items():
        monkeypatch.setenv(name, value)
    return through_handler(runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"])


def ranks(reply: Reply) -> list[int]:
    return [source["rank"] for source in json.loads(reply.body)["result"]["structuredContent"]["sources"]]


def items(stack: Stack) -> list[dict[str, Any]]:
    return items_of(stack.endpoint, stack.outputs["SessionsTableName"])


def test_the_table_is_made_as_the_template_says(stack: Stack) -> None:
    dynamodb, name = client("dynamodb", stack.endpoint), stack.outputs["SessionsTableName"]
    table = dynamodb.describe_table(TableName=name)["Table"]
    assert table["KeySchema"] == [
        {"AttributeName": "session_id", "KeyType": "HASH"},
        {"AttributeName": "item", "KeyType": "RANGE"},
    ]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def test_the_logs_are_kept_for_a_month(stack: Stack) -> None:
    groups = client("logs", stack.endpoint).describe_log_groups()["logGroups"]
    kept = {group["logGroupName"]: group["retentionInDays"] for group in groups}
    names = {stack.outputs["LogGroupName"], stack.outputs["AccessLogGroupName"]}
    assert {name: kept[name] for name in names} == dict.fromkeys(names, 30)


def test_the_function_is_given_its_table_and_the_settings(stack: Stack) -> None:
    assert stack.variables["SESSIONS_TABLE"] == stack.outputs["SessionsTableName"]
    given = {name: stack.variables[name] for name in ("SESSION_TTL_SECONDS", "TOOL_TIMEOUT_SECONDS")}
    assert given == {"SESSION_TTL_SECONDS": "600", "TOOL_TIMEOUT_SECONDS": "5"}
    secrets = [stack.variables["STATE_SECRET"], stack.variables["STATE_SECRET_PREVIOUS"]]
    assert secrets == ["s" * 32, ""]


def test_a_request_of_2026_07_28_is_answered_and_leaves_the_table_alone(stack: Stack, send: Send) -> None:
    assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]
    assert items(stack) == []


def test_a_session_lives_in_the_table_until_it_is_ended_and_leaves_a_mark_that_expires(
    stack: Stack, send: Send
) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    (item,) = items(stack)
    assert (item["session_id"], item["item"]) == ({"S": session}, {"S": "session"})
    assert 500 < int(item["expires_at"]["N"]) - time.time() <= 600

    assert ranks(send(legacy("tools/call", session=session, **CALL))) == [1, 2, 3]

    send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    (mark,) = items(stack)
    assert set(mark) == {"session_id", "item", "expires_at"}
    assert send(legacy("tools/call", session=session, **CALL)).status == 404


def test_a_limit_for_each_client_needs_no_setting_but_itself(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**stack.variables, "REGISTRY_DIR": str(baked_folder())}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("REQUESTS_PER_MINUTE", "1")
    handler = runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"]
    send = through_handler(handler)
    assert [send(modern("tools/call", **CALL)).status for _ in range(2)] == [200, 429]
    empty_table(stack.endpoint, stack.outputs["SessionsTableName"])


def test_with_api_keys_the_function_is_given_their_table(dynamodb: str) -> None:
    with made_stack(dynamodb, {"ApiKeys": "enabled"}) as made:
        name = made.outputs["ApiKeysTableName"]
        table = client("dynamodb", made.endpoint).describe_table(TableName=name)["Table"]

    assert made.variables["AUTH_API_KEYS_TABLE"] == name
    assert table["KeySchema"] == [{"AttributeName": "key_hash", "KeyType": "HASH"}]


def test_without_api_keys_there_is_no_table_of_them(stack: Stack) -> None:
    assert stack.variables["AUTH_API_KEYS_TABLE"] == ""
    assert "ApiKeysTableName" not in stack.outputs
