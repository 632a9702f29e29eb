"""The client with a scripted server: connections, retries, time limits, unexpected responses."""

import contextlib
import json
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from mcpcore_aws.dynamodb import Credentials, DynamoDB, RetryPolicy, signed_headers
from mcpcore_aws.errors import (
    ConditionFailed,
    MalformedResponse,
    ServiceError,
    StoreFault,
    Unreachable,
)
from tests.support.dynamodb import closed_port, silent_server
from tests.support.dynamodb_client import ACCOUNT, FOUND, KEY, NOW, client_of, connected
from tests.support.scripted import SILENCE, Step, answer, failure, scripted

RESPONSE_CUT: Final = Step(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}", then_close=True)
CONNECTION_CLOSED: Final = Step(b"", then_close=True)


# What is sent


def test_a_request_is_the_arguments_as_json_signed_for_the_region_and_the_moment() -> None:
    with connected(answer(FOUND)) as (client, server):
        assert client.get() == FOUND
    (asked,) = server.asked
    assert json.loads(asked.body) == KEY
    expected = signed_headers(
        Credentials("ASIAEXAMPLE", "hush/secret", "hush/token"),
        host=server.endpoint.removeprefix("http://"),
        region="eu-central-1",
        target="DynamoDB_20120810.GetItem",
        body=asked.body,
        now=NOW,
    )
    more = {"accept-encoding": "identity", "content-length": str(len(asked.body))}
    assert asked.headers == expected | more


def test_each_try_is_signed_anew() -> None:
    moments = iter([NOW, NOW + 1])
    with scripted(failure("ThrottlingException"), answer({})) as server:
        environment = {**ACCOUNT, "AWS_ENDPOINT_URL_DYNAMODB": server.endpoint}
        client = DynamoDB(environment, clock=lambda: next(moments), sleep=lambda _: None)
        client.call("GetItem", KEY)
        client.close()
    dates = [asked.headers["x-amz-date"] for asked in server.asked]
    assert dates == ["20270115T080000Z", "20270115T080001Z"]


# Connections


@pytest.mark.parametrize("headers", [{"connection": "close"}, {}])
def test_a_connection_that_the_server_has_closed_is_replaced_without_a_wait(headers: dict[str, str]) -> None:
    with connected(answer({}, 200, headers, then_close=True), answer(FOUND)) as (client, server):
        client.get()
        time.sleep(0.05)
        assert client.get() == FOUND
    assert (server.connections(), client.waits) == ([1, 2], [])


def test_a_connection_that_is_closed_on_a_request_is_replaced_without_a_wait_and_once() -> None:
    with connected(answer({}), CONNECTION_CLOSED, CONNECTION_CLOSED, answer(FOUND)) as (client, server):
        client.get()
        assert client.get() == FOUND
    assert (server.connections(), client.waits) == ([1, 1, 2, 3], [0.025])


@pytest.mark.parametrize("step", [RESPONSE_CUT, SILENCE, answer(b"x" * 4_000_001)])
def test_a_connection_with_half_an_answer_is_not_used_again(step: Step) -> None:
    with connected(step, answer(FOUND)) as (client, server):
        with contextlib.suppress(StoreFault):
            client.get()
        assert client.get() == FOUND
    assert server.connections()[:2] == [1, 2]


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_is_kept_after_any_whole_response(status: int, chunked: bool) -> None:
    step = in_one_chunk(FOUND, status) if chunked else answer(FOUND, status, checksum=False)
    with connected(step) as (client, server):
        for _ in range(2):
            with contextlib.suppress(ServiceError):
                client.get()
    assert server.connections() == [1, 1]


def test_closing_drops_the_connection_and_the_next_request_opens_another() -> None:
    with connected(answer({})) as (client, server):
        client.get()
        client.dynamodb.close()
        client.dynamodb.close()
        client.get()
    assert server.connections() == [1, 2]


def test_closing_in_one_thread_leaves_the_connections_of_others_open() -> None:
    with connected(answer(FOUND)) as (client, server), ThreadPoolExecutor(1) as other:
        other.submit(client.get).result()
        client.dynamodb.close()
        other.submit(client.get).result()
    assert server.connections() == [1, 1]


def test_every_thread_keeps_a_connection_of_its_own() -> None:
    threads = 8
    with connected(answer(FOUND)) as (client, server), ThreadPoolExecutor(threads) as pool:
        start = threading.Barrier(threads, timeout=10)

        def work() -> list[dict[str, Any]]:
            start.wait()
            return [client.get() for _ in range(20)]

        found = [each.result() for each in [pool.submit(work) for _ in range(threads)]]
    assert found == [[FOUND] * 20] * threads
    assert Counter(server.connections()) == dict.fromkeys(range(1, threads + 1), 20)


# Trying again


