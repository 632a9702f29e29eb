"""State secrets kept in AWS: when they are read, how they are replaced, and what happens if that fails."""

import itertools
import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import pytest

from mcpcore import MemorySessions, StoreUnavailable
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.state_secrets import StateSecrets
from tests.support.asking_server import asking_server
from tests.support.dynamodb import closed_port, recording_server, silent_server
from tests.support.event_sources import through_event_source
from tests.support.exchanges import Reply, Send, modern
from tests.support.processes import DUMMY_ACCOUNT
from tests.support.resuming import connect, text_of
from tests.support.scripted import Step, answer, failure, scripted
from tests.support.stack import client

OLD, NEW, NEWER = (letter * 32 for letter in ("o", "n", "r"))
NOW: Final = 1_800_000_000.0
GIVEN: Final = b"g" * 32
REGION: Final = DUMMY_ACCOUNT["AWS_REGION"]
SECRET_ARN: Final = f"arn:aws:secretsmanager:{REGION}:123456789012:secret:state-AbCdEf"
ARNS: Final = [SECRET_ARN, f"arn:aws:ssm:{REGION}:123456789012:parameter/a/state"]
ADA: Final[dict[str, Any]] = {"name": {"action": "accept", "content": {"name": "Ada"}}}
_NAMES: Final = (f"state{number}" for number in itertools.count())


class Kept(NamedTuple):
    """A secret in one of the two services."""

    arn: str
    service: Any

    def put(self, text: str) -> None:
        """Make `text` the newest version."""
        if ":ssm:" in self.arn:
            name = "/" + self.arn.partition(":parameter/")[2]
            self.service.put_parameter(Name=name, Value=text, Type="SecureString", Overwrite=True)
        else:
            self.service.put_secret_value(SecretId=self.arn, SecretString=text)

    def delete(self) -> None:
        """Delete it at once."""
        if ":ssm:" in self.arn:
            self.service.delete_parameter(Name="/" + self.arn.partition(":parameter/")[2])
        else:
            self.service.delete_secret(SecretId=self.arn, ForceDeleteWithoutRecovery=True)


