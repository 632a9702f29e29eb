"""API keys at the edge: which are accepted, what their lookup costs, and what the table gets to hold."""

import hashlib
import json
import re
from typing import Any, Final

import pytest

from mcpcore import StoreUnavailable
from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import Unauthorized
from mcpcore.request.principal import Principal
from mcpcore_aws import LambdaInvocation
from mcpcore_aws.authorization.api_keys import ApiKeyVerifier
from mcpcore_aws.dynamodb import DynamoDB
from tests.support.dynamodb import (
    account_at,
    closed_port,
    fresh_api_keys_table,
    items_of,
    put_item,
    silent_server,
    use_dynamodb,
)
from tests.support.exchanges import LambdaContext
from tests.support.faults import faulty, instead
from tests.support.scripted import SILENCE, Scripted, Step, answer, failure, scripted

NOW: Final = 1_800_000_000
HOUR: Final = 3600
KEY: Final = "3gs_" + "k" * 42 + "A"
HASH: Final = hashlib.sha256(KEY.encode()).hexdigest()
ID: Final = HASH[:16]
ITEM: Final[dict[str, Any]] = {
    "key_hash": {"S": HASH},
    "name": {"S": "nightly report"},
    "scopes": {"S": "read write"},
    "created_at": {"N": str(NOW - 9 * HOUR)},
}
USED: Final = ITEM | {"last_used_at": {"N": str(NOW)}}
PRINCIPAL: Final = Principal(ID, "api-keys", "nightly report", frozenset({"read", "write"}))
MALFORMED: Final = "the API key is malformed; send it whole, as it was printed"


def verify(
    verifier: ApiKeyVerifier, authorization: str = f"Bearer {KEY}", now: float = NOW, seconds: float = 29
) -> Principal | None:
    headers = {"authorization": authorization} if authorization else {}
    invocation = LambdaInvocation({}, LambdaContext(seconds))
    return verifier.verify(HttpRequest("POST", headers, b""), invocation, now)


def refusal(verifier: ApiKeyVerifier, authorization: str = f"Bearer {KEY}", now: float = NOW) -> str:
    """Why the key is refused."""
    with pytest.raises(Unauthorized) as refused:
        verify(verifier, authorization, now)
    return refused.value.description


def over(server: Scripted) -> ApiKeyVerifier:
    """A verifier over a table that answers as scripted."""
    return ApiKeyVerifier("keys", DynamoDB(account_at(server.endpoint), sleep=lambda _: None))


def operations(server: Scripted) -> list[str]:
    return [asked.operation for asked in server.asked]


@pytest.fixture(scope="module")
def keys_table(dynamodb: str) -> str:
    """A table that holds the key, used just now."""
    return fresh_api_keys_table(dynamodb)


@pytest.fixture
def verifier(dynamodb: str, keys_table: str, monkeypatch: pytest.MonkeyPatch) -> ApiKeyVerifier:
    """A verifier over that table, which finds it in the environment."""
    put_item(dynamodb, keys_table, USED)
    use_dynamodb(monkeypatch, dynamodb)
    return ApiKeyVerifier(keys_table)


# Which requests it decides


def test_the_holder_of_a_key_is_its_id_with_the_scopes_of_the_key(verifier: ApiKeyVerifier) -> None:
    assert verify(verifier) == PRINCIPAL


@pytest.mark.parametrize(
    "authorization",
    ["", "Basic M2dzXzo=", f"Basic {KEY}", "Bearer eyJhbGciOiJFZERTQSJ9.e30.AA", "Bearer 3gs"],
)
def test_other_credentials_are_left_to_other_verifiers_without_a_read(authorization: str) -> None:
    with scripted(failure("InternalServerError", 500)) as server:
        assert verify(over(server), authorization) is None
    assert server.asked == []


@pytest.mark.parametrize(
    "key",
    ["3gs_", KEY[:-1], KEY + "A", KEY[:-1] + "B", KEY[:-1] + "=", KEY[:-1] + ".", "3gs_" + KEY],
)
def test_a_malformed_key_is_refused_without_a_read(key: str) -> None:
    with scripted(answer({"Item": ITEM})) as server:
        assert refusal(over(server), f"Bearer {key}") == MALFORMED
    assert server.asked == []


@pytest.mark.parametrize(
    ("changed", "description"),
    [
        ({"revoked_at": {"N": str(NOW - 1)}}, "the API key was revoked; ask for a new one"),
        ({"revoked_at": {"N": str(NOW + 1)}}, "the API key was revoked; ask for a new one"),
        ({"expires_at": {"N": str(NOW)}}, "the API key has expired; ask for a new one"),
        ({"expires_at": {"S": "never"}}, "the API key is unknown"),
        ({"scopes": {"L": []}}, "the API key is unknown"),
        ({"created_at": {"S": "yesterday"}}, "the API key is unknown"),
    ],
)
def test_a_key_that_is_revoked_expired_or_damaged_is_refused(
    dynamodb: str, keys_table: str, verifier: ApiKeyVerifier, changed: dict[str, Any], description: str
) -> None:
    put_item(dynamodb, keys_table, USED | changed)
    assert refusal(verifier) == description


def test_a_key_is_valid_until_it_expires(dynamodb: str, keys_table: str, verifier: ApiKeyVerifier) -> None:
    put_item(dynamodb, keys_table, USED | {"expires_at": {"N": str(NOW + 1)}})
    assert verify(verifier) == PRINCIPAL
    assert refusal(verifier, now=NOW + 1) == "the API key has expired; ask for a new one"


