"""The official SDK's client, asked by a Lambda: one way of writing a tool, both eras of asking."""

# ruff: noqa: ARG001, ARG002 - the SDK gives a callback's parameters by name

from typing import Any, Final, TypeAlias

import mcp_types
import pytest
from mcp.client import Client
from mcp.client.session import ClientRequestContext
from mcp.shared.exceptions import MCPError

from tests.support.sdk import text_of
from tests.support.serving import Served

pytestmark = pytest.mark.anyio

MODES: Final = ("legacy", "2026-07-28")
ADA: Final = {"username": "ada", "email": "ada@example.com"}

Params: TypeAlias = mcp_types.ElicitRequestParams | mcp_types.CreateMessageRequestParams


class User:
    """Answers everything, and keeps what it was asked."""

    def __init__(self, *, action: Any = "accept", content: dict[str, Any] | None = None) -> None:
        self.asked: list[Params] = []
        self._action = action
        self._content = content

    async def fill_in(
        self, context: ClientRequestContext, params: mcp_types.ElicitRequestParams
    ) -> mcp_types.ElicitResult:
        self.asked.append(params)
        return mcp_types.ElicitResult(action=self._action, content=self._content)

    async def think(
        self, context: ClientRequestContext, params: mcp_types.CreateMessageRequestParams
    ) -> mcp_types.CreateMessageResult:
        self.asked.append(params)
        said = mcp_types.TextContent(text="Paris")
        return mcp_types.CreateMessageResult(role="assistant", content=said, model="tests")

    async def show_folders(self, context: ClientRequestContext) -> mcp_types.ListRootsResult:
        return mcp_types.ListRootsResult(roots=[mcp_types.Root(uri="file:///work", name="work")])


async def refuse(context: ClientRequestContext, params: Params) -> mcp_types.ErrorData:
    return mcp_types.ErrorData(code=-1, message="User rejected sampling request")


def connected(served: Served, mode: str, user: User) -> Client:
    return Client(
        served.url,
        mode=mode,
        elicitation_callback=user.fill_in,
        sampling_callback=user.think,
        list_roots_callback=user.show_folders,
    )


@pytest.mark.parametrize("mode", MODES)
async def test_a_user_fills_in_a_form(fixture_served: Served, mode: str) -> None:
    user = User(content=ADA)
    async with connected(fixture_served, mode, user) as client:
        result = await client.call_tool("test_elicitation", {"message": "Who are you?"})
    (asked,) = user.asked
    assert isinstance(asked, mcp_types.ElicitRequestFormParams)
    assert (asked.message, asked.requested_schema) == (
        "Who are you?",
        {
            "type": "object",
            "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
            "required": ["username", "email"],
        },
    )
    assert (result.is_error, text_of(result)) == (
        False,
        'User response: action=accept, content={"username": "ada", "email": "ada@example.com"}',
    )


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("mode", MODES)
async def test_a_declined_form_is_no_error(fixture_served: Served, mode: str, action: str) -> None:
    async with connected(fixture_served, mode, User(action=action)) as client:
        result = await client.call_tool("test_elicitation", {"message": "Who are you?"})
    assert (result.is_error, text_of(result)) == (False, f"User response: action={action}, content={{}}")


@pytest.mark.parametrize("mode", MODES)
async def test_a_user_is_sent_to_a_page(fixture_served: Served, mode: str) -> None:
    user = User()
    async with connected(fixture_served, mode, user) as client:
        result = await client.call_tool("test_elicitation_url")
    (asked,) = user.asked
    assert isinstance(asked, mcp_types.ElicitRequestURLParams)
    assert asked.url == "https://example.com/sign-in"
    assert text_of(result) == "User response: action=accept, content={}"


@pytest.mark.parametrize("mode", MODES)
async def test_the_clients_model_is_asked(fixture_served: Served, mode: str) -> None:
    user = User()
    async with connected(fixture_served, mode, user) as client:
        result = await client.call_tool("test_sampling", {"prompt": "The capital of France?"})
    (asked,) = user.asked
    assert isinstance(asked, mcp_types.CreateMessageRequestParams)
    assert asked.max_tokens == 100
    assert text_of(result) == "LLM response: Paris"


@pytest.mark.parametrize("mode", MODES)
async def test_the_clients_folders_are_asked_for(fixture_served: Served, mode: str) -> None:
    async with connected(fixture_served, mode, User()) as client:
        result = await client.call_tool("test_input_required_result_list_roots")
    assert text_of(result) == "The client works on: file:///work"


@pytest.mark.parametrize("mode", MODES)
async def test_one_question_leads_to_the_next(fixture_served: Served, mode: str) -> None:
    user = User(content={"name": "Ada", "color": "green"})
    async with connected(fixture_served, mode, user) as client:
        result = await client.call_tool("test_input_required_result_multi_round")
    assert [
        asked.message for asked in user.asked if isinstance(asked, mcp_types.ElicitRequestFormParams)
    ] == [
        "Step 1: What is your name?",
        "Step 2: What is your favorite color?",
    ]
    assert text_of(result) == "Ada likes green"


