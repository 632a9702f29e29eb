"""Log levels, disabled metrics, and failures to write a line."""

from errno import ENOSPC
from io import StringIO

import pytest

from mcpcore_aws.observability import Observer
from tests.support.adapters import Written, adapter, written
from tests.support.exchanges import (
    legacy,
    modern,
    notification,
    through_handler,
)


def everything_written(capsys: pytest.CaptureFixture[str]) -> Written:
    """The output of a new adapter for a request, a refusal and an exception in a tool."""
    send = through_handler(adapter())
    for sent in (modern("tools/list"), legacy("tools/list"), modern("tools/call", name="broken")):
        send(sent)
    return written(capsys)


def test_above_error_nothing_is_logged_and_everything_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    seen = everything_written(capsys)
    assert seen.logs == []
    assert seen.counts()["mcp_requests_total", "modern", "tools/call"] == 1
    dimensions = {"era", "method", "tool", "service", "outcome", "error"}
    others = [{name for name in blob if not name.startswith("mcp_")} for blob in seen.metrics]
    assert others == [(dimensions | {"_aws"}) - {"error"}, dimensions | {"_aws"}, dimensions | {"_aws"}]


def test_at_error_only_faults_are_logged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "ERROR")
    assert [line["message"] for line in everything_written(capsys).logs] == ["request failed inside"]


@pytest.mark.parametrize(
    ("powertools", "of_lambda", "written_down"),
    [
        ("", "", ["request"]),
        ("WARNING", "INFO", []),
        ("INFO", "WARN", []),
        ("debug", "", ["request", "notification"]),
        ("DEBUG", "TRACE", ["request", "notification"]),
    ],
)
def test_the_stricter_of_two_levels_holds(
    powertools: str,
    of_lambda: str,
    written_down: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", powertools)
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", of_lambda)
    send = through_handler(adapter())
    for sent in (modern("tools/list"), notification("notifications/cancelled")):
        send(sent)
    assert [line["message"] for line in written(capsys).logs] == written_down


@pytest.mark.parametrize(
    ("powertools", "of_lambda"),
    [("DEBUG", "TRACE"), ("", "WARN"), ("error", ""), ("ERROR", "INFO"), ("INFO", "ERROR"), ("", "")],
)
def test_a_fault_is_logged_once_at_every_level_up_to_error(
    powertools: str, of_lambda: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", powertools)
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", of_lambda)
    through_handler(adapter())(modern("tools/call", name="broken"))
    assert [line["message"] for line in written(capsys).logs] == ["request failed inside"]


@pytest.mark.parametrize(
    ("name", "level"),
    [("POWERTOOLS_LOG_LEVEL", "loud"), ("POWERTOOLS_LOG_LEVEL", "TRACE"), ("AWS_LAMBDA_LOG_LEVEL", "NOTSET")],
)
def test_an_unknown_log_level_is_refused_by_name(name: str, level: str) -> None:
    record = f"{name} must be DEBUG, INFO, WARNING, ERROR or CRITICAL, and is '{level}'"
    with pytest.raises(ValueError, match=f"^{record}$"):
        Observer({name: level})


class Full(StringIO):
    """A standard output on a disk that is full."""

    def write(self, text: str, /) -> int:
        raise OSError(ENOSPC, "No space left on device", text[:0])


@pytest.mark.parametrize("stream", [Full(), None], ids=["full", "none"])
def test_the_request_is_answered_when_its_line_cannot_be_written(
    stream: StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    send = through_handler(adapter())
    monkeypatch.setattr("sys.stdout", stream)
    assert send(modern("tools/list")).status == 200
    assert "Traceback" in capsys.readouterr().err


def test_the_request_is_answered_when_the_logging_error_cannot_be_written_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send = through_handler(adapter())
    monkeypatch.setattr("sys.stdout", Full())
    monkeypatch.setattr("sys.stderr", Full())
    assert send(modern("tools/list")).status == 200
