"""Lines of JSON in, lines of JSON out: one connection in this process, and the command in its own."""

import io
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

import pytest

from mcpcore.request.messages import decode_message
from mcpcore_local.stdio import StdioConnection, serve
from tests.support.adapters import SECRET, small_server
from tests.support.exchanges import error, initialize, legacy, metadata, modern
from tests.support.messages import LEGACY_VERSIONS, NOT_INITIALIZED, SUPPORTED
from tests.support.processes import ROOT
from tests.support.serving import command, environment

SMALL: Final = {"name": "small", "version": "1.0"}
TAIL: Final = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SMALL}}


@pytest.fixture
def connection() -> StdioConnection:
    return StdioConnection(small_server().build())


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def answered(connection: StdioConnection, request: bytes) -> Any:
    (answer,) = connection.answers(decode_message(request))
    assert b"\n" not in answer
    return json.loads(answer)


def test_a_request_of_2026_07_28_needs_nothing_before_it(connection: StdioConnection) -> None:
    request = modern("tools/call", name="get_sources", arguments={"query": "rust"}).body
    content = [{"type": "text", "text": "Sources for rust"}]
    result = {"content": content, "isError": False, **TAIL}
    assert answered(connection, request) == {"jsonrpc": "2.0", "id": 1, "result": result}


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_the_handshake_opens_a_session_of_its_version(connection: StdioConnection, version: str) -> None:
    opened = answered(connection, initialize(version).body)
    assert opened["result"] == {
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": SMALL,
    }
    content = [{"type": "text", "text": "Sources for rust"}]
    request = legacy("tools/call", 2, name="get_sources", arguments={"query": "rust"}).body
    result = {"content": content, "isError": False}
    assert answered(connection, request) == {"jsonrpc": "2.0", "id": 2, "result": result}
    assert answered(connection, legacy("ping", 3).body) == {"jsonrpc": "2.0", "id": 3, "result": {}}


@pytest.mark.requirement("initialize-first")
def test_before_the_handshake_a_request_is_refused_without_a_word_of_headers(
    connection: StdioConnection,
) -> None:
    expected = error(1, -32002, NOT_INITIALIZED, {"reason": "The request is in no session"})
    assert answered(connection, legacy("tools/list").body) == expected


@pytest.mark.requirement("ping-before-initialize")
def test_before_the_handshake_a_ping_is_answered(connection: StdioConnection) -> None:
    assert answered(connection, legacy("ping").body) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_discovery_without_metadata_is_answered_by_the_error_of_its_era_unless_a_session_is_open(
    connection: StdioConnection,
) -> None:
    lacking = error(1, -32602, f"Invalid params: _meta must be an object with {VERSION_KEY}")
    assert answered(connection, line(id=1, method="server/discover")) == lacking
    answered(connection, initialize().body)
    unknown = error(1, -32601, "Method not found: server/discover")
    assert answered(connection, line(id=1, method="server/discover")) == unknown


@pytest.mark.requirement("eras-side-by-side")
def test_both_eras_may_be_used_over_one_connection(connection: StdioConnection) -> None:
    answered(connection, initialize().body)
    assert "ttlMs" in answered(connection, modern("tools/list").body)["result"]
    assert "ttlMs" not in answered(connection, legacy("tools/list").body)["result"]


def test_a_second_handshake_replaces_the_session_unless_it_fails(connection: StdioConnection) -> None:
    call = legacy("tools/call", name="get_sources", arguments={}).body
    answered(connection, initialize("2024-11-05").body)
    before = answered(connection, call)
    answered(connection, initialize("2025-11-25").body)
    failed = answered(connection, legacy("initialize").body)
    after = answered(connection, call)

    assert (before["error"]["code"], failed["error"]["code"]) == (-32602, -32602)
    assert after["result"]["isError"]


@pytest.mark.requirement("jsonrpc-notification-silence")
@pytest.mark.parametrize(
    "silent",
    [
        line(method="notifications/initialized"),
        line(method="notifications/cancelled", params={"requestId": 1}),
        line(method="notifications/cancelled", params={"requestId": 1, "_meta": metadata()}),
        line(method="notifications/unknown"),
        line(method="tools/call", params={"name": "broken"}),
        line(method="tools/call", params=[1]),
        line(id=1, result={}),
        line(id=1, error={"code": -32601, "message": "Method not found"}),
    ],
)
def test_notifications_and_responses_are_never_answered(connection: StdioConnection, silent: bytes) -> None:
    assert list(connection.answers(decode_message(silent))) == []
    answered(connection, initialize().body)
    assert list(connection.answers(decode_message(silent))) == []


PARAMS_ARRAY = "Invalid params: params must be an object, not an array"
BAD_ID = "Invalid request: id must be a string or an integer"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
UNSUPPORTED = f"Unsupported protocol version 2027-01-01; supported are {', '.join(SUPPORTED)}"