@pytest.fixture(params=["secretsmanager", "ssm"])
def kept(request: pytest.FixtureRequest, dynamodb: str, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A secret whose only version is `OLD`; clients find it for as long as the test runs."""
    for name, value in located(dynamodb).items():
        monkeypatch.setenv(name, value)
    service, name = client(request.param, dynamodb), next(_NAMES)
    if request.param == "secretsmanager":
        return Kept(service.create_secret(Name=name, SecretString=OLD)["ARN"], service)
    service.put_parameter(Name=f"/a/{name}", Value=OLD, Type="SecureString")
    return Kept(service.get_parameter(Name=f"/a/{name}")["Parameter"]["ARN"], service)


def located(endpoint: str) -> dict[str, str]:
    return {**DUMMY_ACCOUNT, "AWS_ENDPOINT_URL": endpoint}


class Reader:
    """The secrets of `arn`, and the clock that they age by."""

    def __init__(self, arn: str, endpoint: str) -> None:
        self.now = 0.0
        self.secrets = StateSecrets(arn, environment=located(endpoint), clock=lambda: self.now)

    def newest(self, seconds: float = math.inf) -> str:
        """What seals."""
        return next(self.secrets.newest_first(lambda: seconds)).decode()

    def all(self) -> list[str]:
        """All that may open, newer ones that were found on the way included."""
        return [secret.decode() for secret in self.secrets.newest_first(lambda: math.inf)]


# What is read, and when


def test_the_newest_version_seals_and_the_one_before_it_opens(kept: Kept, dynamodb: str) -> None:
    assert Reader(kept.arn, dynamodb).all() == [OLD]
    kept.put(NEW)
    assert Reader(kept.arn, dynamodb).all() == [NEW, OLD]
    kept.put(NEWER)
    assert Reader(kept.arn, dynamodb).all() == [NEWER, NEW]


def test_secrets_that_the_server_was_given_still_open(kept: Kept, dynamodb: str) -> None:
    secrets = StateSecrets(kept.arn, [GIVEN], environment=located(dynamodb))

    assert list(secrets.newest_first(lambda: 9)) == [OLD.encode(), GIVEN]


def test_a_version_too_short_to_be_a_secret_is_left_out_or_refused(kept: Kept, dynamodb: str) -> None:
    kept.put("placeholder")
    with pytest.raises(StoreUnavailable) as refused:
        Reader(kept.arn, dynamodb).newest()
    kept.put(NEW)

    assert refused.value.reason == f"{kept.arn}: its newest version is not text of 32 bytes or more"
    assert Reader(kept.arn, dynamodb).all() == [NEW]


def test_a_secret_is_read_every_five_minutes(kept: Kept, dynamodb: str) -> None:
    reader = Reader(kept.arn, dynamodb)
    assert reader.newest() == OLD
    kept.put(NEW)
    reader.now = 299
    assert reader.newest() == OLD
    reader.now = 300
    assert reader.newest() == NEW


def test_an_unknown_key_has_it_read_again_ten_seconds_after_the_last_time(kept: Kept, dynamodb: str) -> None:
    reader = Reader(kept.arn, dynamodb)
    assert reader.newest() == OLD
    kept.put(NEW)
    reader.now = 9.9
    assert reader.all() == [OLD]
    reader.now = 10
    assert reader.all() == [OLD, NEW]
    kept.put(NEWER)
    assert reader.all() == [NEW, OLD]


# When it cannot be read


def test_a_source_that_stops_answering_is_done_without_for_an_hour(kept: Kept, dynamodb: str) -> None:
    reader = Reader(kept.arn, dynamodb)
    assert reader.newest() == OLD
    kept.delete()
    reader.now = 3599
    assert reader.newest() == OLD
    reader.now = 3600
    with pytest.raises(StoreUnavailable):
        reader.newest()


@pytest.mark.parametrize("arn", ARNS)
def test_a_source_that_hangs_takes_no_more_than_the_time_that_is_left(arn: str) -> None:
    with silent_server() as endpoint:
        started = time.monotonic()
        with pytest.raises(StoreUnavailable):
            Reader(arn, endpoint).newest(0.3)

    assert time.monotonic() - started < 0.6


@pytest.mark.parametrize("arn", ARNS)
def test_a_reply_without_a_secret_is_refused(arn: str) -> None:
    with recording_server() as (endpoint, _), pytest.raises(StoreUnavailable) as refused:
        Reader(arn, endpoint).newest()

    assert refused.value.reason == f"{arn}: its newest version is not text of 32 bytes or more"


@pytest.mark.parametrize(
    ("step", "calls"), [(answer({"SecretString": OLD}), 2), (failure("AccessDeniedException"), 1)]
)
def test_a_flood_of_unknown_keys_costs_one_read(step: Step, calls: int) -> None:
    with scripted(step) as server:
        reader = Reader(SECRET_ARN, server.endpoint)
        for _ in range(500):
            with suppress(StoreUnavailable):
                reader.all()
        assert len(server.asked) == calls
        reader.now = 10
        with suppress(StoreUnavailable):
            reader.all()

    assert len(server.asked) == 2 * calls


# Through a function


def function(arn: str, clock: Callable[[], float] = lambda: NOW) -> Send:
    """A new execution environment of a server that asks."""
    adapter = LambdaAdapter(asking_server(), sessions=MemorySessions(), state_secret_source=arn, clock=clock)
    return through_event_source(adapter, "http_api")


def greet(send: Send, **members: Any) -> Reply:
    sent = modern("tools/call", name="greet", **members)
    message = json.loads(sent.body)
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
    return send(sent._replace(body=json.dumps(message).encode()))


def asked(send: Send) -> dict[str, Any]:
    """What a client that was asked sends back."""
    state = greet(send).message()["result"]["requestState"]
    return {"requestState": state, "inputResponses": ADA}


def test_a_secret_is_replaced_without_a_deployment(kept: Kept) -> None:
    now = [NOW]
    before = function(kept.arn, lambda: now[0])
    under_old = asked(before)
    kept.put(NEW)
    now[0] += 10
    after = function(kept.arn)
    under_new = asked(after)

    for send, retry in itertools.product((before, after), (under_old, under_new)):
        assert text_of(greet(send, **retry).message()) == (False, "Hello, Ada!")


def test_a_state_of_two_versions_ago_is_refused(kept: Kept) -> None:
    answer = asked(function(kept.arn))
    kept.put(NEW)
    kept.put(NEWER)

    assert greet(function(kept.arn), **answer).message()["error"] == {
        "code": -32602,
        "message": "requestState is sealed with a key that is gone; begin again without it",
    }


@pytest.fixture(params=ARNS)
def unreachable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Send:
    """A function whose secret cannot be read."""
    for name, value in located(f"http://127.0.0.1:{closed_port()}").items():
        monkeypatch.setenv(name, value)
    return function(request.param)


def test_a_question_whose_secret_cannot_be_read_is_answered_503(
    unreachable: Send, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    replies = [
        greet(unreachable),
        greet(unreachable, requestState="AQ" + "A" * 98, inputResponses=ADA),
        connect(unreachable).call("greet"),
    ]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [(reply.status, reply.headers["retry-after"]) for reply in replies] == [(503, "1")] * 3
    assert {reply.message()["error"]["message"] for reply in replies} == {
        "Questions are unavailable at the moment; try again shortly"
    }
    reasons = [line["reason"] for line in lines if line.get("reason")]
    assert len(reasons) == 3
    assert all("Unreachable" in reason or "Connection refused" in reason for reason in reasons)


def test_no_secret_is_read_for_a_request_that_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with recording_server() as (endpoint, requests):
        for name, value in located(endpoint).items():
            monkeypatch.setenv(name, value)
        send = function(SECRET_ARN)
        replies = [send(modern("tools/list")), send(modern("tools/call", name="count", arguments={"to": 1}))]

    assert [reply.status for reply in replies] == [200, 200]
    assert requests == []


def test_a_dry_run_before_a_snapshot_asks_without_reading_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    with recording_server() as (endpoint, requests):
        for name, value in located(endpoint).items():
            monkeypatch.setenv(name, value)
        adapter = LambdaAdapter(asking_server(), sessions=MemorySessions(), state_secret_source=SECRET_ARN)
        reply = greet(through_event_source(adapter.dry_run_copy(lambda _: None), "http_api"))

    assert reply.message()["result"]["resultType"] == "input_required"
    assert requests == []
