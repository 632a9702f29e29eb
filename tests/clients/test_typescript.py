"""The official TypeScript clients of both lines, against the served Lambda.

Each test runs one program that does one thing and tells what came of it, and what went over the wire.
"""

import json
from typing import Final

import pytest

from tests.clients.offered import CATEGORY, FOUND, RESOURCES, SERVER, TEMPLATE, TEXT, TOOLS, URI
from tests.clients.programs import run_client
from tests.clients.typescript import (
    HANDSHAKE,
    PINNED,
    STATELESS,
    VERSIONS,
    error,
    every_client,
    every_handshake_client,
    exchanges,
)
from tests.support.node import Node
from tests.support.serving import Served


@pytest.mark.parametrize("client", [*HANDSHAKE, STATELESS, PINNED])
def test_a_client_agrees_on_the_newest_version_of_its_era(node: Node, served: Served, client: str) -> None:
    assert run_client(node, client, "meet", served.url) == {
        "version": VERSIONS[client],
        "server": SERVER,
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}},
        "exchanges": exchanges(client),
    }


@every_client
def test_every_list_is_walked_to_its_end(node: Node, served: Served, client: str) -> None:
    pages = ["tools/list → 200", "prompts/list → 200", "resources/templates/list → 200"]
    assert run_client(node, client, "list", served.url) == {
        "tools": TOOLS,
        "prompts": ["research_topic"],
        "templates": [TEMPLATE],
        "resources": RESOURCES,
        "exchanges": exchanges(client, *pages, "resources/list → 200"),
    }


# The second line's client takes -32002 for what it is called in its own era.
CODES_OF_MISSING: Final = {"sdk-v1": -32002, "client-v2-legacy": -32602, STATELESS: -32602}
# A stateless client keeps what it has read for as long as the server says, and so reads once less.
READINGS: Final = dict.fromkeys(HANDSHAKE, 3) | {STATELESS: 2}


@every_client
def test_a_resource_is_read_and_a_missing_one_is_an_error(node: Node, served: Served, client: str) -> None:
    found = run_client(node, client, "read", served.url)
    (content,) = found.pop("category")
    assert json.loads(content.pop("text")) == CATEGORY
    assert content == {"uri": URI, "mimeType": "application/json"}
    none = "registry://categories/none"
    assert found == {
        "missing": error(client, CODES_OF_MISSING[client], f"Resource not found: {none}", uri=none),
        "exchanges": exchanges(client, *["resources/read → 200"] * READINGS[client]),
    }


@every_client
def test_a_prompt_comes_with_the_sources_and_wants_its_topic(node: Node, served: Served, client: str) -> None:
    found = run_client(node, client, "prompt", served.url)
    (task,) = found.pop("research")
    assert (task["role"], task["content"]["type"]) == ("user", "text")
    assert task["content"]["text"].startswith("Research this topic for me: rust\n\n")
    assert CATEGORY["sources"][0]["url"] in task["content"]["text"]
    assert found == {
        "bare": error(client, -32602, "Invalid arguments for prompt research_topic: topic is missing"),
        "exchanges": exchanges(client, "prompts/get → 200", "prompts/get → 200"),
    }


@every_client
def test_variables_and_arguments_are_completed(node: Node, served: Served, client: str) -> None:
    assert run_client(node, client, "complete", served.url) == {
        "slug": {"values": ["rust-learning"], "total": 1, "hasMore": False},
        "topic": {"values": ["rust learning"], "total": 1, "hasMore": False},
        "exchanges": exchanges(client, "completion/complete → 200", "completion/complete → 200"),
    }


@every_client
def test_a_tool_is_called_and_answers_within_its_schema(node: Node, served: Served, client: str) -> None:
    wrong = "Invalid arguments for tool get_sources: query: input should be a valid string. Correct them"
    unknown = "Unknown tool: get_everything. tools/list names the tools there are"
    assert run_client(node, client, "call", served.url) == {
        "content": [{"type": "text", "text": TEXT}],
        "structured": FOUND,
        "wrong": [True, f"{wrong} and call again."],
        "unknown": error(client, -32602, unknown),
        "exchanges": exchanges(client, "tools/list → 200", *["tools/call → 200"] * 3),
    }


BOTH_TYPES: Final = "application/json, text/event-stream"
SAID_IN_A_SESSION: Final = {"mcp-protocol-version": "2025-11-25", "mcp-session-id": "…"}