@pytest.mark.requirement("stdio-lines")
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"x", error(None, -32700, "Parse error: not JSON: Expecting value (line 1, column 1)")),
        (b"\xff", error(None, -32700, "Parse error: the body is not UTF-8 (at byte 0)")),
        (b"[]", error(None, -32600, "Batch requests not supported")),
        (line(id=None, method="ping"), error(None, -32600, BAD_ID)),
        (line(id=None, method="ping", params={"_meta": metadata()}), error(..., -32600, BAD_ID)),
        (line(id=1, method="ping", params=[]), error(1, -32602, PARAMS_ARRAY)),
        (modern("rm").body, error(1, -32601, "Method not found: rm")),
        (
            line(id=1, method="tools/list", params={"_meta": {VERSION_KEY: 5}}),
            error(1, -32602, f"Invalid params: _meta must have {VERSION_KEY}, a string"),
        ),
        (
            line(id=1, method="tools/list", params={"_meta": metadata("2027-01-01")}),
            error(1, -32022, UNSUPPORTED, {"supported": SUPPORTED, "requested": "2027-01-01"}),
        ),
    ],
)
def test_an_invalid_line_is_answered_by_its_error(
    connection: StdioConnection, request_: bytes, expected: dict[str, Any]
) -> None:
    assert answered(connection, request_) == expected


def test_the_cause_of_a_crash_is_written_to_stderr_alone(
    connection: StdioConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answered(connection, modern("tools/call", name="broken").body)
    assert answer["result"]["content"] == [
        {"type": "text", "text": "The tool broken failed. Try again later."}
    ]
    out, err = capsys.readouterr()
    assert (out, SECRET in err) == ("", True)


@pytest.mark.requirement("stdio-messages-only")
def test_the_output_of_a_tool_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    server = small_server()

    @server.tool()
    def talk() -> str:
        """Talk."""
        print("text of a library")  # noqa: T201  # the test's subject
        return "said"

    answers = io.BytesIO()
    serve(server.build(), io.BytesIO(modern("tools/call", name="talk").body), answers)
    assert json.loads(answers.getvalue())["result"]["content"] == [{"type": "text", "text": "said"}]
    assert capsys.readouterr() == ("", "text of a library\n")


@pytest.mark.requirement("stdio-lines")
def test_lines_are_answered_in_order_and_empty_ones_skipped() -> None:
    lines = [initialize().body, b"", b"  ", line(method="notifications/initialized"), legacy("ping", 2).body]
    answers = io.BytesIO()
    serve(small_server().build(), io.BytesIO(b"\r\n".join(lines)), answers)
    assert [json.loads(answer)["id"] for answer in answers.getvalue().splitlines()] == [1, 2]


# The command


def run(*lines: bytes) -> subprocess.CompletedProcess[bytes]:
    """`make stdio` given these lines and then the end of its input."""
    return subprocess.run(
        command("threegood_local.stdio"),
        cwd=ROOT,
        env=environment(),
        input=b"".join(part + b"\n" for part in lines),
        capture_output=True,
        timeout=30,
        check=False,
    )


@contextmanager
def started() -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """`make stdio`, its input and its output."""
    with subprocess.Popen(
        command("threegood_local.stdio"),
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # An answer that never comes must fail the test.
        timeout = threading.Timer(30, process.kill)
        timeout.start()
        try:
            yield process, process.stdin, process.stdout
        finally:
            timeout.cancel()


QUESTION: Final[dict[str, Any]] = {
    "name": "get_sources",
    "arguments": {"query": "how do I get started with rust"},
}


@pytest.mark.parametrize(
    ("opening", "call"),
    [
        (modern("server/discover").body, modern("tools/call", 2, **QUESTION).body),
        (initialize("2025-06-18").body, legacy("tools/call", 2, **QUESTION).body),
    ],
    ids=["modern", "legacy"],
)
def test_the_product_answers_requests_and_writes_nothing_else(opening: bytes, call: bytes) -> None:
    ended = run(opening, line(method="notifications/initialized"), call)
    opened, called = (json.loads(answer) for answer in ended.stdout.splitlines())
    assert (opened["id"], called["id"]) == (1, 2)
    assert [source["rank"] for source in called["result"]["structuredContent"]["sources"]] == [1, 2, 3]
    assert (ended.stderr, ended.returncode) == (b"", 0)


@pytest.mark.requirement("stdio-shutdown")
def test_the_command_ends_when_its_input_ends() -> None:
    ended = run()
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"", b"", 0)


def test_an_answer_comes_before_the_next_request() -> None:
    with started() as (process, requests, answers):
        answered = []
        for request_id in range(3):
            requests.write(modern("server/discover", request_id).body + b"\n")
            requests.flush()
            answered.append(json.loads(answers.readline())["id"])
        requests.close()
        assert (answered, process.wait(timeout=30)) == ([0, 1, 2], 0)


@pytest.mark.parametrize("ending", ["interrupt", "closed output"])
def test_the_command_ends_quietly_when_it_is_interrupted_or_its_output_is_closed(ending: str) -> None:
    with started() as (process, requests, answers):
        requests.write(modern("server/discover").body + b"\n")
        requests.flush()
        answers.readline()
        if ending == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            answers.close()
            requests.write(modern("server/discover").body + b"\n")
            requests.flush()
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
