"""Log lines and metrics of a request that asks: its question, its answer, and its poll."""

from typing import Any, Final

import pytest

from mcpcore import MemorySessions
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.adapters import Written, written
from tests.support.asking_server import asking_server
from tests.support.exchanges import LambdaContext, Reply, through_handler
from tests.support.resuming import Caller, connect, last_id, messages

CONFIDENTIAL: Final = "my divorce lawyer"

FINE: Final = {
    "level": "INFO",
    "request_id": LambdaContext().aws_request_id,
    "event_source": "http api",
    "outcome": "ok",
    "era": "legacy",
}
CLIENT: Final = {"version": "2025-11-25", "client": "tests 1"}
VARYING: Final = {"timestamp", "service", "latency_ms", "session", "_aws"}


class Observed:
    """A client in a session of a function that is warm already, and what the function writes of it."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        server = LambdaAdapter(asking_server(), sessions=MemorySessions(), state_keys=[b"k" * 32])
        self._capsys = capsys
        self.caller = connect(through_handler(server))
        self.look()

    def look(self) -> Written:
        """The output since the last call."""
        return written(self._capsys)


def record(line: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in line.items() if name not in VARYING and not name.startswith("mcp_")
    }


def answer(caller: Caller, asked: Reply, name: str = "Ada") -> Reply:
    return caller.answer(messages(asked)[-1]["id"], action="accept", content={"name": name})


def test_a_request_that_asks_is_one_line_and_one_request(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    caller.call("greet")
    seen = observed.look()
    (line,) = seen.logs
    expected = {"message": "request", "status": 200, "method": "tools/call", "tool": "greet"}
    assert record(line) == {**FINE, **CLIENT, **expected}
    assert seen.counts() == {("mcp_requests_total", "legacy", "tools/call"): 1}


def test_an_answer_is_a_log_line_and_no_counted_request(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    asked = caller.call("greet")
    observed.look()
    answer(caller, asked)
    seen = observed.look()
    (line,) = seen.logs
    expected = {
        "message": "answer",
        "status": 202,
        "method": "other",
        "tool": "none",
    }
    assert record(line) == {**FINE, **expected}
    assert seen.counts() == {("mcp_answers_total", "legacy", "other"): 1}


def test_an_answer_to_nothing_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    caller.answer("x.y", action="cancel")
    seen = observed.look()
    (line,) = seen.logs
    assert (line["message"], line["status"], line["outcome"]) == ("answer", 400, "refused")
    assert seen.counts() == {
        ("mcp_answers_total", "legacy", "other"): 1,
        ("mcp_errors_total", "refused"): 1,
    }


def test_resuming_too_early_is_a_log_line_and_no_counted_request(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    asked = caller.call("greet")
    observed.look()
    caller.resume(last_id(asked))
    seen = observed.look()
    (line,) = seen.logs
    expected = {"message": "resume", "status": 200, "method": "other", "tool": "none"}
    assert record(line) == {**FINE, **expected, "version": "2025-11-25"}
    assert seen.counts() == {("mcp_resumes_total", "legacy", "other"): 1}


def test_the_line_of_a_run_that_asks_again_has_its_method(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    asked = caller.call("introduce")
    answer(caller, asked)
    observed.look()
    caller.resume(last_id(asked))
    seen = observed.look()
    (line,) = seen.logs
    assert (line["message"], line["status"], line["method"]) == ("resume", 200, "tools/call")
    assert seen.counts() == {("mcp_resumes_total", "legacy", "tools/call"): 1}


def test_the_line_of_the_last_run_is_the_line_of_its_request(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    asked = caller.call("greet")
    answer(caller, asked)
    observed.look()
    caller.resume(last_id(asked))
    (line,) = observed.look().logs
    expected = {"message": "request", "status": 200, "method": "tools/call", "tool": "greet"}
    assert record(line) == {**FINE, **CLIENT, **expected}


def test_a_stream_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    observed = Observed(capsys)
    caller = observed.caller
    caller.resume("x.1")
    seen = observed.look()
    (line,) = seen.logs
    assert (line["message"], line["status"], line["outcome"]) == ("resume", 405, "refused")
    assert seen.counts() == {
        ("mcp_resumes_total", "legacy", "other"): 1,
        ("mcp_errors_total", "refused"): 1,
    }


def test_a_users_answers_are_never_logged(capsys: pytest.CaptureFixture[str]) -> None:
    caller = Observed(capsys).caller
    asked = caller.call("greet")
    answer(caller, asked, CONFIDENTIAL)
    result = caller.resume(last_id(asked))
    again = caller.call("greet", 8)
    caller.answer(messages(again)[-1]["id"], action="accept", content={CONFIDENTIAL: CONFIDENTIAL})
    caller.resume(last_id(again))
    refused = caller.call("greet", 9)
    caller.refuse(messages(refused)[-1]["id"], CONFIDENTIAL)
    caller.resume(last_id(refused))
    assert CONFIDENTIAL in result.body.decode()
    assert CONFIDENTIAL not in capsys.readouterr().out
