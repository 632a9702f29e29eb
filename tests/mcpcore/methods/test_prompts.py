"""prompts/list and prompts/get in every revision."""

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import (
    Audio,
    BuiltServer,
    CacheHint,
    ContentBlock,
    Context,
    EmbeddedResource,
    Icon,
    Image,
    PromptMessage,
    ResourceContents,
    ResourceLink,
    Server,
    Text,
    ToolError,
)
from mcpcore.http import HttpRequest, HttpResponse
from tests.support.messages import (
    LEGACY_VERSIONS,
    MODERN,
    SERVER_INFO_KEY,
    error,
    initialize,
    legacy,
    modern,
    result,
)
from tests.support.servers import Wire

EVERY_VERSION = [*LEGACY_VERSIONS, MODERN]
TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "p", "version": "1"}}}


def plain() -> str:
    """Say something plain."""
    return "Plain."


def greet(
    name: Annotated[str, Field(description="Whom.")], tone: str = "warm", note: str | None = None
) -> str:
    """Greet somebody."""
    return f"A {tone} hello to {name}. {note}"


def talk() -> list[PromptMessage]:
    """Give a conversation."""
    return [PromptMessage("user", Text("Hi")), PromptMessage("assistant", Image(b"", "image/png"))]


def mixed() -> list[str | ContentBlock | PromptMessage]:
    """Give a bit of everything."""
    return [
        "Text",
        Audio(b"", "audio/wav"),
        EmbeddedResource(ResourceContents("a:b", "x")),
        PromptMessage("assistant", ResourceLink("a:b", "B")),
    ]


def undescribed() -> Text:
    return Text("x")


def silent() -> list[str]:
    """Give no messages at all."""
    return []


def who(*, context: Context) -> str:
    """Tell who asks."""
    return context.envelope.version


def broken() -> str:
    """Break."""
    raise RuntimeError("secret")


def refusing() -> str:
    """Say no."""
    raise ToolError("Not today.")


def promising() -> str:
    """Give something else than is promised."""
    return 5  # type: ignore[return-value]  # the fault under test


