"""The resources/ methods in every revision: lists, templates, reading, and subscribing to nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import (
    BuiltServer,
    CacheHint,
    Context,
    Icon,
    McpError,
    ResourceContents,
    ResourceInfo,
    Server,
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
from tests.support.servers import Wire, full_server

TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "shelf", "version": "1"}}}
KEPT = {"ttlMs": 5, "cacheScope": "private", **TAIL}
HINTS = {"audience": ["user"], "priority": 1}


def motto() -> str:
    """What we live by."""
    return "Three are enough."


def cover() -> bytes:
    return b"\xff\xd8"


def page(book: str, number: str) -> str | None:
    """A page of a book."""
    return {"1": f"Page 1 of {book}"}.get(number)


def file(path: str) -> list[ResourceContents]:
    """A folder, with everything in it."""
    return [
        ResourceContents(f"file:///{path}/a", "a", "text/plain"),
        ResourceContents(f"file:///{path}/b", b"b"),
    ]


def other() -> ResourceContents:
    """Something under another name."""
    return ResourceContents("shelf://elsewhere", "x")


def empty() -> list[ResourceContents]:
    """Nothing."""
    return []


def who(*, context: Context) -> str:
    """Who asks."""
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


def shown() -> list[ResourceInfo]:
    """The pages that lists show."""
    return [ResourceInfo("book://moby/1", "Moby, page 1", size=9)]


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with resources of every kind."""
    server = Server("shelf", version="1", cache=CacheHint(5, "private"))
    server.resource(
        "shelf://motto",
        name="Motto",
        title="The motto",
        mime_type="text/plain",
        size=17,
        annotations=HINTS,
        icons=[Icon("a:b")],
    )(motto)
    server.resource("shelf://cover", mime_type="image/jpeg")(cover)
    server.resource("book://{book}/{number}", title="Pages", mime_type="text/plain", instances=shown)(page)
    server.resource("file:///{+path}")(file)
    for function in (other, empty, who, broken, refusing, promising):
        server.resource(f"shelf://{function.__name__}")(function)
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


def record(version: str, members: dict[str, Any], tail: dict[str, Any]) -> HttpResponse:
    return result(1, {**members, **{MODERN: tail}.get(version, {})})


OLDEST = {"uri": "shelf://motto", "name": "Motto"}
REST = {"description": "What we live by.", "mimeType": "text/plain", "annotations": HINTS}
MOTTO = {
    "2024-11-05": {**OLDEST, **REST, "size": 17},
    "2025-03-26": {**OLDEST, **REST, "size": 17},
    "2025-06-18": {**OLDEST, "title": "The motto", **REST, "size": 17},
    "2025-11-25": {**OLDEST, "title": "The motto", **REST, "icons": [{"src": "a:b"}], "size": 17},
    MODERN: {**OLDEST, "title": "The motto", **REST, "icons": [{"src": "a:b"}], "size": 17},
}
OTHERS = [
    {"uri": "shelf://cover", "name": "cover", "mimeType": "image/jpeg"},
    {"uri": "shelf://other", "name": "other", "description": "Something under another name."},
    {"uri": "shelf://empty", "name": "empty", "description": "Nothing."},
    {"uri": "shelf://who", "name": "who", "description": "Who asks."},
    {"uri": "shelf://broken", "name": "broken", "description": "Break."},
    {"uri": "shelf://refusing", "name": "refusing", "description": "Say no."},
    {
        "uri": "shelf://promising",
        "name": "promising",
        "description": "Give something else than is promised.",
    },
    {"uri": "book://moby/1", "name": "Moby, page 1", "size": 9},
]


@pytest.mark.requirement("resources-listed")
@pytest.mark.parametrize("version", MOTTO)
def test_a_list_has_the_fixed_resources_and_then_the_instances_as_the_version_knows_them(
    wire: Wire, version: str
) -> None:
    expected = {"resources": [MOTTO[version], *OTHERS]}

    assert ask(wire, version, "resources/list") == record(version, expected, KEPT)


