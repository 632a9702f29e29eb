"""Every message that the server sends, in every revision, against the official schema types."""

import json
from typing import Any, Final, NamedTuple

import mcp_types._v2025_11_25 as v2025
import mcp_types._v2026_07_28 as v2026
import pytest
from mcp_types.jsonrpc import JSONRPCError
from mcp_types.methods import serialize_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import BaseModel

from tests.support.exchanges import (
    Handler,
    Reply,
    Sent,
    initialize,
    legacy,
    metadata,
    modern,
    over_http,
    through_handler,
)
from tests.support.serving import Served

RUST: Final = {"query": "how do I get started with rust"}


class Exchange(NamedTuple):
    """A request and the method whose result answers it."""

    sent: Sent
    method: str


def called(tool: str, **arguments: object) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


CALLS: Final = {
    "sources": called("get_sources", **RUST),
    "sources above a threshold": called("get_sources", threshold=0.1, **RUST),
    "sources and alternatives": called("get_sources", alternatives=3, **RUST),
    "categories": called("list_categories"),
    "a search": called("search_categories", limit=3, **RUST),
    "a search in vain": called("search_categories", query="zzzz qqqq"),
    "provenance": called("get_provenance"),
    "endorsements": called("get_endorsements"),
    "log": called("get_audit_log", category="rust-learning", proof=True),
    "no match": called("get_sources", query="zzzz qqqq"),
    "nothing to match": called("get_sources", query="the"),
}

TOPIC: Final = {"ref": {"type": "ref/prompt", "name": "research_topic"}}
SLUG: Final = {"ref": {"type": "ref/resource", "uri": "registry://categories/{slug}"}}
COMPLETE: Final = "completion/complete"

OTHERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "list": ("tools/list", {}),
    "resources": ("resources/list", {}),
    "templates": ("resources/templates/list", {}),
    "the registry": ("resources/read", {"uri": "registry://registry"}),
    "a category": ("resources/read", {"uri": "registry://categories/rust-learning"}),
    "prompts": ("prompts/list", {}),
    "a prompt": ("prompts/get", {"name": "research_topic", "arguments": {"topic": "rust"}}),
    "a prompt without a match": ("prompts/get", {"name": "research_topic", "arguments": {"topic": "zzzz"}}),
    "topics": (COMPLETE, {**TOPIC, "argument": {"name": "topic", "value": "r"}}),
    "slugs": (COMPLETE, {**SLUG, "argument": {"name": "slug", "value": ""}, "context": {"arguments": {}}}),
    "no slugs": (COMPLETE, {**SLUG, "argument": {"name": "slug", "value": "zzzz"}}),
}
COMPLETIONS: Final = {name for name, (method, _) in OTHERS.items() if method == COMPLETE}

IN_BOTH_ERAS: Final = (*OTHERS, *CALLS)
RESULTS: Final = [
    *(("legacy", name) for name in ("initialize", "ping", *IN_BOTH_ERAS)),
    *(("modern", name) for name in ("discover", *IN_BOTH_ERAS)),
]
# 2024-11-05 has no capability for completion, and is not offered it.
RESULTS_OF_HANDSHAKES: Final = [
    (revision, name)
    for revision in HANDSHAKE_PROTOCOL_VERSIONS
    for name in ("initialize", "ping", *IN_BOTH_ERAS)
    if revision != "2024-11-05" or name not in COMPLETIONS
]

ERRORS_OF_A_SESSION: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "unknown tool": ("tools/call", {"name": "rm"}),
    "no tool": ("tools/call", {}),
    "wrong arguments": ("tools/call", {"name": "get_sources", "arguments": 5}),
    "a cursor": ("tools/list", {"cursor": "a"}),
    "a cursor of resources": ("resources/list", {"cursor": "a"}),
    "no resource": ("resources/read", {"uri": "registry://categories/unheard-of"}),
    "no URI": ("resources/read", {}),
    "no prompt": ("prompts/get", {"name": "rm"}),
    "a prompt without its topic": ("prompts/get", {"name": "research_topic"}),
    "nothing to complete": (COMPLETE, {"ref": {}, "argument": {}}),
    "a log level": ("logging/setLevel", {"level": "debug"}),
    "a subscription": ("resources/subscribe", {"uri": "registry://registry"}),
    "unknown method": ("rm", {}),
    "another handshake without params": ("initialize", {}),
}