def nothing() -> str:
    """Give nothing where a message is due."""
    return None  # type: ignore[return-value]  # the fault under test


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with prompts of every kind."""
    server = Server("p", version="1", cache=CacheHint(5, "private"))
    server.prompt(title="Greeting", icons=[Icon("a:b", "image/png", ("48x48", "any"), "dark")])(greet)
    for function in (plain, talk, mixed, undescribed, silent, who, broken, refusing, promising, nothing):
        server.prompt()(function)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def ask(wire: Wire, version: str, method: str, params: dict[str, Any] | None = None) -> HttpResponse:
    """The answer in any version."""
    wire.send(initialize(version))
    both: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}
    return wire.send(both.get(version, legacy)(method, params))


def got(version: str, *messages: Any, description: str | None) -> HttpResponse:
    described = {} if description is None else {"description": description}
    return result(1, {**described, "messages": [*messages], **{MODERN: TAIL}.get(version, {})})


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


NAMED: dict[str, Any] = {"name": "greet"}
REST: dict[str, Any] = {
    "description": "Greet somebody.",
    "arguments": [
        {"name": "name", "required": True, "description": "Whom."},
        {"name": "tone", "required": False},
        {"name": "note", "required": False},
    ],
}
ICONS = {"icons": [{"src": "a:b", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}]}
GREET: dict[str, dict[str, Any]] = {
    "2024-11-05": {**NAMED, **REST},
    "2025-03-26": {**NAMED, **REST},
    "2025-06-18": {**NAMED, "title": "Greeting", **REST},
    "2025-11-25": {**NAMED, "title": "Greeting", **REST, **ICONS},
    MODERN: {**NAMED, "title": "Greeting", **REST, **ICONS},
}
OTHERS = [
    {"name": "plain", "description": "Say something plain."},
    {"name": "talk", "description": "Give a conversation."},
    {"name": "mixed", "description": "Give a bit of everything."},
    {"name": "undescribed"},
    {"name": "silent", "description": "Give no messages at all."},
    {"name": "who", "description": "Tell who asks."},
    {"name": "broken", "description": "Break."},
    {"name": "refusing", "description": "Say no."},
    {"name": "promising", "description": "Give something else than is promised."},
    {"name": "nothing", "description": "Give nothing where a message is due."},
]


@pytest.mark.requirement("prompts-listed")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_list_has_the_members_that_its_version_knows(wire: Wire, version: str) -> None:
    saved = {MODERN: {"ttlMs": 5, "cacheScope": "private", **TAIL}}
    expected = {"prompts": [GREET[version], *OTHERS], **saved.get(version, {})}

    assert ask(wire, version, "prompts/list") == result(1, expected)


@pytest.mark.requirement("prompt-arguments")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "Ada"}, "A warm hello to Ada. None"),
        ({"name": "", "tone": "cool", "note": "!"}, "A cool hello to . !"),
        ({"name": "ü \ud83d\ude00"}, "A warm hello to ü \ud83d\ude00. None"),
    ],
)
def test_arguments_are_filled_in_and_a_default_stands_for_one_that_is_left_out(
    wire: Wire, version: str, arguments: dict[str, str], words: str
) -> None:
    answer = ask(wire, version, "prompts/get", {"name": "greet", "arguments": arguments})

    assert answer == got(version, user(text(words)), description="Greet somebody.")


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("params", [{"name": "plain"}, {"name": "plain", "arguments": {}}])
def test_arguments_may_be_left_out_where_none_is_required(
    wire: Wire, version: str, params: dict[str, Any]
) -> None:
    answer = ask(wire, version, "prompts/get", params)

    assert answer == got(version, user(text("Plain.")), description="Say something plain.")


@pytest.mark.requirement("prompt-messages")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_conversation_keeps_its_roles_and_each_message_has_one_block(wire: Wire, version: str) -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    messages = [user(text("Hi")), {"role": "assistant", "content": image}]

    answer = ask(wire, version, "prompts/get", {"name": "talk"})

    assert answer == got(version, *messages, description="Give a conversation.")


AUDIO = {"type": "audio", "data": "", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "uri": "a:b", "name": "B"}


@pytest.mark.parametrize(
    ("version", "audio", "link"),
    [
        ("2024-11-05", text("[audio, audio/wav, 0 bytes]"), text("B: a:b")),
        ("2025-03-26", AUDIO, text("B: a:b")),
        ("2025-06-18", AUDIO, LINK),
        ("2025-11-25", AUDIO, LINK),
        (MODERN, AUDIO, LINK),
    ],
)
def test_blocks_are_converted_for_the_versions_that_do_not_know_them(
    wire: Wire, version: str, audio: dict[str, str], link: dict[str, str]
) -> None:
    embedded = {"type": "resource", "resource": {"uri": "a:b", "text": "x"}}
    messages = [user(text("Text")), user(audio), user(embedded), {"role": "assistant", "content": link}]

    answer = ask(wire, version, "prompts/get", {"name": "mixed"})

    assert answer == got(version, *messages, description="Give a bit of everything.")


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_what_a_prompt_has_not_is_left_out_except_its_messages(wire: Wire, version: str) -> None:
    undescribed_, silent_ = (
        ask(wire, version, "prompts/get", {"name": name}) for name in ("undescribed", "silent")
    )

    assert undescribed_ == got(version, user(text("x")), description=None)
    assert silent_ == got(version, description="Give no messages at all.")


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_prompt_can_see_who_asks(wire: Wire, version: str) -> None:
    answer = ask(wire, version, "prompts/get", {"name": "who"})

    assert answer == got(version, user(text(version)), description="Tell who asks.")


NO_OBJECTS: list[object] = [None, [], "x", 0, False]
NO_OBJECT = "Invalid params: arguments must be an object of strings"


def unfit(faults: str) -> str:
    return f"Invalid arguments for prompt greet: {faults}"


@pytest.mark.requirement("prompt-invalid")
@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"name": "nope"}, "Unknown prompt: nope. prompts/list names the prompts there are"),
        ({"name": "Greet"}, "Unknown prompt: Greet. prompts/list names the prompts there are"),
        ({"name": "x" * 101}, f"Unknown prompt: {'x' * 100}…. prompts/list names the prompts there are"),
        ({}, "Invalid params: name must be a string"),
        ({"name": None}, "Invalid params: name must be a string"),
        ({"name": ["greet"]}, "Invalid params: name must be a string"),
        ({"name": "greet"}, unfit("name is missing")),
        ({"name": "greet", "arguments": {}}, unfit("name is missing")),
        ({"name": "greet", "arguments": {"tone": "cool"}}, unfit("name is missing")),
        ({"name": "greet", "arguments": {"name": 5}}, unfit("name must be a string")),
        ({"name": "greet", "arguments": {"name": None}}, unfit("name must be a string")),
        ({"name": "greet", "arguments": {"name": "x", "tone": ["cool"]}}, unfit("tone must be a string")),
        ({"name": "greet", "arguments": {"name": "x", "nmae": "y"}}, unfit("there is no nmae")),
        ({"name": "greet", "arguments": {"name": "x", "context": "y"}}, unfit("there is no context")),
        (
            {"name": "greet", "arguments": {"y" * 101: 1}},
            unfit(f"{'y' * 100}… must be a string; there is no {'y' * 100}…; name is missing"),
        ),
        *(({"name": "greet", "arguments": value}, NO_OBJECT) for value in NO_OBJECTS),
    ],
)
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_params_that_do_not_fit_are_invalid_in_every_revision(
    wire: Wire, version: str, params: dict[str, Any], sentence: str
) -> None:
    assert ask(wire, version, "prompts/get", params) == error(200, 1, -32602, sentence)


@pytest.mark.requirement("prompt-fault")
@pytest.mark.parametrize(
    ("name", "sentence", "cause"),
    [
        ("broken", "Internal error", "RuntimeError('secret')"),
        (
            "promising",
            "Internal error",
            "TypeError('the prompt promising gave int, which is no message')",
        ),
        (
            "nothing",
            "Internal error",
            "TypeError('the prompt nothing gave NoneType, which is no message')",
        ),
    ],
)
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_prompt_that_fails_is_an_error_and_its_cause_is_for_the_edge(
    wire: Wire, version: str, name: str, sentence: str, cause: str
) -> None:
    assert ask(wire, version, "prompts/get", {"name": name}) == error(200, 1, -32603, sentence)
    assert repr(wire.outcome(modern("prompts/get", {"name": name})).record.cause) == cause


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_prompt_that_says_no_is_an_error_of_the_params(wire: Wire, version: str) -> None:
    assert ask(wire, version, "prompts/get", {"name": "refusing"}) == error(200, 1, -32602, "Not today.")


@pytest.mark.parametrize(
    "returned",
    [
        PromptMessage("system", Text("x")),
        PromptMessage("user", "x"),  # type: ignore[arg-type]  # the fault under test
        Text(5),  # type: ignore[arg-type]  # the fault under test
        Image("x", "image/png"),  # type: ignore[arg-type]  # the fault under test
        Text("x", {"priority": object()}),
    ],
)
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_message_that_the_wire_has_not_is_an_internal_error(version: str, returned: object) -> None:
    server = Server("p", version="1")
    server.prompt()(lambda_named(returned))

    assert ask(Wire(server), version, "prompts/get", {"name": "giving"}) == error(
        200, 1, -32603, "Internal error"
    )


def lambda_named(returned: object) -> Callable[[], Any]:
    """A prompt that gives this."""

    def giving() -> Any:
        """Give it."""
        return returned

    return giving
