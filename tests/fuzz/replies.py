"""Events to replies: requests of both eras, one after the other, through the adapter as a Lambda function.

An input is a JSON document: a server (`product`, or a fixture with all that the API offers), an event source,
and requests with method, headers and body. A body that is a text is sent as it is, another one as JSON. Texts
such as `@session` stand for what earlier replies contained.
"""

import base64
import json
from typing import Any, Final

from mcpcore.http import Policy
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore_aws import EnvironmentReader, LambdaAdapter
from mcpcore_aws.observability import Served
from sources.catalog import open_server
from sources.settings import read_settings
from tests.fuzz.mutation import as_sent
from tests.properties.subject import NOW, ORIGIN, SECRET, SERVER
from tests.support.events import EVENT_SOURCES, captured, headers_of, with_body, with_headers
from tests.support.exchanges import LambdaContext, Reply, Sent, body_of
from tests.support.judge import judge, messages_in
from tests.support.published import baked_folder

__all__ = ["check"]

SESSION: Final = "@session"
STATE: Final = "@state"
QUESTION: Final = "@question"
EVENT: Final = "@event"

_MOST_REQUESTS: Final = 8
_STATUSES: Final = frozenset({200, 202, 204, 400, 403, 404, 405, 406, 413, 415})
_FAULTS: Final = frozenset(OutcomeKind) - {
    OutcomeKind.OK,
    OutcomeKind.NO_MATCH,
    OutcomeKind.REFUSED,
    OutcomeKind.TOOL_ERROR,
}
_BREAKING: Final = ("broken", "false_promise")
"""Parts of the names of tools, resources and prompts that fail on purpose."""

_PRODUCT: Final = "product"
_ADAPTERS: Final = {
    name: LambdaAdapter(
        server,
        policy=Policy(allowed_origins=frozenset({ORIGIN}), max_body_bytes=100_000),
        state_keys=[b"k" * 32],
        clock=lambda: NOW,
    )
    for name, server in (
        ("", SERVER),
        (_PRODUCT, open_server(read_settings(EnvironmentReader({"REGISTRY_DIR": str(baked_folder())})))),
    )
}
_EVENTS: Final = {source: captured(source) for source in EVENT_SOURCES}


class _Client:
    """What clients remember of the replies before, for their next requests."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.versions: dict[str, str] = {}
        """The version of each session."""

    def filled_in(self, value: Any) -> Any:
        """`value` with what the placeholders stand for."""
        if isinstance(value, str):
            return self.known.get(value, value)
        if isinstance(value, dict):
            return {name: self.filled_in(each) for name, each in value.items()}
        return [self.filled_in(each) for each in value] if isinstance(value, list) else value

    def remember(self, reply: Reply, messages: list[dict[str, Any]]) -> None:
        """Keep what a reply contained of session, questions, events and state."""
        if session := reply.headers.get("mcp-session-id"):
            self.known[SESSION] = session
            self.versions[session] = messages[0]["result"]["protocolVersion"]
        for line in reply.body.decode().splitlines():
            if line.startswith("id: "):
                self.known[EVENT] = line.removeprefix("id: ")
        for message in messages:
            if "method" in message and "id" in message:
                self.known[QUESTION] = message["id"]
            state = message.get("result", {}).get("requestState")
            if state is not None:
                self.known[STATE] = state


def check(data: bytes) -> None:
    """Nothing if every request in `data` is answered by the rules; `data` that is no input is passed over.

    Raises:
        AssertionError: a reply breaks a rule, or a fault was logged that no tool has on purpose.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict) or not isinstance(document.get("requests"), list):
        return
    source = document.get("source")
    event = _EVENTS.get(source, _EVENTS["http_api"]) if isinstance(source, str) else _EVENTS["http_api"]
    served: list[Served] = []
    kind = _PRODUCT if document.get("server") == _PRODUCT else ""
    adapter, client = _ADAPTERS[kind].dry_run_copy(served.append), _Client()
    breaks = any(name in data.decode("utf-8", "replace") for name in _BREAKING)
    for request in document["requests"][:_MOST_REQUESTS]:
        if isinstance(request, dict):
            sent = _sent(client.filled_in(request))
            reply = adapter(_event_of(event, sent), LambdaContext())
            (record,) = (each.outcome.record for each in served)
            if record.outcome in _FAULTS and not breaks:
                raise AssertionError(record) from record.cause
            _check_reply(sent, reply, client)
            served.clear()


def _sent(request: dict[str, Any]) -> Sent:
    body, method, headers = (request.get(name) for name in ("body", "method", "headers"))
    fields = headers if isinstance(headers, dict) else {}
    return Sent(
        as_sent(body),
        {name.lower(): value for name, value in fields.items() if isinstance(value, str)},
        method if isinstance(method, str) else "POST",
    )


def _check_reply(sent: Sent, reply: dict[str, Any], client: _Client) -> None:
    json.dumps(reply)
    assert isinstance(reply["body"], str)
    found = Reply(reply["statusCode"], headers_of(reply), body_of(reply))
    assert found.status in _STATUSES, found
    assert SECRET.encode() not in found.body
    messages = messages_in(found)
    version = client.versions.get(sent.headers.get("mcp-session-id", ""), "2025-11-25")
    for message in messages:
        version = message.get("result", {}).get("protocolVersion", version)
    judge(sent, found, version=version, resumed=_resumed(messages))
    client.remember(found, messages)


def _event_of(event: dict[str, Any], sent: Sent) -> dict[str, Any]:
    try:
        body, encoded = sent.body.decode("utf-8"), False
    except UnicodeDecodeError:
        body, encoded = base64.b64encode(sent.body).decode("ascii"), True
    made = with_headers(with_body(event, body, base64=encoded), dict(sent.headers))
    context = dict(made["requestContext"])
    if "http" in context:
        context["http"] = context["http"] | {"method": sent.method}
    return made | {"httpMethod": sent.method, "requestContext": context}


def _resumed(messages: list[dict[str, Any]]) -> str:
    """The method of the request that a GET resumes, as its result shows it."""
    result = messages[-1].get("result", {}) if messages else {}
    return (
        "resources/read" if "contents" in result else "prompts/get" if "messages" in result else "tools/call"
    )
