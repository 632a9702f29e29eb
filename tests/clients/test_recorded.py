"""Clients in other languages: what each sends, byte for byte, against the product over HTTP and stdio.

A file in `recorded` has the heads of a client's requests, with placeholders for what changes, its messages,
and what it takes as success: statuses for a notification, the standalone GET (`stream`) and DELETE (`end`),
and content types for a result.
"""

import gzip
import http.client
import json
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import pytest
import yaml

from tests.clients.offered import CATEGORY, FOUND, RESOURCES, TOOLS
from tests.clients.programs import FOLDER
from tests.support.exchanges import Reply
from tests.support.serving import Served
from tests.support.stdio import Wire, piped

Message: TypeAlias = dict[str, Any]

_PATIENCE_SECONDS: Final = 30


class Recording(NamedTuple):
    """What one client sends in one era. The last of `posts` is the head of every later POST."""

    takes: dict[str, str]
    posts: list[str]
    messages: list[str]
    stdio: list[str] | None = None  # where they differ from those over HTTP
    stream: str | None = None
    end: str | None = None


def recordings() -> dict[str, Recording]:
    """Every recording by client, version and era."""
    return {
        f"{path.stem} {era}": Recording(recorded["takes"], **sent)
        for path in sorted((FOLDER / "recorded").glob("*.yaml"))
        for recorded in [yaml.safe_load(path.read_text())]
        for era, sent in recorded["eras"].items()
    }


# What a client reads in a result, by the tool's name for a call and else by method, and what it has to find.
READ: Final[dict[str, Callable[[Message], object]]] = {
    "initialize": lambda result: result["protocolVersion"],
    "server/discover": lambda result: result["supportedVersions"][0],
    "tools/list": lambda result: [tool["name"] for tool in result["tools"]],
    "get_sources": lambda result: result["structuredContent"],
    "list_categories": lambda result: [item["slug"] for item in result["structuredContent"]["categories"]],
    "resources/list": lambda result: [resource["uri"] for resource in result["resources"]],
    "resources/read": lambda result: json.loads(result["contents"][0]["text"]),
    "prompts/list": lambda result: [prompt["name"] for prompt in result["prompts"]],
    "prompts/get": lambda result: [message["content"]["type"] for message in result["messages"]],
    "ping": lambda result: result,
}
FOUND_BY: Final[dict[str, object]] = {
    "initialize": "2025-11-25",
    "server/discover": "2026-07-28",
    "tools/list": TOOLS,
    "get_sources": FOUND,
    "list_categories": [uri.rpartition("/")[-1] for uri in RESOURCES[1:]],
    "resources/list": RESOURCES,
    "resources/read": CATEGORY,
    "prompts/list": ["research_topic"],
    "prompts/get": ["text"],
    "ping": {},
}

RECORDINGS: Final = recordings()

each_recording = pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS)


@each_recording
def test_what_it_posts_is_answered_as_it_expects(served: Served, recording: Recording) -> None:
    outcomes = [outcome for _, outcome in posted(served.url, recording)]
    assert outcomes == [expected(json.loads(message)) for message in recording.messages]


@pytest.mark.parametrize("client", [name for name in RECORDINGS if name.endswith(" handshake")])
def test_its_stream_is_declined_and_its_session_ended_as_it_expects(served: Served, client: str) -> None:
    recording = RECORDINGS[client]
    session = [session for session, _ in posted(served.url, recording)][-1]
    heads = {"stream": recording.stream, "end": recording.end}
    replies = {kind: exchange(served.url, head, session=session) for kind, head in heads.items() if head}
    refused = {kind: it for kind, it in replies.items() if not taken_as_success(recording, kind, it.status)}
    assert session
    assert refused == {}


@each_recording
def test_its_lines_over_stdio_are_answered_as_it_expects(recording: Recording) -> None:
    lines = recording.stdio or recording.messages
    with piped("threegood_local.stdio") as wire:
        outcomes = [told(wire, line) for line in lines]
        assert wire.end() == []
    assert outcomes == [expected(json.loads(line)) for line in lines]


def expected(request: Message) -> object:
    """What the client has to find in the result; for a notification, that it is accepted."""
    return FOUND_BY[subject(request)] if "id" in request else "accepted"


def subject(request: Message) -> str:
    """The tool's name for a call, else the method."""
    called: str = request["params"]["name"] if request["method"] == "tools/call" else request["method"]
    return called


def found(request: Message, answer: Message) -> object:
    """What the client reads in the answer; the answer itself if it is none to the request."""
    sent, echoed = request["id"], answer.get("id")
    if (echoed, type(echoed)) != (sent, type(sent)) or "result" not in answer:
        return answer
    return READ[subject(request)](answer["result"])


def told(wire: Wire, line: str) -> object:
    """What comes of one line over stdio."""
    request = json.loads(line)
    wire.send(line.encode())
    return found(request, wire.receive()) if "id" in request else "accepted"


def posted(url: str, recording: Recording) -> Iterator[tuple[str, object]]:
    """What comes of each message, and the session that it was answered in."""
    session = ""
    heads = recording.posts[:-1] + [recording.posts[-1]] * len(recording.messages)
    for head, body in zip(heads, recording.messages, strict=False):
        reply = exchange(url, head, body, session=session)
        session = reply.headers.get("mcp-session-id", session)
        yield session, outcome(recording, json.loads(body), reply)


def outcome(recording: Recording, request: Message, reply: Reply) -> object:
    """What the client takes from a reply; the reply itself if the client takes it as an error."""
    if "id" not in request:
        accepted = taken_as_success(recording, "notification", reply.status) and not reply.body
        return "accepted" if accepted else reply
    media_type = reply.headers.get("content-type", "").partition(";")[0]
    taken = reply.status == 200 and re.fullmatch(recording.takes["result"], media_type)
    return found(request, reply.message()) if taken else reply


def taken_as_success(recording: Recording, kind: str, status: int) -> bool:
    """True if the client takes the status of such a reply as success."""
    return re.fullmatch(recording.takes[kind], str(status)) is not None


def exchange(url: str, head: str, body: str = "", *, session: str) -> Reply:
    """Send one request over a connection of its own."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=_PATIENCE_SECONDS) as connection:
        connection.sendall(request_bytes(head, body.encode(), host=address.netloc, session=session))
        with http.client.HTTPResponse(connection, method=head.partition(" ")[0]) as response:
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            is_gzip = headers.get("content-encoding") == "gzip"
            content = gzip.decompress(response.read()) if is_gzip else response.read()
            return Reply(response.status, headers, content)


def request_bytes(head: str, body: bytes, *, host: str, session: str) -> bytes:
    """The request with its placeholders filled; `Mcp-Name` only for a message that names something."""
    message = json.loads(body or "{}")
    params = message.get("params", {})
    values = {
        "host": host,
        "session": session,
        "length": len(body),
        "method": message.get("method"),
        "name": params.get("name", params.get("uri")),
    }
    lines = [line for line in head.splitlines() if values["name"] or "{name}" not in line]
    if "Transfer-Encoding: chunked" in lines:
        body = b"%X\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return "\r\n".join([*lines, "", ""]).format(**values).encode() + body
