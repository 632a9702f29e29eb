"""Pages beside MCP: which requests they get, how their replies are carried, and how they are counted."""

import base64
import time
from typing import Any, Final

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws import LambdaAdapter
from mcpcore_local import InvocationContext
from tests.support.adapters import fresh_log, small_server, written
from tests.support.events import EVENT_SOURCES, captured

PACKED: Final = b"\x1f\x8b\xff"


def page(request: HttpRequest) -> HttpResponse | None:
    """A compressed page under one path, and one that fails or is too large under others."""
    match request.path:
        case "/page" if request.headers["accept-encoding"] == "identity":
            return HttpResponse(200, {}, b"plain")
        case "/page":
            return HttpResponse(200, {"content-encoding": "gzip"}, PACKED)
        case "/large":
            return HttpResponse(200, {}, b"x" * 7_000_000)
        case "/broken":
            raise RuntimeError("a secret")
        case "/mcp" | "/mcp/" | "/mcp/page":
            raise AssertionError("this path is MCP's")
    return None


def ask(source: str, path: str) -> dict[str, Any]:
    """The reply to an MCP request of that source, sent to another path."""
    event = captured(source)
    event["rawPath" if source in {"http_api", "function_url"} else "path"] = path
    return LambdaAdapter(small_server(), pages=page)(event, InvocationContext("an id", time.monotonic() + 29))


@pytest.mark.parametrize("source", [source for source in EVENT_SOURCES if source != "rest_api"])
def test_a_page_is_answered_under_its_path_and_its_encoded_body_is_sent_as_base64(source: str) -> None:
    reply = ask(source, "/page")

    assert (reply["statusCode"], reply["isBase64Encoded"]) == (200, True)
    assert base64.b64decode(reply["body"]) == PACKED


def test_a_page_is_not_asked_for_bytes_where_the_source_takes_none() -> None:
    assert ask("rest_api", "/page")["body"] == "plain"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/page", "/", "/other", "/stage/mcp", ""])
@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_mcp_answers_its_own_paths_and_those_without_a_page(source: str, path: str) -> None:
    reply = ask(source, path)

    assert (reply["statusCode"], "Sources for learn rust" in reply["body"]) == (200, True)


def test_a_page_is_counted_apart_from_the_requests_of_mcp(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh_log(monkeypatch)
    ask("http_api", "/page")
    output = written(capsys)

    (line,) = output.logs
    assert (line["message"], line["status"], line["outcome"]) == ("page", 200, "ok")
    assert {name for name, *_ in output.counts()} == {"mcp_pages_total", "mcp_cold_starts_total"}
    assert "mcp_latency" not in line


@pytest.mark.parametrize("path", ["/broken", "/large"])
def test_a_page_that_fails_or_is_too_large_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    fresh_log(monkeypatch)
    reply = ask("http_api", path)
    (line,) = written(capsys).logs

    assert (reply["statusCode"], line["status"], line["outcome"]) == (500, 500, "internal_error")
    assert "secret" not in reply["body"]