@pytest.mark.parametrize(
    ("step", "waits"),
    [
        (failure("ProvisionedThroughputExceededException"), [1.0, 2.0]),
        (failure("ThrottlingException"), [1.0, 2.0]),
        (failure("RequestLimitExceeded"), [1.0, 2.0]),
        (failure("InternalServerError", 500), [0.025, 0.05]),
        (answer(b"<html>Bad Gateway</html>", 502), [0.025, 0.05]),
        (answer(b"", 503), [0.025, 0.05]),
        (CONNECTION_CLOSED, [0.025, 0.05]),
        (RESPONSE_CUT, [0.025, 0.05]),
        (answer(FOUND, 200, {"x-amz-crc32": "1"}), [0.025, 0.05]),
        (Step(b"HELLO\r\n\r\n", then_close=True), [0.025, 0.05]),
    ],
)
@pytest.mark.parametrize("jitter", [1.0, 0.25])
def test_a_retryable_fault_is_tried_three_times_in_all(step: Step, waits: list[float], jitter: float) -> None:
    """The waits of the table are upper bounds, of which each wait takes a random part."""
    expected = [jitter * seconds for seconds in waits]
    with connected(step, step, answer(FOUND), jitter=jitter) as (client, server):
        assert client.get() == FOUND
    assert (len(server.asked), client.waits) == (3, expected)
    with (
        connected(step, jitter=jitter) as (client, server),
        pytest.raises((ServiceError, Unreachable)),
    ):
        client.get()
    assert (len(server.asked), client.waits) == (3, expected)


@pytest.mark.parametrize(
    "code",
    [
        "AccessDeniedException",
        "ResourceNotFoundException",
        "ValidationException",
        "UnrecognizedClientException",
        "ExpiredTokenException",
        "InvalidSignatureException",
        "MissingAuthenticationTokenException",
    ],
)
def test_a_permanent_fault_is_not_retried(code: str) -> None:
    with (
        connected(failure(code, message="not you")) as (client, server),
        pytest.raises(ServiceError) as caught,
    ):
        client.get()
    assert (caught.value.code, caught.value.status, len(server.asked)) == (code, 400, 1)
    assert str(caught.value) == f"{code} (HTTP 400): not you"


def test_a_failed_condition_is_not_retried() -> None:
    taken = failure("ConditionalCheckFailedException")
    with connected(taken) as (client, server), pytest.raises(ConditionFailed):
        client.get()
    assert len(server.asked) == 1


# Time limits


def test_a_silent_server_is_tried_three_times() -> None:
    started = time.monotonic()
    with connected(SILENCE) as (client, server):
        with pytest.raises(Unreachable, match="TimeoutError"):
            client.get()
        assert 0.6 <= time.monotonic() - started < 1.4
    assert server.connections() == [1, 2, 3]


def test_a_connection_that_is_never_established_is_tried_three_times() -> None:
    """The TLS handshake is part of connecting, and this server never answers it."""
    started = time.monotonic()
    with silent_server() as endpoint:
        secure = endpoint.replace("http", "https")
        with client_of(secure) as client, pytest.raises(Unreachable, match="TimeoutError"):
            client.get()
    assert 1.5 <= time.monotonic() - started < 3


def test_a_refused_connection_is_reported_with_the_address() -> None:
    endpoint = f"http://127.0.0.1:{closed_port()}"
    with client_of(endpoint) as client, pytest.raises(Unreachable) as caught:
        client.get()
    assert endpoint.removeprefix("http://") in str(caught.value)


def test_all_attempts_together_fit_into_the_time_limit_of_the_gateway() -> None:
    """API Gateway waits 30 s, of which a tool may have had some already."""
    policy = RetryPolicy()
    tries = policy.attempts * (policy.connect_seconds + policy.read_seconds)
    assert tries + sum(2**attempt for attempt in range(policy.attempts - 1)) <= 15


# Answers


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b'"Item"', b"<html/>", b"[" * 100_000])
def test_an_answer_that_is_no_object_is_refused_at_once(body: bytes) -> None:
    with connected(answer(body)) as (client, server), pytest.raises(MalformedResponse):
        client.get()
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [201, 204, 301, 307, 404])
def test_a_status_other_than_200_is_an_error_and_redirects_are_not_followed(status: int) -> None:
    headers = {"location": "http://127.0.0.1:1/"}
    step = answer(b"" if status == 204 else b"{}", status, headers, checksum=False)
    with connected(step) as (client, server), pytest.raises(ServiceError, match=f"HTTP {status}"):
        client.get()
    assert len(server.asked) == 1


HUGE: Final = {"Item": {"text": {"S": "x" * 4_000_000}}}
LARGE: Final = {"Item": {"text": {"S": "x" * 3_000_000}}}


def in_one_chunk(body: object, status: int = 200) -> Step:
    content = json.dumps(body).encode()
    head = b"HTTP/1.1 %d OK\r\ntransfer-encoding: chunked\r\n\r\n" % status
    return Step(head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content))


def until_the_end(body: object) -> Step:
    return Step(b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(body).encode(), then_close=True)


@pytest.mark.parametrize("framed", [answer, in_one_chunk, until_the_end])
def test_the_largest_answer_is_read_and_a_larger_one_refused(framed: Any) -> None:
    with connected(framed(LARGE), framed(HUGE)) as (client, _):
        assert client.get() == LARGE
        with pytest.raises(MalformedResponse, match="more than 4,000,000 bytes"):
            client.get()


# Secrets

ECHOED: Final = (
    "The Canonical String should have been\nx-amz-security-token:hush/token\nhush/secret\n" + "y" * 900
)


@pytest.mark.parametrize(
    "step",
    [
        failure("InvalidSignatureException", message=ECHOED),
        failure("AccessDeniedException", 400),
        answer(b"<html/>", 500),
        answer(b"{"),
        RESPONSE_CUT,
        CONNECTION_CLOSED,
    ],
)
def test_no_fault_contains_a_secret(step: Step) -> None:
    with connected(step) as (client, _), pytest.raises(StoreFault) as caught:
        client.get()
    story = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert "hush" not in story
    assert len(str(caught.value)) < 700