TITLES = {"2025-06-18": {"title": "Pages"}, "2025-11-25": {"title": "Pages"}, MODERN: {"title": "Pages"}}


@pytest.mark.requirement("templates-listed")
@pytest.mark.parametrize("version", MOTTO)
def test_templates_are_listed_apart(wire: Wire, version: str) -> None:
    pages = {
        "uriTemplate": "book://{book}/{number}",
        "name": "page",
        **TITLES.get(version, {}),
        "description": "A page of a book.",
        "mimeType": "text/plain",
    }
    files = {
        "uriTemplate": "file:///{+path}",
        "name": "file",
        "description": "A folder, with everything in it.",
    }

    answer = ask(wire, version, "resources/templates/list")

    assert answer == record(version, {"resourceTemplates": [pages, files]}, KEPT)


READ: dict[str, list[dict[str, Any]]] = {
    "shelf://motto": [{"uri": "shelf://motto", "mimeType": "text/plain", "text": "Three are enough."}],
    "shelf://cover": [{"uri": "shelf://cover", "mimeType": "image/jpeg", "blob": "/9g="}],
    "book://moby/1": [{"uri": "book://moby/1", "mimeType": "text/plain", "text": "Page 1 of moby"}],
    "book://a%20b/1": [{"uri": "book://a%20b/1", "mimeType": "text/plain", "text": "Page 1 of a b"}],
    "shelf://other": [{"uri": "shelf://elsewhere", "text": "x"}],
    "file:///x/y": [
        {"uri": "file:///x/y/a", "mimeType": "text/plain", "text": "a"},
        {"uri": "file:///x/y/b", "blob": "Yg=="},
    ],
}


@pytest.mark.requirement("resource-read")
@pytest.mark.parametrize("uri", READ)
@pytest.mark.parametrize("version", MOTTO)
def test_a_resource_is_read_under_its_uri_listed_or_not(wire: Wire, version: str, uri: str) -> None:
    answer = ask(wire, version, "resources/read", {"uri": uri})

    assert answer == record(version, {"contents": READ[uri]}, KEPT)


@pytest.mark.parametrize("version", MOTTO)
def test_a_resource_can_see_who_asks(wire: Wire, version: str) -> None:
    answer = ask(wire, version, "resources/read", {"uri": "shelf://who"})

    assert answer == record(version, {"contents": [{"uri": "shelf://who", "text": version}]}, KEPT)


MISSING = [
    "shelf://nope",
    "shelf://MOTTO",
    "shelf://motto/",
    " shelf://motto",
    "book://moby/2",
    "book://moby/1/2",
    "book://{book}/{number}",
    "shelf://empty",
    "",
    "line\nbreak",
]


@pytest.mark.requirement("resource-missing-before")
@pytest.mark.parametrize("uri", MISSING)
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_what_is_not_there_has_a_code_of_its_own_in_the_legacy_era(
    wire: Wire, version: str, uri: str
) -> None:
    answer = ask(wire, version, "resources/read", {"uri": uri})

    assert answer == error(200, 1, -32002, f"Resource not found: {uri}", data={"uri": uri})


@pytest.mark.requirement("resource-missing")
@pytest.mark.parametrize("uri", [uri for uri in MISSING if uri.isprintable() and uri == uri.strip()])
def test_what_is_not_there_is_invalid_params_in_the_modern_era(wire: Wire, uri: str) -> None:
    answer = ask(wire, MODERN, "resources/read", {"uri": uri})

    assert answer == error(200, 1, -32602, f"Resource not found: {uri}", data={"uri": uri})


@pytest.mark.requirement("resource-uri")
@pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 1}, {"uri": ["shelf://motto"]}])
@pytest.mark.parametrize("version", MOTTO)
def test_a_uri_that_is_no_string_is_invalid_params(wire: Wire, version: str, params: dict[str, Any]) -> None:
    answer = ask(wire, version, "resources/read", params)

    assert answer == error(200, 1, -32602, "Invalid params: uri must be a string")


