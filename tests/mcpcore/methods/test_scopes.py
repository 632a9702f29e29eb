"""Scopes and principals in the core: who may call what, and what belongs to whom."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from mcpcore import Context, DefinitionError, InsufficientScope, McpError, Principal, Server
from mcpcore.protocol.errors import InvalidParams, SessionUnknown
from mcpcore.testing import Client
from tests.support.messages import LEGACY, MODERN, SUPPORTED

READER: Final = Principal("ada", "https://issuer.example", scopes=frozenset({"notes:read"}))
WRITER: Final = READER._replace(scopes=frozenset({"notes:read", "notes:write"}))
OTHER: Final = READER._replace(subject="bob")


def notes(**options: Any) -> Server:
    """A server whose every kind of definition needs scopes, but for one tool."""
    server = Server("notes", version="1", **options)

    @server.tool
    def whoami(context: Context) -> str:
        """Say who calls."""
        return context.principal.subject if context.principal else "nobody"

    @server.tool(scopes=["notes:write", "notes:read"])
    def delete(context: Context) -> str:
        """Delete a note."""
        return context.elicit("Sure?", {"type": "object", "properties": {}}).action

    @server.resource("notes://all", scopes=["notes:read"])
    def everything() -> str:
        return "all notes"

    @server.resource("notes://{name}", scopes=["notes:write"])
    def note(name: str) -> str:
        return name

    @server.prompt(scopes=["notes:write"])
    def rewrite(topic: str) -> str:
        """Rewrite a note."""
        return topic

    server.completion("topic", prompt="rewrite")(lambda typed, _: [f"{typed}!"])
    server.completion("name", resource="notes://{name}")(lambda typed, _: [f"{typed}!"])
    return server


NEED_WRITING: Final[dict[str, Callable[[Client], object]]] = {
    "a resource": lambda client: client.read_resource("notes://today"),
    "a prompt": lambda client: client.get_prompt("rewrite", topic="x"),
    "a completion for a prompt": lambda client: client.complete("topic", "x", prompt="rewrite"),
    "a completion for a template": lambda client: client.complete("name", "x", resource="notes://{name}"),
}


@pytest.mark.parametrize("version", [MODERN, LEGACY])
@pytest.mark.parametrize("what", NEED_WRITING)
def test_what_needs_a_scope_is_refused_without_it_and_answered_with_it(what: str, version: str) -> None:
    with pytest.raises(InsufficientScope) as refused:
        NEED_WRITING[what](Client(notes(), principal=READER, protocol_version=version))

    assert refused.value.scopes == {"notes:write"}
    assert NEED_WRITING[what](Client(notes(), principal=WRITER, protocol_version=version))


def test_the_refusal_of_a_tool_names_all_scopes_at_once_before_its_arguments_are_looked_at() -> None:
    client = Client(notes(), principal=READER)

    with pytest.raises(InsufficientScope, match="notes:read notes:write") as refused:
        client.call_tool("delete", wrong="arguments")

    assert refused.value.scopes == {"notes:read", "notes:write"}
    assert client.call_tool("whoami").text == "ada"


def test_without_authorization_nobody_needs_a_scope() -> None:
    client = Client(notes())

    assert client.call_tool("whoami").text == "nobody"
    assert client.read_resource("notes://today")[0]["text"] == "today"


def listed(client: Client) -> list[str]:
    return [
        *(tool["name"] for tool in client.list_tools()),
        *(resource["uri"] for resource in client.list_resources()),
        *(template["uriTemplate"] for template in client.list_resource_templates()),
        *(prompt["name"] for prompt in client.list_prompts()),
    ]


EVERYTHING: Final = ["whoami", "delete", "notes://all", "notes://{name}", "rewrite"]


@pytest.mark.parametrize(
    ("hide", "principal", "expected"),
    [
        (False, READER, EVERYTHING),
        (True, READER, ["whoami", "notes://all"]),
        (True, WRITER, EVERYTHING),
        (True, None, EVERYTHING),
    ],
)
def test_lists_show_everything_unless_they_shall_hide_what_the_scopes_do_not_reach(
    hide: bool, principal: Principal | None, expected: list[str]
) -> None:
    assert listed(Client(notes(hide_unauthorized=hide), principal=principal)) == expected


@pytest.mark.parametrize("scopes", ["notes:read", ["a b"], [""], ['"'], ["ä"], [1], 5, b"a"])
def test_scopes_that_no_token_can_have_are_found_when_the_server_is_built(scopes: Any) -> None:
    server = Server("notes", version="1")
    server.tool("read", description="Read", scopes=scopes)(lambda: "x")

    with pytest.raises(DefinitionError, match=r"read: scopes must be a list of scopes, not .* visible ASCII"):
        server.build()


@pytest.mark.parametrize("stranger", [OTHER, None, READER._replace(issuer="https://other.example")])
def test_the_session_of_another_principal_is_unknown(stranger: Principal | None) -> None:
    client = Client(notes(), principal=READER, protocol_version=LEGACY)
    client.principal = stranger

    with pytest.raises(SessionUnknown):
        client.call_tool("whoami")

    client.principal = READER
    assert client.call_tool("whoami").text == "ada"


def test_the_state_of_a_question_opens_for_the_principal_that_was_asked_alone() -> None:
    def answer_as_another(_message: str, _form: object) -> dict[str, Any]:
        client.principal = OTHER._replace(scopes=WRITER.scopes)
        return {}

    client = Client(notes(), principal=WRITER, on_elicit=answer_as_another)

    with pytest.raises(InvalidParams, match="belongs to another request"):
        client.call_tool("delete")


def test_a_cursor_is_valid_for_the_principal_that_got_it_alone() -> None:
    client = Client(notes(page_size=1), principal=READER)
    cursor = client.request("tools/list")["nextCursor"]

    assert client.request("tools/list", {"cursor": cursor})["tools"][0]["name"] == "delete"
    client.principal = OTHER
    with pytest.raises(McpError, match="Invalid cursor"):
        client.request("tools/list", {"cursor": cursor})


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "resources/list", "prompts/list"])
def test_no_result_of_a_server_for_one_principal_may_be_shared(method: str) -> None:
    everybody = notes().build()

    assert Client(everybody).request(method)["cacheScope"] == "public"
    assert Client(everybody.for_one_principal()).request(method)["cacheScope"] == "private"


def test_a_result_that_is_not_constant_is_private_too() -> None:
    client = Client(notes().build().for_one_principal(), principal=READER)

    assert client.request("resources/read", {"uri": "notes://all"})["cacheScope"] == "private"


@pytest.mark.parametrize("version", SUPPORTED)
def test_being_private_changes_nothing_else_of_a_constant_result(version: str) -> None:
    built = notes().build()
    for (found, method), encoded in built.for_one_principal().constants.items():
        if found == version:
            public = json.loads(built.constants[found, method])
            assert json.loads(encoded) == public | ({"cacheScope": "private"} if version == MODERN else {})


def test_a_server_can_be_stripped_of_its_scopes() -> None:
    built = notes().build()

    assert built.scopes() == {"notes:read", "notes:write"}
    assert built.without_scopes().scopes() == frozenset()
    assert Client(built.without_scopes(), principal=OTHER).read_resource("notes://today")


def overlapping() -> Server:
    """Resources that need a scope, and templates which match their URIs and need none."""
    server = Server("overlapping", version="1")

    @server.resource("notes://secret", scopes=["notes:write"])
    def secret() -> str:
        return "secret"

    @server.resource("notes://{name}")
    def note(name: str) -> str:
        return name

    @server.resource("users://root/{item}", scopes=["notes:write"])
    def of_root(item: str) -> str:
        return item

    @server.resource("users://{name}/{item}")
    def of_user(name: str, item: str) -> str:
        return f"{name} {item}"

    return server


@pytest.mark.parametrize(
    "uri",
    [
        "notes://secret",
        "notes://%73ecret",
        "notes://%73%65%63%72%65%74",
        "users://%72oot/x",
        "users://roo%74/x",
    ],
)
def test_an_equivalent_uri_leads_round_no_scope(uri: str) -> None:
    with pytest.raises(InsufficientScope):
        Client(overlapping(), principal=READER).read_resource(uri)


def test_a_uri_that_is_not_equivalent_is_another_resource() -> None:
    client = Client(overlapping(), principal=READER)
    read = {
        uri: client.read_resource(uri)[0]["text"]
        for uri in ("notes://%2573ecret", "notes://a%2Fb%41", "users://a/b")
    }

    assert list(read.values()) == ["%73ecret", "a/bA", "a b"]