def test_a_key_that_is_in_no_table_is_unknown(verifier: ApiKeyVerifier) -> None:
    assert refusal(verifier, f"Bearer {KEY[:-1]}Q") == "the API key is unknown"


def test_a_revoked_key_is_refused_from_the_next_request_on(
    dynamodb: str, keys_table: str, verifier: ApiKeyVerifier
) -> None:
    assert verify(verifier) == PRINCIPAL
    put_item(dynamodb, keys_table, USED | {"revoked_at": {"N": str(NOW)}})
    assert refusal(verifier) == "the API key was revoked; ask for a new one"


# What a lookup costs


def test_a_request_costs_one_consistent_read_by_the_hash() -> None:
    with scripted(answer({"Item": USED})) as server:
        assert verify(over(server)) == PRINCIPAL
    assert operations(server) == ["GetItem"]
    assert b'"ConsistentRead":true' in server.asked[0].body
    assert HASH.encode() in server.asked[0].body
    assert KEY.encode() not in server.asked[0].body


def test_a_wrong_key_that_is_repeated_costs_a_read_every_ten_seconds() -> None:
    with scripted(answer({})) as server:
        verifier = over(server)
        refusals = {refusal(verifier, now=NOW + second) for second in range(20)}
        assert (refusals, len(server.asked)) == ({"the API key is unknown"}, 2)
        refusal(verifier, now=NOW - HOUR)  # the clock was put back
        assert len(server.asked) == 3


def test_refusals_are_remembered_in_bounded_memory() -> None:
    with scripted(answer({})) as server:
        verifier = over(server)
        for number in range(1_100):
            refusal(verifier, f"Bearer 3gs_{number:042}A")
    assert len(verifier._refusals) <= 1_000


# The last use


def test_the_last_use_is_recorded_once_an_hour(dynamodb: str, keys_table: str) -> None:
    put_item(dynamodb, keys_table, ITEM)
    verifier = ApiKeyVerifier(keys_table, DynamoDB(account_at(dynamodb)))
    recorded = []
    for now in (NOW, NOW + HOUR - 1, NOW + HOUR):
        verify(verifier, now=now)
        recorded += [int(item["last_used_at"]["N"]) - NOW for item in items_of(dynamodb, keys_table)]
    assert recorded == [0, 0, HOUR]


def test_a_key_deleted_since_its_read_is_not_made_again_by_recording_its_use(dynamodb: str) -> None:
    table = fresh_api_keys_table(dynamodb)
    with faulty(dynamodb) as proxy:
        proxy.faults.append(instead(answer({"Item": ITEM})))
        assert verify(ApiKeyVerifier(table, DynamoDB(account_at(proxy.endpoint)))) == PRINCIPAL
    assert proxy.operations == ["GetItem", "UpdateItem"]
    assert items_of(dynamodb, table) == []


def test_a_recorded_use_touches_only_what_the_role_of_the_function_may_touch() -> None:
    with scripted(answer({"Item": ITEM}), answer({})) as server:
        verify(over(server))
    sent = json.loads(server.asked[1].body)
    words = re.findall(r"[a-z_]+", f"{sent['UpdateExpression']} {sent['ConditionExpression']}")
    assert set(words) - {"attribute_exists", "attribute_not_exists", "now", "before"} == {
        "key_hash",
        "last_used_at",
    }
    assert (set(sent["Key"]), "ReturnValues" in sent) == ({"key_hash"}, False)


@pytest.mark.parametrize("written", [failure("AccessDeniedException"), SILENCE, answer(b"{")])
def test_a_use_that_cannot_be_recorded_costs_the_key_nothing_and_is_not_tried_for_a_minute(
    written: Step,
) -> None:
    read = answer({"Item": ITEM})
    with scripted(read, written, read, read, answer({}), read) as server:
        verifier = over(server)
        assert [verify(verifier, now=NOW + seconds) for seconds in (0, 59, 60)] == [PRINCIPAL] * 3
    assert operations(server) == ["GetItem", "UpdateItem", "GetItem", "GetItem", "UpdateItem"]


def test_that_another_environment_has_recorded_the_use_is_no_failure() -> None:
    read, taken = answer({"Item": ITEM}), failure("ConditionalCheckFailedException")
    with scripted(read, taken, read, answer({})) as server:
        verifier = over(server)
        assert [verify(verifier) for _ in range(2)] == [PRINCIPAL] * 2
    assert operations(server) == ["GetItem", "UpdateItem"] * 2


# Without the table


def test_a_table_that_cannot_be_read_is_no_reason_to_call_a_key_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_dynamodb(monkeypatch, f"http://127.0.0.1:{closed_port()}")
    with pytest.raises(StoreUnavailable) as unavailable:
        verify(ApiKeyVerifier("keys"))
    assert unavailable.value.message == "API keys are unavailable at the moment; try again shortly"
    assert unavailable.value.reason.startswith("keys: Unreachable: ")


def test_a_table_that_is_not_configured_is_unavailable_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(StoreUnavailable, match="API keys are unavailable"):
        verify(ApiKeyVerifier("keys"))


def test_a_failed_read_is_not_remembered_as_a_refusal() -> None:
    with scripted(failure("AccessDeniedException"), answer({"Item": USED})) as server:
        verifier = over(server)
        with pytest.raises(StoreUnavailable):
            verify(verifier)
        assert verify(verifier) == PRINCIPAL


def test_a_silent_table_is_not_waited_for_beyond_the_invocation(monkeypatch: pytest.MonkeyPatch) -> None:
    with silent_server() as endpoint:
        use_dynamodb(monkeypatch, endpoint)
        with pytest.raises(StoreUnavailable):
            verify(ApiKeyVerifier("keys"), seconds=1.1)