MODERN_ERRORS: Final = {
    -32700: modern("tools/list")._replace(body=b"{"),
    -32600: modern("tools/list")._replace(body=b"[]"),
    -32601: modern("rm"),
    -32602: modern("tools/call", name="rm"),
    -32020: modern("tools/list")._replace(headers=legacy("").headers),
    -32022: modern("tools/list")._replace(
        body=json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": metadata("2025-11-25")}}
        ).encode(),
        headers={**modern("tools/list").headers, "mcp-protocol-version": "2025-11-25"},
    ),
}
MODERN_ERROR_TYPES: Final[dict[int, type[BaseModel]]] = {
    -32020: v2026.HeaderMismatchError,
    -32022: v2026.UnsupportedProtocolVersionError,
}
PLAIN_ERROR_TYPES: Final[dict[int, type[BaseModel]]] = {
    -32700: v2026.ParseError,
    -32600: v2026.InvalidRequestError,
    -32601: v2026.MethodNotFoundError,
    -32602: v2026.InvalidParamsError,
}

# What each revision has brought to an object that we send; the official types of the older ones are those of
# 2025-11-25, which has all of it.
TOOL_SINCE: Final = {
    "2024-11-05": {"name", "description", "inputSchema"},
    "2025-03-26": {"annotations"},
    "2025-06-18": {"title", "outputSchema", "_meta"},
    "2025-11-25": {"icons", "execution"},
}
LISTED_SINCE: Final[dict[str, set[str]]] = {
    "2024-11-05": {
        "uri",
        "uriTemplate",
        "name",
        "description",
        "mimeType",
        "arguments",
        "annotations",
        "size",
    },
    "2025-03-26": set(),
    "2025-06-18": {"title", "_meta"},
    "2025-11-25": {"icons"},
}
INFO_SINCE: Final[dict[str, set[str]]] = {
    "2024-11-05": {"name", "version"},
    "2025-03-26": set(),
    "2025-06-18": {"title"},
    "2025-11-25": {"icons", "description", "websiteUrl"},
}
CALL_SINCE: Final[dict[str, set[str]]] = {
    "2024-11-05": {"content", "isError", "_meta"},
    "2025-03-26": set(),
    "2025-06-18": {"structuredContent"},
    "2025-11-25": set(),
}


def known(since: dict[str, set[str]], revision: str) -> set[str]:
    """The members that `revision` knows."""
    return set().union(*(members for brought, members in since.items() if brought <= revision))


def exchange(era: str, name: str, session: str | None) -> Exchange:
    """The request of that name."""
    plain = {"initialize": "initialize", "ping": "ping", "discover": "server/discover"}
    method, params = OTHERS.get(name, (plain.get(name, "tools/call"), CALLS.get(name, {})))
    sent = modern(method, **params) if era == "modern" else legacy(method, session=session, **params)
    return Exchange(sent, method)


def legacy_reply(served: Served, revision: str, name: str) -> tuple[str, Reply]:
    """The method of the request of that name and its reply, in a new session of `revision`."""
    send = over_http(served.url)
    opened = send(initialize(revision))
    sent, method = exchange("legacy", name, opened.headers["mcp-session-id"])
    return method, opened if name == "initialize" else send(sent)


def assert_sound_result(
    revision: str, method: str, message: dict[str, Any], envelope: type[BaseModel]
) -> None:
    """The message is a response of the official type, with nothing in it that the type does not know."""
    envelope.model_validate(message, by_name=False)
    assert set(message) == {"jsonrpc", "id", "result"}
    assert serialize_server_result(method, revision, message["result"]) == message["result"]


@pytest.mark.requirement("legacy-results-bare")
@pytest.mark.parametrize(("revision", "name"), RESULTS_OF_HANDSHAKES)
def test_a_result_of_the_handshake_era_is_as_the_schema_has_it(
    served: Served, revision: str, name: str
) -> None:
    method, reply = legacy_reply(served, revision, name)
    assert_sound_result(revision, method, reply.message(), v2025.JSONRPCResultResponse)


@pytest.mark.requirement("result-type")
@pytest.mark.parametrize("name", ["discover", *IN_BOTH_ERAS])
def test_a_result_of_2026_07_28_is_as_the_schema_has_it(served: Served, name: str) -> None:
    sent, method = exchange("modern", name, None)
    message = over_http(served.url)(sent).message()
    assert_sound_result("2026-07-28", method, message, v2026.JSONRPCResultResponse)


@pytest.mark.requirement("tool-members")
@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_tool_has_no_members_of_later_revisions(served: Served, revision: str) -> None:
    _, reply = legacy_reply(served, revision, "list")
    members = set().union(*reply.message()["result"]["tools"])
    assert members - known(TOOL_SINCE, revision) == set()