@pytest.mark.parametrize("mode", MODES)
async def test_three_questions_are_asked_at_once(fixture_served: Served, mode: str) -> None:
    user = User(content={"name": "Ada"})
    async with connected(fixture_served, mode, user) as client:
        result = await client.call_tool("test_input_required_result_multiple_inputs")
    assert len(user.asked) == 2
    assert text_of(result) == "All answered: user_name, greeting, client_roots"


@pytest.mark.parametrize("mode", MODES)
async def test_a_prompt_asks_too(fixture_served: Served, mode: str) -> None:
    async with connected(fixture_served, mode, User(content={"context": "a garden"})) as client:
        result = await client.get_prompt("test_input_required_result_prompt")
    (message,) = result.messages
    assert message.content == mcp_types.TextContent(text="Work in this context: a garden")


@pytest.mark.parametrize("mode", MODES)
async def test_the_answer_to_a_form_must_fit_it(fixture_served: Served, mode: str) -> None:
    user = User(content={"username": "ada"})
    wrong = "Invalid answer to user: $: 'email' is a required property"
    async with connected(fixture_served, mode, user) as client:
        assert await failure(client, "test_elicitation", {"message": "?"}) == wrong


@pytest.mark.parametrize("mode", MODES)
async def test_long_work_continues_when_the_client_resumes(fixture_served: Served, mode: str) -> None:
    async with connected(fixture_served, mode, User()) as client:
        result = await client.call_tool("test_reconnection")
    assert text_of(result) == "Reconnection test completed successfully"


async def test_the_refusal_of_a_client_of_the_handshake_era_is_a_tool_error(
    fixture_served: Served,
) -> None:
    async with Client(fixture_served.url, mode="legacy", sampling_callback=refuse) as client:
        result = await client.call_tool("test_sampling", {"prompt": "?"})
    assert (result.is_error, text_of(result)) == (
        True,
        "The client refused to answer: User rejected sampling request",
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "capability"),
    [
        ("test_elicitation", {"message": "?"}, {"elicitation": {"form": {}}}),
        ("test_elicitation_url", {}, {"elicitation": {"url": {}}}),
        ("test_sampling", {"prompt": "?"}, {"sampling": {}}),
        ("test_input_required_result_list_roots", {}, {"roots": {}}),
        ("test_missing_capability", {}, {"sampling": {}}),
    ],
)
async def test_the_error_for_a_client_that_cannot_be_asked_names_the_missing_capability(
    fixture_served: Served, tool: str, arguments: dict[str, Any], capability: dict[str, Any]
) -> None:
    sentence = f"This needs a client that declares the capability {', '.join(capability)}"
    async with Client(fixture_served.url, mode="legacy") as client:
        result = await client.call_tool(tool, arguments)
    assert (result.is_error, text_of(result)) == (True, sentence)
    async with Client(fixture_served.url, mode="2026-07-28") as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool(tool, arguments)
    assert (caught.value.code, caught.value.message, caught.value.data) == (
        -32021,
        sentence,
        {"requiredCapabilities": capability},
    )


async def test_a_tool_asks_in_the_way_that_the_client_can_be_asked(fixture_served: Served) -> None:
    user = User()
    async with Client(fixture_served.url, mode="2026-07-28", sampling_callback=user.think) as client:
        result = await client.call_tool("test_input_required_result_capabilities")
    assert text_of(result) == "Answered: greeting"


async def test_a_changed_state_is_refused(fixture_served: Served) -> None:
    async with connected(fixture_served, "2026-07-28", User()) as client:
        required = await first_round(client, "test_input_required_result_tampered_state")
        refused = await refusal(
            client, "test_input_required_result_tampered_state", f"{required.request_state}-TAMPERED"
        )
    assert refused == (-32602, "requestState is not one that this server gave out; send it back as it was")


async def test_a_state_opens_for_its_own_request_only(fixture_served: Served) -> None:
    async with connected(fixture_served, "2026-07-28", User()) as client:
        required = await first_round(client, "test_input_required_result_tampered_state")
        refused = await refusal(
            client, "test_input_required_result_request_state", str(required.request_state)
        )
    assert refused == (
        -32602,
        "requestState belongs to another request; retry with the same method and params",
    )


async def first_round(client: Client, tool: str) -> mcp_types.InputRequiredResult:
    result = await client.session.call_tool(tool, allow_input_required=True)
    assert isinstance(result, mcp_types.InputRequiredResult)
    return result


async def refusal(client: Client, tool: str, state: str) -> tuple[int, str]:
    with pytest.raises(MCPError) as caught:
        await client.session.call_tool(
            tool,
            input_responses={"confirm": mcp_types.ElicitResult(action="accept", content={"ok": True})},
            request_state=state,
        )
    return caught.value.code, caught.value.message


async def failure(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """The words of a failure: a result in the handshake era, which takes nothing else at a stream's end."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return error.message
    assert result.is_error
    return text_of(result)
