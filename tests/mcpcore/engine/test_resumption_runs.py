"""Asking the client in a session: what a function may do in its runs, and what each of them is given."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, Server, SessionId
from mcpcore.engine.exchanges import exchange_id_of
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.errors import DeadlineExceeded
from mcpcore.sessions.store import CreateExchange
from tests.support.messages import (
    NO_ID,
    SESSION,
    answer,
    come_back,
    error,
    handshake,
    in_session,
    message,
    post,
    stream,
)
from tests.support.servers import NAME, NOW, WORK_SECONDS, Wire, asking_server

ABLE: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
S = exchange_id_of(SessionId(SESSION), 7, Wire().environment())
ADA = {"action": "accept", "content": {"name": "Ada"}}
BOOK = {"name": "book", "arguments": {"city": "Oslo"}}
NOTHING = error(
    405,
    NO_ID,
    -32600,
    "There is no stream to resume from here; POST a message",
    headers={"allow": "POST, DELETE"},
)


def begun(server: Server | BuiltServer, *, version: str = "2025-11-25", **options: Any) -> Wire:
    """A server with a session whose client can be asked everything."""
    wire = Wire(server, **options)
    wire.send(post(message("initialize", handshake(protocolVersion=version, capabilities=ABLE))))
    return wire


def call(params: dict[str, Any] = BOOK, **headers: str) -> HttpRequest:
    return post(message("tools/call", params, request_id=7), {**in_session(), **headers})


def said(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": False}


def ended(text: str, *, at: int) -> HttpResponse:
    """The last part of an answer."""
    return stream((f"{S}.{at}", {"jsonrpc": "2.0", "id": 7, "result": said(text)}), retry=None)


def visiting(*, context: Context) -> str:
    """Send the user to a page."""
    return context.elicit_url("Sign in.", "https://a.example", key="visit").action


def putting_off(*, context: Context) -> str:
    """Take long, in two parts."""
    context.progress(1)
    context.defer()
    context.progress(2)
    context.defer()
    context.progress(3)
    return "done"


async def waiting(*, context: Context) -> str:
    """Wait a moment, then ask."""
    await asyncio.sleep(0)
    return context.elicit("Who?", NAME).action


def tool_server(*functions: Callable[..., Any]) -> Server:
    server = Server("tools", version="1")
    for function in functions:
        server.tool()(function)
    return server


@pytest.mark.requirement("elicit-url")
def test_a_page_to_visit_is_asked_for_under_the_id_of_its_question() -> None:
    wire = begun(tool_server(visiting))
    params = {"mode": "url", "message": "Sign in.", "url": "https://a.example"}
    asked = {
        "jsonrpc": "2.0",
        "id": f"{S}.visit",
        "method": "elicitation/create",
        "params": {**params, "elicitationId": f"{S}.visit"},
    }

    assert wire.send(call({"name": "visiting"})) == stream((f"{S}.0", None), (f"{S}.1", asked), retry=500)


PUT_OFF = {"name": "putting_off", "_meta": {"progressToken": "t"}}


def progress(value: int) -> dict[str, Any]:
    params = {"progressToken": "t", "progress": value}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def test_a_tool_that_defers_goes_on_when_the_client_comes_back() -> None:
    wire = begun(tool_server(putting_off))
    sent = [
        wire.send(each)
        for each in (call(PUT_OFF), come_back(f"{S}.1"), come_back(f"{S}.2"), come_back(f"{S}.4"))
    ]
    end = {"jsonrpc": "2.0", "id": 7, "result": said("done")}

    assert sent == [
        stream((f"{S}.0", None), (f"{S}.1", progress(1)), retry=500),
        stream((f"{S}.1.{NOW * 1000}", None), (f"{S}.2", progress(2)), retry=500),
        stream((f"{S}.3", progress(3)), (f"{S}.4", end), retry=None),
        NOTHING,
    ]


@pytest.mark.parametrize(
    ("version", "headers", "options"),
    [
        ("2025-06-18", {}, {}),
        ("2025-11-25", {"accept": "application/json"}, {}),
        ("2025-11-25", {}, {"state_keys": ()}),
    ],
)
def test_where_the_client_does_not_come_back_deferring_does_nothing(
    version: str, headers: dict[str, str], options: dict[str, Any]
) -> None:
    wire = begun(tool_server(putting_off), version=version, **options)

    assert b'"text":"done"' in wire.send(call({"name": "putting_off"}, **headers)).body


def in_a_loop(work: Callable[[], Any], _seconds: float) -> Any:
    """Run work, and await what it gives."""
    found = work()
    return asyncio.run(found) if inspect.iscoroutine(found) else found


def test_an_asynchronous_tool_asks_as_any_other_does() -> None:
    wire = begun(tool_server(waiting), run=in_a_loop)
    wire.send(call({"name": "waiting"}))
    wire.send(answer(f"{S}.ask-1", ADA))

    assert wire.send(come_back(f"{S}.1")) == ended("accept", at=2)


def test_each_run_has_the_whole_time_for_its_work() -> None:
    allowed: list[float] = []

    def measured(work: Callable[[], Any], seconds: float) -> Any:
        allowed.append(seconds)
        return work()

    wire = begun(asking_server(), run=measured)
    wire.send(call(), now=NOW)
    wire.send(answer(f"{S}.name", ADA), now=NOW + 100)
    wire.send(come_back(f"{S}.2"), now=NOW + 101)

    assert allowed == [WORK_SECONDS, WORK_SECONDS]


def too_late(_work: Callable[[], Any], seconds: float) -> Any:
    raise DeadlineExceeded(seconds)


def test_a_first_run_that_is_too_late_is_an_error_and_nothing_is_kept() -> None:
    wire = begun(asking_server(), run=too_late)
    outcome = wire.outcome(call())

    assert outcome.actions == ()
    assert wire.send(call()) == error(
        200, 7, -32603, "Not done within 20 seconds; try again, or ask for less"
    )


def test_an_exchange_is_opened_beside_the_refresh_of_its_session() -> None:
    wire = begun(asking_server())

    actions = wire.outcome(call(), now=NOW + 3000).actions

    assert [type(action).__name__ for action in actions] == ["ExtendSession", "CreateExchange"]
    assert isinstance(actions[1], CreateExchange)
