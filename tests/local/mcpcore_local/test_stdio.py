"""Lines of JSON in, lines of JSON out: one conversation in this process, and the command in its own."""

import io
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

import pytest

from mcpcore_local.stdio import StdioConnection, decode_line, serve
from tests.support.adapters import SECRET, small_server
from tests.support.exchanges import error, initialize, legacy, metadata, modern
from tests.support.processes import ROOT
from tests.support.serving import command, environment

UNINITIALIZED: Final = "Server not initialized. Call initialize first."
NO_SESSION: Final = {
    "reason": "The request is in no session; over HTTP, send the Mcp-Session-Id that initialize answered with"
}
SMALL: Final = {"name": "small", "version": "1.0"}
TAIL: Final = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SMALL}}


@pytest.fixture
def conversation() -> StdioConnection:
    return StdioConnection(small_server().build())


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def answered(conversation: StdioConnection, request: bytes) -> Any:
    (answer,) = conversation.answers(decode_line(request))
    assert b"\n" not in answer
    return json.loads(answer)


# One conversation


def test_a_request_of_2026_07_28_needs_nothing_before_it(conversation: StdioConnection) -> None:
    request = modern("tools/call", name="get_sources", arguments={"query": "rust"}).body
    content = [{"type": "text", "text": "Sources for rust"}]
    result = {"content": content, "isError": False, **TAIL}
    assert answered(conversation, request) == {"jsonrpc": "2.0", "id": 1, "result": result}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_opens_a_session_that_lasts(conversation: StdioConnection, version: str) -> None:
    opened = answered(conversation, initialize(version).body)
    assert opened["result"] == {
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": SMALL,
    }
    content = [{"type": "text", "text": "Sources for rust"}]
    request = legacy("tools/call", 2, name="get_sources", arguments={"query": "rust"}).body
    result = {"content": content, "isError": False}
    assert answered(conversation, request) == {"jsonrpc": "2.0", "id": 2, "result": result}
    assert answered(conversation, legacy("ping", 3).body) == {"jsonrpc": "2.0", "id": 3, "result": {}}


@pytest.mark.requirement("initialize-first")
def test_before_the_handshake_a_request_is_refused(conversation: StdioConnection) -> None:
    expected = error(1, -32002, UNINITIALIZED, NO_SESSION)
    assert answered(conversation, legacy("tools/list").body) == expected


@pytest.mark.requirement("eras-side-by-side")
def test_both_eras_may_be_spoken_in_one_conversation(conversation: StdioConnection) -> None:
    answered(conversation, initialize().body)
    assert "ttlMs" in answered(conversation, modern("tools/list").body)["result"]
    assert "ttlMs" not in answered(conversation, legacy("tools/list").body)["result"]


def test_a_second_handshake_replaces_the_first(conversation: StdioConnection) -> None:
    answered(conversation, initialize("2024-11-05").body)
    answered(conversation, initialize("2025-11-25").body)
    result = answered(conversation, legacy("tools/call", name="get_sources", arguments={}).body)["result"]
    assert result["isError"]


def test_a_handshake_that_fails_keeps_the_session_there_was(conversation: StdioConnection) -> None:
    answered(conversation, initialize().body)
    assert answered(conversation, legacy("initialize").body)["error"]["code"] == -32602
    assert answered(conversation, legacy("ping").body)["result"] == {}


@pytest.mark.requirement("jsonrpc-notification-silence")
@pytest.mark.parametrize(
    "silent",
    [
        line(method="notifications/initialized"),
        line(method="notifications/cancelled", params={"requestId": 1}),
        line(method="notifications/cancelled", params={"requestId": 1, "_meta": metadata()}),
        line(method="notifications/unheard_of"),
        line(method="tools/call", params={"name": "broken"}),
        line(method="tools/call", params=[1]),
        line(id=1, result={}),
        line(id=1, error={"code": -32601, "message": "Method not found"}),
    ],
)
def test_notifications_and_responses_are_never_answered(conversation: StdioConnection, silent: bytes) -> None:
    assert list(conversation.answers(decode_line(silent))) == []
    answered(conversation, initialize().body)
    assert list(conversation.answers(decode_line(silent))) == []


