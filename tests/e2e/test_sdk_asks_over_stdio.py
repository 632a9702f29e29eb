"""The official SDK's client, asked over stdio: in the newest revision, and after a handshake."""

# ruff: noqa: ARG001 - the SDK gives a callback's parameters by name

from typing import Final

import anyio
import mcp_types
import pytest
from mcp.client import Client
from mcp.client.session import ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from tests.support.processes import ROOT
from tests.support.sdk import text_of
from tests.support.serving import command, environment
from tests.support.stdio import ASKING_SERVER

pytestmark = pytest.mark.anyio

MODES: Final = ("legacy", "2026-07-28", "auto")


def parameters() -> StdioServerParameters:
    program, *arguments = command(ASKING_SERVER)
    return StdioServerParameters(command=program, args=arguments, cwd=ROOT, env=environment())


async def fill_in(
    context: ClientRequestContext, params: mcp_types.ElicitRequestParams
) -> mcp_types.ElicitResult:
    known = {"What is your name?": "Ada", "And the name of your friend, Ada?": "Charles"}
    return mcp_types.ElicitResult(action="accept", content={"name": known.get(params.message, "Eve")})


async def decline(
    context: ClientRequestContext, params: mcp_types.ElicitRequestParams
) -> mcp_types.ElicitResult:
    return mcp_types.ElicitResult(action="decline")


async def reflect(
    context: ClientRequestContext, params: mcp_types.CreateMessageRequestParams
) -> mcp_types.CreateMessageResult:
    said = mcp_types.TextContent(text=f"{params.max_tokens} words")
    return mcp_types.CreateMessageResult(role="assistant", content=said, model="tests")


@pytest.mark.parametrize("mode", MODES)
async def test_a_user_is_asked(mode: str) -> None:
    async with Client(parameters(), mode=mode, elicitation_callback=fill_in) as client:
        assert text_of(await client.call_tool("greet")) == "Hello, Eve!"
        assert text_of(await client.call_tool("introduce")) == "Ada and Charles"


@pytest.mark.parametrize("mode", MODES)
async def test_a_user_may_decline(mode: str) -> None:
    async with Client(parameters(), mode=mode, elicitation_callback=decline) as client:
        assert text_of(await client.call_tool("greet")) == "Well: decline."


@pytest.mark.parametrize("mode", MODES)
async def test_the_clients_model_is_asked(mode: str) -> None:
    async with Client(parameters(), mode=mode, sampling_callback=reflect) as client:
        assert text_of(await client.call_tool("think", {"question": "Why?"})) == "50 words"


@pytest.mark.parametrize("mode", MODES)
async def test_several_tools_can_ask_at_once(mode: str) -> None:
    answers: list[str] = []
    async with Client(
        parameters(), mode=mode, elicitation_callback=fill_in, sampling_callback=reflect
    ) as client:

        async def ask(tool: str, **arguments: str) -> None:
            answers.append(text_of(await client.call_tool(tool, arguments)))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "introduce")
            tasks.start_soon(lambda: ask("think", question="Why?"))
            tasks.start_soon(ask, "greet")
    assert sorted(answers) == ["50 words", "Ada and Charles", "Hello, Eve!"]


async def test_the_error_for_a_client_that_cannot_be_asked_names_the_missing_capability() -> None:
    sentence = "This needs a client that declares the capability elicitation"
    async with Client(parameters(), mode="legacy") as client:
        result = await client.call_tool("greet")
    assert (result.is_error, text_of(result)) == (True, sentence)
    async with Client(parameters(), mode="2026-07-28") as client:
        with pytest.raises(MCPError, match=sentence) as caught:
            await client.call_tool("greet")
    assert caught.value.code == -32021


@pytest.mark.requirement("cancel-stdio")
@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_times_out_can_send_its_next_request(mode: str) -> None:
    async with Client(parameters(), mode=mode) as client:
        with pytest.raises(MCPError):
            await client.call_tool("work", {"seconds": 1}, read_timeout_seconds=0.2)
        assert text_of(await client.call_tool("work", {"seconds": 0})) == "done"


@pytest.mark.parametrize("mode", MODES)
async def test_progress_reaches_the_client(mode: str) -> None:
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async with Client(parameters(), mode=mode) as client:
        result = await client.call_tool("count", {"to": 3}, progress_callback=hear)
    assert text_of(result) == "counted to 3"
    assert heard == [(1, 3), (2, 3), (3, 3)]
