"""What clients send: JSON values, messages that are valid in most places, headers of all kinds."""

import base64
import json
from typing import Any, Final

from hypothesis import strategies as st

from tests.properties.subject import ORIGIN, PROMPTS, TOOLS, URIS
from tests.support.exchanges import MODERN, Sent

__all__ = [
    "answers",
    "bodies",
    "capabilities",
    "header_soup",
    "json_values",
    "messages",
    "modern_requests",
    "named_calls",
    "texts",
]

VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, "2099-01-01", "")
METHODS: Final = (
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "tasks/get",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "rpc.discover",
)
PREFIX: Final = "io.modelcontextprotocol/"

texts = st.text(max_size=12) | st.text(st.characters(categories=["Cs", "Cc", "Zs"]), max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
ids = st.integers() | texts
capabilities = st.fixed_dictionaries(
    {},
    optional={
        "elicitation": st.sampled_from([{}, {"form": {}}, {"url": {}}, {"form": {}, "url": {}}, [], 1]),
        "sampling": st.sampled_from([{}, {"tools": {}}, None]),
        "roots": st.sampled_from([{}, {"listChanged": True}]),
    },
)
answers = (
    st.sampled_from(
        [
            {"action": "accept", "content": {"name": "Ada", "username": "ada", "email": "a@b.example"}},
            {"action": "accept", "content": {"ok": True, "color": "red", "context": "x", "user_name": "x"}},
            {"action": "accept", "content": {"name": 5}},
            {"action": "decline"},
            {"action": "cancel", "content": None},
            {"role": "assistant", "content": {"type": "text", "text": "42"}, "model": "m"},
            {"role": "assistant", "content": [{"type": "text", "text": "42"}], "model": "m"},
            {"role": "assistant", "content": {"type": "text"}, "model": "m"},
            {"roots": [{"uri": "file:///a"}]},
            {"roots": [{"uri": "file:///a", "name": "a"}, {}]},
        ]
    )
    | json_values
)

_metadata = st.fixed_dictionaries(
    {PREFIX + "protocolVersion": st.just(MODERN), PREFIX + "clientCapabilities": capabilities},
    optional={
        PREFIX + "clientInfo": json_values | st.just({"name": "tests", "version": "1"}),
        PREFIX + "logLevel": st.sampled_from(["debug", "error", "loud", None]),
        "progressToken": ids | json_values,
        "traceparent": json_values,
    },
)
_meta_soup = st.dictionaries(
    st.sampled_from(
        [PREFIX + "protocolVersion", PREFIX + "clientCapabilities", PREFIX + "logLevel", "progressToken"]
    ),
    json_values | st.sampled_from(VERSIONS),
)
_FITTING: Final[dict[str, dict[str, Any]]] = {
    "add": {"a": 1, "b": 2},
    "later": {"text": "x"},
    "numbers": {"count": 2},
    "test_elicitation": {"message": "Who?"},
    "test_sampling": {"prompt": "Why?"},
    "test_x_mcp_header": {"region": "eu"},
    "json_schema_2020_12_tool": {"name": "a", "contactMethod": "phone", "phone": "1"},
    "cook": {"dish": "tea"},
    "test_prompt_with_arguments": {"arg1": "x", "arg2": "y"},
    "test_prompt_with_embedded_resource": {"resourceUri": "test://x"},
}
_arguments = (
    st.dictionaries(st.sampled_from(["a", "b", "text", "count", "region", "message"]), scalars) | json_values
)


def _calls(names: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Calls of these by name, with valid arguments as often as with any."""
    fits = st.sampled_from(names).map(lambda name: {"name": name, "arguments": _FITTING.get(name, {})})
    return fits | st.fixed_dictionaries({"name": st.sampled_from(names)}, optional={"arguments": _arguments})


_named: Final[dict[str, st.SearchStrategy[dict[str, Any]]]] = {
    "tools/call": _calls(TOOLS),
    "prompts/get": _calls(PROMPTS),
    "resources/read": st.fixed_dictionaries({"uri": st.sampled_from(URIS) | texts}),
    "completion/complete": st.fixed_dictionaries(
        {
            "ref": st.sampled_from(
                [
                    {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
                    {"type": "ref/prompt", "name": "cook"},
                    {"type": "ref/resource", "uri": "recipe://{name}"},
                    {"type": "ref/resource", "uri": "recipe://tea"},
                ]
            )
            | json_values,
            "argument": st.fixed_dictionaries(
                {"name": st.sampled_from(["arg1", "name", "dish"]) | texts, "value": texts | scalars}
            )
            | json_values,
        },
        optional={"context": json_values | st.just({"arguments": {"arg1": "x"}})},
    ),
    "logging/setLevel": st.fixed_dictionaries({"level": st.sampled_from(["debug", "emergency", "x", 1])}),
    "initialize": st.fixed_dictionaries(
        {},
        optional={
            "protocolVersion": st.sampled_from(VERSIONS) | json_values,
            "capabilities": capabilities | json_values,
            "clientInfo": st.just({"name": "tests", "version": "1"}) | json_values,
        },
    ),
    "tools/list": st.fixed_dictionaries({}, optional={"cursor": json_values}),
    "resources/list": st.fixed_dictionaries({}, optional={"cursor": texts}),
    "server/discover": st.just({}),
    "notifications/cancelled": st.fixed_dictionaries({}, optional={"requestId": ids | json_values}),
}
named_calls = st.one_of([st.tuples(st.just(method), params) for method, params in _named.items()])
"""A method, and params that are valid more often than not."""

_members = {
    "jsonrpc": st.just("2.0") | json_values,
    "id": ids | json_values,
    "method": st.sampled_from(METHODS) | json_values,
    "params": st.fixed_dictionaries({}, optional={"_meta": _metadata | _meta_soup | json_values})
    | json_values,
    "result": json_values,
    "error": json_values,
}
message_soup = st.fixed_dictionaries({}, optional=_members)


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message that is valid in most places."""
    method, params = draw(named_calls | st.tuples(st.sampled_from(METHODS), json_values))
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if draw(st.booleans()) and isinstance(params, dict):
        message["params"] = {**params, "_meta": draw(_metadata | _meta_soup)}
    if draw(st.integers(0, 4)):
        message["id"] = draw(ids)
    return {**message, **draw(message_soup)} if draw(st.booleans()) else message


def _utf8(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


bodies = st.one_of(
    st.binary(max_size=40),
    st.one_of(json_values, message_soup, messages(), st.lists(messages(), max_size=2)).map(
        lambda value: json.dumps(value).encode()
    ),
    (json_values | message_soup | messages()).map(_utf8),
)

_CONTENT_TYPES: Final = ["application/json", "application/json; charset=utf-8", "text/plain", ""]
_ACCEPTED: Final = [
    "application/json, text/event-stream",
    "application/json",
    "text/event-stream",
    "*/*",
    "text/*;q=0",
    "image/png",
    "application/json;q=nonsense",
    "",
]
_OTHER_HEADERS: Final = {
    "origin": [ORIGIN, "null", "https://evil.example", f"{ORIGIN},{ORIGIN}"],
    "host": ["127.0.0.1", "evil.example"],
    "mcp-protocol-version": [*VERSIONS, f"{MODERN},{MODERN}", f" {MODERN}\t"],
    "mcp-session-id": ["", "a" * 32, "\x00", "ü", "a" * 500],
    "mcp-method": METHODS,
    "mcp-name": [*TOOLS, *URIS, "=?base64?YQ==?=", "=?base64?YQ?=", "=?base64??=", "=?base64?="],
    "mcp-param-region": ["eu", "=?base64?ZXU=?=", "=?base64?e?="],
    "last-event-id": ["", "a.0", "a.-1", "a.9999999999", "..", "a.1.1", "\u0661.\u0661"],
    "access-control-request-method": ["POST"],
    "access-control-request-headers": ["mcp-method, mcp-param-region", "x"],
}
header_soup = st.fixed_dictionaries(
    {
        "content-type": st.sampled_from([*_CONTENT_TYPES[:1] * 6, *_CONTENT_TYPES]) | texts,
        "accept": st.sampled_from([*_ACCEPTED[:1] * 6, *_ACCEPTED]) | texts,
    },
    optional={name: st.sampled_from(values) | texts for name, values in _OTHER_HEADERS.items()},
)
"""Headers of a request: the two that every message needs are valid more often than not."""


_retry_members: Final[st.SearchStrategy[dict[str, Any]]] = st.just({}) | st.fixed_dictionaries(
    {}, optional={"inputResponses": json_values | st.just({"question-1": {}}), "requestState": json_values}
)


@st.composite
def modern_requests(draw: st.DrawFn) -> Sent:
    """A request of 2026-07-28 whose headers agree with its body."""
    method, params = draw(named_calls)
    params = {**params, "_meta": draw(_metadata), **draw(_retry_members)}
    return mirrored({"jsonrpc": "2.0", "id": draw(ids), "method": method, "params": params})


def mirrored(message: dict[str, Any]) -> Sent:
    """The POST of a modern message, with the headers that repeat what it says."""
    params = message["params"]
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": message["method"],
    }
    name = params.get("name", params.get("uri"))
    if isinstance(name, str):
        headers["mcp-name"] = encoded(name)
    arguments = params.get("arguments")
    region = arguments.get("region") if isinstance(arguments, dict) else None
    if isinstance(region, str):
        headers["mcp-param-region"] = encoded(region)
    return Sent(json.dumps(message).encode(), headers)


def encoded(text: str) -> str:
    """`text` as a header's value, in the Base64 form."""
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'replace')).decode()}?="