@pytest.mark.requirement("stdio-lines")
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            b"{",
            error(
                None,
                -32700,
                "Parse error: not JSON: Expecting property name enclosed in double quotes (line 1, column 2)",
            ),
        ),
        (b"\xff", error(None, -32700, "Parse error: the body is not UTF-8 (at byte 0)")),
        (b"[]", error(None, -32600, "Batch requests not supported")),
        (b"5", error(None, -32600, "Invalid request: the message must be a JSON object")),
        (
            line(id=None, method="ping"),
            error(None, -32600, "Invalid request: id must be a string or an integer"),
        ),
        (
            line(id=None, method="ping", params={"_meta": metadata()}),
            error(..., -32600, "Invalid request: id must be a string or an integer"),
        ),
        (line(id=1, method="ping", params=[]), error(1, -32602, "Invalid params: params must be an object")),
        (modern("rm").body, error(1, -32601, "Method not found: rm")),
        (
            line(id=1, method="tools/list", params={"_meta": {"io.modelcontextprotocol/protocolVersion": 5}}),
            error(
                1, -32602, "Invalid params: _meta must have io.modelcontextprotocol/protocolVersion, a string"
            ),
        ),
        (
            line(id=1, method="tools/list", params={"_meta": metadata("2027-01-01")}),
            error(
                1,
                -32022,
                "Unsupported protocol version 2027-01-01; supported are "
                "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
                {
                    "supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
                    "requested": "2027-01-01",
                },
            ),
        ),
    ],
)
def test_a_bad_line_gets_its_error(
    conversation: StdioConnection, request_: bytes, expected: dict[str, Any]
) -> None:
    assert answered(conversation, request_) == expected


def test_a_fault_of_a_tool_is_told_on_stderr_alone(
    conversation: StdioConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answered(conversation, modern("tools/call", name="broken").body)
    assert answer["result"]["content"] == [
        {"type": "text", "text": "The tool broken failed. Try again later."}
    ]
    out, err = capsys.readouterr()
    assert (out, SECRET in err) == ("", True)


@pytest.mark.requirement("stdio-messages-only")
def test_what_a_tool_prints_does_not_disturb_the_answers(capsys: pytest.CaptureFixture[str]) -> None:
    server = small_server()

    @server.tool()
    def talk() -> str:
        """Talk."""
        print("what a talkative library says")  # noqa: T201  # that is the point
        return "said"

    answers = io.BytesIO()
    serve(server.build(), io.BytesIO(modern("tools/call", name="talk").body), answers)
    assert json.loads(answers.getvalue())["result"]["content"] == [{"type": "text", "text": "said"}]
    assert capsys.readouterr() == ("", "what a talkative library says\n")


@pytest.mark.requirement("stdio-lines")
def test_each_line_is_answered_in_turn_and_empty_ones_are_skipped() -> None:
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
    """`make stdio` with both ends of the wire in hand."""
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
        # An answer that never comes must fail the test, not hold it up.
        patience = threading.Timer(30, process.kill)
        patience.start()
        try:
            yield process, process.stdin, process.stdout
        finally:
            patience.cancel()


QUESTION: Final[dict[str, Any]] = {
    "name": "get_sources",
    "arguments": {"query": "how do I get started with rust"},
}


def test_the_product_answers_in_2026_07_28_and_nothing_else_is_written() -> None:
    ended = run(modern("server/discover").body, modern("tools/call", 2, **QUESTION).body)
    discovered, called = (json.loads(answer) for answer in ended.stdout.splitlines())
    assert (discovered["id"], called["id"]) == (1, 2)
    assert [source["rank"] for source in called["result"]["structuredContent"]["sources"]] == [1, 2, 3]
    assert (ended.stderr, ended.returncode) == (b"", 0)


def test_the_product_answers_after_a_handshake_and_not_to_notifications() -> None:
    ended = run(
        initialize("2025-06-18").body,
        line(method="notifications/initialized"),
        legacy("tools/call", 2, **QUESTION).body,
        line(method="notifications/unheard_of"),
    )
    opened, called = (json.loads(answer) for answer in ended.stdout.splitlines())
    assert opened["result"]["protocolVersion"] == "2025-06-18"
    assert [source["rank"] for source in called["result"]["structuredContent"]["sources"]] == [1, 2, 3]
    assert (ended.stderr, ended.returncode) == (b"", 0)


@pytest.mark.requirement("stdio-shutdown")
def test_a_client_that_says_nothing_gets_nothing() -> None:
    ended = run()
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"", b"", 0)


def test_an_answer_comes_before_the_next_question() -> None:
    with started() as (process, questions, answers):
        for request_id in range(3):
            questions.write(modern("server/discover", request_id).body + b"\n")
            questions.flush()
            assert json.loads(answers.readline())["id"] == request_id
        questions.close()
        assert process.wait(timeout=30) == 0


def test_an_interrupt_ends_it_quietly() -> None:
    with started() as (process, questions, answers):
        questions.write(modern("server/discover").body + b"\n")
        questions.flush()
        answers.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_client_that_has_gone_ends_it_quietly() -> None:
    with started() as (process, questions, answers):
        questions.write(modern("server/discover").body + b"\n")
        questions.flush()
        answers.readline()
        answers.close()
        questions.write(modern("server/discover").body + b"\n")
        questions.flush()
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