@every_handshake_client
def test_a_handshake_client_names_version_and_session_once_it_has_them(
    node: Node, asking_url: str, client: str
) -> None:
    assert run_client(node, client, "headers", asking_url) == {
        "headers": {
            "initialize": {"accept": BOTH_TYPES},
            "notifications/initialized": {"accept": BOTH_TYPES, **SAID_IN_A_SESSION},
            "listen": {"accept": "text/event-stream", **SAID_IN_A_SESSION},
            "tools/call": {"accept": BOTH_TYPES, **SAID_IN_A_SESSION},
        },
        "exchanges": exchanges(client, "tools/call → 200"),
    }


def test_a_stateless_client_names_version_method_and_tool(node: Node, asking_url: str) -> None:
    each = {"accept": BOTH_TYPES, "mcp-protocol-version": "2026-07-28"}
    assert run_client(node, STATELESS, "headers", asking_url) == {
        "headers": {
            "server/discover": {**each, "mcp-method": "server/discover"},
            "tools/call": {**each, "mcp-method": "tools/call", "mcp-name": "test_simple_text"},
        },
        "exchanges": exchanges(STATELESS, "tools/call → 200"),
    }


@every_handshake_client
def test_a_handshake_client_repeats_no_argument_in_a_header(node: Node, asking_url: str, client: str) -> None:
    assert run_client(node, client, "mirror", asking_url) == {
        "text": "Looked in Zürich",
        "repeated": [None],
        "exchanges": exchanges(client, "tools/call → 200"),
    }


def test_a_stateless_client_learns_from_a_refusal_that_an_argument_is_repeated_in_a_header(
    node: Node, asking_url: str
) -> None:
    refused = ["tools/call → 400", "tools/list → 200", "tools/call → 200"]
    assert run_client(node, STATELESS, "mirror", asking_url) == {
        "text": "Looked in Zürich",
        "repeated": [None, "=?base64?WsO8cmljaA==?="],
        "exchanges": exchanges(STATELESS, *refused),
    }


LEVEL_SET: Final = dict.fromkeys(HANDSHAKE, ("logging/setLevel → 200",)) | {STATELESS: ()}


@every_client
def test_progress_and_log_messages_come_before_the_answer(node: Node, asking_url: str, client: str) -> None:
    steps = ("Tool execution started", "Tool processing data", "Tool execution completed")
    assert run_client(node, client, "hear", asking_url) == {
        "progress": [
            {"progress": done, "total": 100, "message": f"Completed step {done} of 100"}
            for done in (0, 50, 100)
        ],
        "logged": [{"level": "info", "data": step} for step in steps],
        "exchanges": exchanges(client, "tools/call → 200", *LEVEL_SET[client], "tools/call → 200"),
    }


@every_handshake_client
def test_a_handshake_client_may_subscribe_to_a_resource(node: Node, asking_url: str, client: str) -> None:
    both = ["resources/subscribe → 200", "resources/unsubscribe → 200"]
    assert run_client(node, client, "subscribe", asking_url) == {
        "subscribed": {},
        "unsubscribed": {},
        "exchanges": exchanges(client, *both),
    }


def test_a_stateless_client_that_wants_to_listen_learns_that_nothing_will_come(
    node: Node, asking_url: str
) -> None:
    assert run_client(node, STATELESS, "subscribe", asking_url) == {
        "listening": {"honoredFilter": {}, "closed": {}},
        "exchanges": exchanges(STATELESS, "subscriptions/listen → 200"),
    }


ENDED: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "error": {
        "code": -32002,
        "message": "Server not initialized. Call initialize first.",
        "data": {"reason": "The session is unknown, expired or ended; initialize again without a session id"},
    },
}
ENDED_TEXT: Final = json.dumps(ENDED, separators=(",", ":"))
LOST: Final = {
    "sdk-v1": {
        "error": {
            "code": 404,
            "message": f"Streamable HTTP error: Error POSTing to endpoint: {ENDED_TEXT}",
        }
    },
    "client-v2-legacy": error(
        "client-v2",
        "CLIENT_HTTP_NOT_IMPLEMENTED",
        f"Error POSTing to endpoint: {ENDED_TEXT}",
        status=404,
        statusText="Not Found",
        text=ENDED_TEXT,
    ),
}


@every_handshake_client
def test_a_handshake_client_whose_session_has_ended_leaves_a_new_one_to_its_host(
    node: Node, asking_url: str, client: str
) -> None:
    opening, ending = exchanges(client)[:-1], ["tools/call → 404", "end → 404"]
    assert run_client(node, client, "lose", asking_url) == {
        "result": LOST[client],
        "kept": True,
        "exchanges": [*opening, *ending],
    }
