"""The in-memory client: every request, questions, notifications and records, in both eras."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from mcpcore import (
    Context,
    DefinitionError,
    McpError,
    MemorySessions,
    MissingClientCapability,
    ResourceInfo,
    Server,
    ToolError,
)
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.protocol.errors import InvalidParams, UnsupportedProtocolVersion
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, SUPPORTED_VERSIONS
from mcpcore.request.outcome import SessionEvent
from mcpcore.testing import Client
from tests.support.messages import LEGACY, MODERN
from tests.support.servers import NAME, fixture_server, full_server, page

BOTH = pytest.mark.parametrize("version", [LEGACY, MODERN])


def notify(*, context: Context) -> str:
    """Report, log and count."""
    context.report_progress(1, total=2)
    context.log("debug", "details")
    context.count_metric("calls", 2)
    context.log_field("step", "first")
    context.elicit("Sure?", {"type": "object"})
    context.report_progress(2, total=2)
    return "done"


def fail(how: str) -> str:
    """Fail."""
    raise ToolError("Not today.") if how == "refused" else RuntimeError("secret")


def asking_server() -> Server:
    server = Server("asking", version="1", logging=True)
    for tool in (notify, fail):
        server.tool()(tool)

    @server.prompt()
    async def invite(*, context: Context) -> str:
        """Invite somebody."""
        return f"Invite {(await context.elicit('Whom?', NAME)).content['name']}."

    @server.resource("page://secret")
    def secret(*, context: Context) -> str:
        """A page for one reader."""
        return f"For {context.elicit('Who reads?', NAME).content['name']}."

    return server


def client(version: str, answer: object = {"name": "Ada"}) -> Client:  # never changed
    """A client whose user fills in every form so."""
    return Client(asking_server(), protocol_version=version, on_elicit=lambda _message, _schema: answer)


# Requests


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_a_client_speaks_every_version_and_takes_servers_before_and_after_their_build(version: str) -> None:
    found = [
        Client(server, protocol_version=version).call_tool("echo", text="hi")
        for server in (fixture_server(), fixture_server().build())
    ]

    assert [(result.text, result.structured, result.is_error) for result in found] == [
        ("hi", None, False)
    ] * 2


@BOTH
def test_a_tool_gets_arguments_by_name_and_as_a_mapping_and_returns_structured_content(version: str) -> None:
    result = Client(fixture_server(), protocol_version=version).call_tool("add", {"a": 1, "b": 1}, b=2)

    texts = ["The sum is 3.", '{"sum":3}']

    assert (result.structured, result.text, result.is_error) == ({"sum": 3}, "\n".join(texts), False)
    assert result.content == [{"type": "text", "text": text} for text in texts]


@BOTH
def test_resources_prompts_and_completions(version: str) -> None:
    made = Client(full_server(), protocol_version=version)

    assert [resource["uri"] for resource in made.list_resources()] == ["book://motto"]
    assert [each["uriTemplate"] for each in made.list_resource_templates()] == ["book://pages/{number}"]
    assert made.read_resource("book://pages/3") == [
        {"uri": "book://pages/3", "mimeType": "text/plain", "text": "Page 3"}
    ]
    assert [prompt["name"] for prompt in made.list_prompts()] == ["greet"]
    assert made.get_prompt("greet", name="Ada") == [
        {"role": "user", "content": {"type": "text", "text": "Say a warm hello to Ada."}}
    ]
    assert made.complete("tone", "co", prompt="greet", name="Ada") == ["cold", "cool"]


@BOTH
def test_the_variables_of_a_template_are_completed_from_the_others(version: str) -> None:
    server = Server("book", version="1")
    server.resource("book://pages/{number}")(page)
    server.completion("number", resource="book://pages/{number}")(lambda value, others: [value, *others])

    made = Client(server, protocol_version=version)

    assert made.complete("number", "1", resource="book://pages/{number}", book="x") == ["1", "book"]


@BOTH
def test_a_list_of_several_pages_is_returned_whole(version: str) -> None:
    server = Server("large", version="1", page_size=50)
    names = [f"tool-{number:03}" for number in range(120)]
    for name in names:
        server.tool(name)(fail)
    instances = [ResourceInfo(f"book://pages/{number}", str(number)) for number in range(120)]
    server.resource("book://pages/{number}", instances=lambda: instances)(page)
    made = Client(server, protocol_version=version)

    assert [tool["name"] for tool in made.list_tools()] == names
    assert len(made.list_resources()) == 120
    assert "nextCursor" in made.request("tools/list")


@BOTH
def test_a_protocol_error_is_raised_and_a_tool_error_is_a_result(version: str) -> None:
    made = client(version)

    with pytest.raises(InvalidParams, match="Unknown tool: nope"):
        made.call_tool("nope")
    assert (made.record.outcome, made.record.error) == (OutcomeKind.REFUSED, "InvalidParams")
    refused = made.call_tool("fail", how="refused")
    assert (refused.text, refused.is_error, made.record.outcome) == (
        "Not today.",
        True,
        OutcomeKind.TOOL_ERROR,
    )
    assert made.call_tool("fail", how="crash").is_error
    assert (made.record.outcome, repr(made.record.cause)) == (OutcomeKind.CRASH, "RuntimeError('secret')")


def test_an_error_after_a_question_is_raised_in_a_session_too() -> None:
    made = client(LEGACY, {"name": 5})

    with pytest.raises(
        McpError, match=r"Invalid answer to question-\w+: \$\.name: 5 is not of type 'string'"
    ):
        made.get_prompt("invite")


def test_a_client_runs_coroutines_in_the_test_of_an_event_loop() -> None:
    async def seconds_left(context: Context) -> float:
        """The time that is left."""
        return context.deadline - time.time()

    async def call() -> float:
        server = Server("timed", version="1")
        server.tool()(seconds_left)
        return float(Client(server).call_tool("seconds_left").text)

    assert 0 < asyncio.run(call()) <= 20


def test_what_cannot_be_served_is_raised_when_the_client_is_made() -> None:
    broken = Server("broken", version="1")
    broken.tool("a b")(fail)

    with pytest.raises(DefinitionError):
        Client(broken)
    with pytest.raises(UnsupportedProtocolVersion):
        Client(fixture_server(), protocol_version="1999-01-01")
    with pytest.raises(LookupError, match="the client has not sent a request yet"):
        _ = Client(fixture_server()).record
    other: Any = "server"
    with pytest.raises(TypeError, match="a Client calls a Server, and this is 'server'"):
        Client(other)


# Questions


@BOTH
def test_prompts_and_resources_ask_as_tools_do(version: str) -> None:
    made = client(version)

    assert made.get_prompt("invite")[0]["content"]["text"] == "Invite Ada."
    assert made.read_resource("page://secret")[0]["text"] == "For Ada."


@dataclass
class AsDataclass:
    name: str


class AsModel(BaseModel):
    name: str


@BOTH
@pytest.mark.parametrize("given", [{"name": "Eve"}, AsDataclass("Eve"), AsModel(name="Eve")])
def test_a_client_answers_with_a_mapping_a_dataclass_or_a_model(version: str, given: object) -> None:
    assert client(version, given).get_prompt("invite")[0]["content"]["text"] == "Invite Eve."


@BOTH
def test_a_question_for_which_the_client_has_no_answer_fails_the_test(version: str) -> None:
    made = Client(asking_server(), protocol_version=version, capabilities={"elicitation": {}})

    with pytest.raises(LookupError, match="sent elicitation/create, and the client has no answer to it"):
        made.get_prompt("invite")


def test_a_client_declares_only_what_it_can_answer() -> None:
    text = "This needs a client that declares the capability elicitation"

    with pytest.raises(MissingClientCapability, match=text):
        Client(asking_server()).call_tool("notify")
    assert Client(asking_server(), protocol_version=LEGACY, roots=[]).call_tool("notify").text == text


@BOTH
def test_a_handler_that_never_stops_asking_fails_the_test(version: str) -> None:
    runs: list[int] = []
    server = Server("curious", version="1")

    @server.tool()
    def ask(*, context: Context) -> str:
        """Ask something new in each run."""
        runs.append(1)
        return context.elicit("Again?", {"type": "object"}, key=str(len(runs))).action

    made = Client(server, protocol_version=version, on_elicit=lambda *_: {})
    with pytest.raises(RuntimeError, match="100 times and did not end"):
        made.call_tool("ask")


# What the client shows of a request


@BOTH
def test_a_client_shows_notifications_once_and_the_record_of_the_last_run(version: str) -> None:
    made = client(version)
    made.call_tool("notify")
    kinds = [(each["method"], each["params"].get("progress")) for each in made.notifications]

    assert kinds[-1] == ("notifications/progress", 2)
    assert kinds.count(("notifications/message", None)) == {LEGACY: 1, MODERN: 2}[version]
    assert (made.record.method, made.record.tool, made.record.version) == ("tools/call", "notify", version)
    assert (made.record.counts, made.record.log_fields) == ({"calls": 2}, {"step": "first"})
    made.list_tools()
    assert made.notifications == []


@BOTH
@pytest.mark.parametrize(("level", "messages"), [("debug", ["details"]), ("info", [])])
def test_a_client_gets_log_messages_from_its_level_on(version: str, level: str, messages: list[str]) -> None:
    server = Server("logging", version="1", logging=True)

    @server.tool()
    def log(*, context: Context) -> None:
        """Log a detail."""
        context.log("debug", "details")

    made = Client(server, protocol_version=version, log_level=level)
    made.call_tool("log")

    assert [each["params"]["data"] for each in made.notifications] == messages


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_legacy_client_opens_a_session_that_expires_by_its_clock(version: str) -> None:
    sessions, now = MemorySessions(), [1_000.0]
    made = Client(fixture_server(), protocol_version=version, sessions=sessions, clock=lambda: now[0])

    assert made.record.session_event is SessionEvent.OPENED
    assert made.record.session_id is not None
    assert sessions.load(made.record.session_id, 1_000) is not None
    now[0] += 3_600
    with pytest.raises(McpError, match="Call initialize first"):
        made.list_tools()