@pytest.mark.parametrize(
    ("uri", "text", "cause"),
    [
        ("shelf://broken", "Internal error", "RuntimeError('secret')"),
        (
            "shelf://promising",
            "Internal error",
            "TypeError('the resource shelf://promising gave int, which is no contents')",
        ),
    ],
)
@pytest.mark.parametrize("version", MOTTO)
def test_a_resource_that_fails_is_an_error_and_its_cause_is_for_the_edge(
    wire: Wire, version: str, uri: str, text: str, cause: str
) -> None:
    assert ask(wire, version, "resources/read", {"uri": uri}) == error(200, 1, -32603, text)
    assert repr(wire.outcome(modern("resources/read", {"uri": uri})).record.cause) == cause


@pytest.mark.requirement("subscribe")
@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe"])
@pytest.mark.parametrize("uri", ["book://motto", "book://nope"])
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_subscribing_answers_an_empty_object_whatever_and_however_often(
    version: str, uri: str, method: str
) -> None:
    wire = Wire(full_server())
    wire.send(initialize(version))

    answers = [wire.send(legacy(method, {"uri": uri})) for _ in range(2)]

    assert answers == [result(1, {}), result(1, {})]


@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe"])
def test_subscribing_to_no_uri_is_invalid_params(method: str) -> None:
    wire = Wire(full_server())
    wire.send(initialize())

    assert wire.send(legacy(method, {})) == error(200, 1, -32602, "Invalid params: uri must be a string")


def test_an_error_of_the_protocol_that_a_resource_raises_keeps_its_code() -> None:
    def raising() -> str:
        raise McpError("Exactly so.", {"x": 1})

    server = Server("s", version="1")
    server.resource("a:b")(raising)

    answer = Wire(server).send(modern("resources/read", {"uri": "a:b"}))

    assert answer == error(200, 1, -32603, "Exactly so.", data={"x": 1})


@pytest.mark.parametrize(
    ("uri", "text"), [("a:b", "exact"), ("a:c", "one segment: c"), ("a:c/d", "anything: c/d")]
)
def test_an_exact_uri_comes_before_templates_and_these_in_their_order(uri: str, text: str) -> None:
    def exact() -> str:
        return "exact"

    def segment(name: str) -> str:
        return f"one segment: {name}"

    def anything(rest: str) -> str:
        return f"anything: {rest}"

    server = Server("shelf", version="1", cache=CacheHint(5, "private"))
    server.resource("a:{name}")(segment)
    server.resource("a:{+rest}")(anything)
    server.resource("a:b")(exact)

    answer = Wire(server).send(modern("resources/read", {"uri": uri}))

    assert answer == result(1, {"contents": [{"uri": uri, "text": text}], **KEPT})


@pytest.mark.parametrize("version", MOTTO)
def test_a_resource_that_says_no_is_an_error_of_the_params(wire: Wire, version: str) -> None:
    answer = ask(wire, version, "resources/read", {"uri": "shelf://refusing"})

    assert answer == error(200, 1, -32602, "Not today.")


@pytest.mark.parametrize(
    "returned",
    [
        ResourceContents("a:b", 5),  # type: ignore[arg-type]  # the fault under test
        ResourceContents(5, "x"),  # type: ignore[arg-type]  # the fault under test
        ResourceContents("a:b", "x", b"y"),  # type: ignore[arg-type]  # the fault under test
    ],
)
def test_contents_that_the_wire_has_not_are_an_internal_error(returned: ResourceContents) -> None:
    server = Server("s", version="1")
    server.resource("a:b")(lambda: returned)

    answer = Wire(server).send(modern("resources/read", {"uri": "a:b"}))

    assert answer == error(200, 1, -32603, "Internal error")


@pytest.mark.parametrize("version", MOTTO)
def test_a_uri_that_is_too_long_is_not_even_matched(version: str) -> None:
    def anything(rest: str) -> str:
        raise AssertionError(rest)

    server = Server("s", version="1")
    server.resource("a:{+rest}")(anything)

    answer = ask(Wire(server), version, "resources/read", {"uri": "a:" + "/" * 8191})

    assert answer == error(200, 1, -32602, "Invalid params: uri is longer than 8192 characters")