@pytest.mark.requirement("resource-members")
@pytest.mark.parametrize(
    ("name", "member"),
    [("resources", "resources"), ("templates", "resourceTemplates"), ("prompts", "prompts")],
)
@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_list_results_have_no_members_of_later_revisions(
    served: Served, revision: str, name: str, member: str
) -> None:
    _, reply = legacy_reply(served, revision, name)
    result = reply.message()["result"]
    assert set(result) - {"nextCursor"} == {member}
    assert set().union(*result[member]) - known(LISTED_SINCE, revision) == set()


@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_the_server_info_has_no_members_of_later_revisions(served: Served, revision: str) -> None:
    _, reply = legacy_reply(served, revision, "initialize")
    assert set(reply.message()["result"]["serverInfo"]) - known(INFO_SINCE, revision) == set()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_the_result_of_a_call_has_no_members_of_later_revisions(
    served: Served, revision: str, name: str
) -> None:
    _, reply = legacy_reply(served, revision, name)
    assert set(reply.message()["result"]) - known(CALL_SINCE, revision) == set()


@pytest.mark.requirement("error-schema")
@pytest.mark.parametrize("name", ERRORS_OF_A_SESSION)
@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_an_error_of_the_handshake_era_is_as_the_schema_has_it(
    served: Served, revision: str, name: str
) -> None:
    send = over_http(served.url)
    method, params = ERRORS_OF_A_SESSION[name]
    session = send(initialize(revision)).headers["mcp-session-id"]
    message = send(legacy(method, "an id", session=session, **params)).message()
    assert v2025.JSONRPCErrorResponse.model_validate(message, by_name=False).id == "an id"
    # The older schemas and the SDK's own type do not do without an id.
    assert JSONRPCError.model_validate(message).model_dump(exclude_unset=True) == message


@pytest.mark.parametrize("session", [None, "a" * 32])
def test_an_error_outside_a_session_is_as_the_schema_has_it(served: Served, session: str | None) -> None:
    message = over_http(served.url)(legacy("tools/list", 7, session=session)).message()
    assert v2025.JSONRPCErrorResponse.model_validate(message, by_name=False).id == 7
    assert JSONRPCError.model_validate(message).model_dump(exclude_unset=True) == message


@pytest.mark.requirement("error-schema")
@pytest.mark.parametrize("code", MODERN_ERRORS)
def test_an_error_of_2026_07_28_is_as_the_schema_has_it(served: Served, code: int) -> None:
    message = over_http(served.url)(MODERN_ERRORS[code]).message()
    response = v2026.JSONRPCErrorResponse.model_validate(message, by_name=False)
    assert response.error.code == code
    assert response.model_dump(exclude_unset=True) == message
    assert None not in message.values()


@pytest.mark.requirement("error-data")
@pytest.mark.parametrize("code", MODERN_ERROR_TYPES)
def test_an_error_with_a_code_of_its_own_is_of_its_own_type(served: Served, code: int) -> None:
    message = over_http(served.url)(MODERN_ERRORS[code]).message()
    response = MODERN_ERROR_TYPES[code].model_validate(message, by_name=False)
    assert response.model_dump(exclude_unset=True) == message


@pytest.mark.parametrize("code", PLAIN_ERROR_TYPES)
def test_an_error_of_json_rpc_is_of_its_own_type(served: Served, code: int) -> None:
    found = over_http(served.url)(MODERN_ERRORS[code]).message()["error"]
    assert (
        PLAIN_ERROR_TYPES[code].model_validate(found, by_name=False).model_dump(exclude_unset=True) == found
    )


@pytest.mark.requirement("one-line")
@pytest.mark.parametrize(("era", "name"), RESULTS)
def test_a_message_is_one_line_of_ascii(handler: Handler, era: str, name: str) -> None:
    send = through_handler(handler)
    session = send(initialize()).headers["mcp-session-id"]
    sent = initialize() if name == "initialize" else exchange(era, name, session).sent
    body = send(sent).body
    assert body.isascii()
    assert b"\n" not in body


@pytest.mark.requirement("answer-form")
@pytest.mark.parametrize(("era", "name"), RESULTS)
def test_a_client_that_accepts_only_events_gets_the_same_message_as_an_event(
    handler: Handler, era: str, name: str
) -> None:
    send = through_handler(handler)
    session = send(initialize()).headers["mcp-session-id"]
    sent = initialize() if name == "initialize" else exchange(era, name, session).sent
    plain = send(sent)
    streamed = send(sent._replace(headers={**sent.headers, "accept": "text/event-stream"}))
    assert streamed.headers["content-type"] == "text/event-stream"
    assert streamed.body == b"event: message\ndata: " + plain.body + b"\n\n"
