"""resources/list, templates and reading, in every version."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import (
    BuiltServer,
    CacheHint,
    Icon,
    McpError,
    ResourceContents,
    ResourceInfo,
    Server,
    ToolError,
)
from mcpcore.http import HttpResponse
from mcpcore.testing import Client
from tests.support.functions import returning
from tests.support.messages import LEGACY_VERSIONS, MODERN, SERVER_INFO_KEY, error, modern, result
from tests.support.servers import Wire
from tests.support.versions import EVERY_VERSION, ask

TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "shelf", "version": "1"}}}
CACHED = {"ttlMs": 5, "cacheScope": "private", **TAIL}
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


def instances() -> list[ResourceInfo]:
    """The pages that are listed."""
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
    server.resource("book://{book}/{number}", title="Pages", mime_type="text/plain", instances=instances)(
        page
    )
    server.resource("file:///{+path}")(file)
    server.resource("shelf://other", name="other")(
        returning(ResourceContents, ResourceContents("shelf://elsewhere", "x"))
    )
    server.resource("shelf://empty", name="empty")(returning(list[ResourceContents], []))
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def answered(version: str, members: dict[str, Any]) -> HttpResponse:
    return result(1, {**members, **{MODERN: CACHED}.get(version, {})})


OLDEST = {"uri": "shelf://motto", "name": "Motto"}
REST = {"description": "What we live by.", "mimeType": "text/plain", "annotations": HINTS}
TITLED = {**OLDEST, "title": "The motto", **REST}
PAGES = {"uriTemplate": "book://{book}/{number}", "name": "page"}
PAGES_REST = {"description": "A page of a book.", "mimeType": "text/plain"}
FILES = {"uriTemplate": "file:///{+path}", "name": "file", "description": "A folder, with everything in it."}


@pytest.mark.requirement("resources-listed", "templates-listed")
@pytest.mark.parametrize(
    ("version", "first", "template"),
    [
        ("2024-11-05", {**OLDEST, **REST}, {**PAGES, **PAGES_REST}),
        ("2025-03-26", {**OLDEST, **REST}, {**PAGES, **PAGES_REST}),
        ("2025-06-18", TITLED, {**PAGES, "title": "Pages", **PAGES_REST}),
        ("2025-11-25", {**TITLED, "icons": [{"src": "a:b"}]}, {**PAGES, "title": "Pages", **PAGES_REST}),
        (MODERN, {**TITLED, "icons": [{"src": "a:b"}]}, {**PAGES, "title": "Pages", **PAGES_REST}),
    ],
)
def test_resources_instances_and_templates_have_the_members_that_a_version_knows(
    wire: Wire, version: str, first: dict[str, Any], template: dict[str, Any]
) -> None:
    others = [
        {"uri": "shelf://cover", "name": "cover", "mimeType": "image/jpeg"},
        {"uri": "shelf://other", "name": "other", "description": "Return a value."},
        {"uri": "shelf://empty", "name": "empty", "description": "Return a value."},
        {"uri": "book://moby/1", "name": "Moby, page 1", "size": 9},
    ]

    assert ask(wire, version, "resources/list") == answered(
        version, {"resources": [{**first, "size": 17}, *others]}
    )
    assert ask(Wire(wire.server), version, "resources/templates/list") == answered(
        version, {"resourceTemplates": [template, FILES]}
    )


@pytest.mark.requirement("resource-read")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("uri", "contents"),
    [
        ("shelf://motto", [{"uri": "shelf://motto", "mimeType": "text/plain", "text": "Three are enough."}]),
        ("shelf://cover", [{"uri": "shelf://cover", "mimeType": "image/jpeg", "blob": "/9g="}]),
        ("book://moby/1", [{"uri": "book://moby/1", "mimeType": "text/plain", "text": "Page 1 of moby"}]),
        ("book://a%20b/1", [{"uri": "book://a%20b/1", "mimeType": "text/plain", "text": "Page 1 of a b"}]),
        ("shelf://other", [{"uri": "shelf://elsewhere", "text": "x"}]),
        (
            "file:///x/y",
            [
                {"uri": "file:///x/y/a", "mimeType": "text/plain", "text": "a"},
                {"uri": "file:///x/y/b", "blob": "Yg=="},
            ],
        ),
    ],
)
def test_a_resource_is_read_under_its_uri_listed_or_not(
    wire: Wire, version: str, uri: str, contents: list[dict[str, Any]]
) -> None:
    assert ask(wire, version, "resources/read", {"uri": uri}) == answered(version, {"contents": contents})


MISSING = [
    *("shelf://nope", "shelf://MOTTO", "shelf://motto/", "shelf://empty", ""),
    *("book://moby/2", "book://moby/1/2", "book://{book}/{number}"),
]


@pytest.mark.requirement("resource-missing-before", "resource-missing")
@pytest.mark.parametrize(
    ("version", "code", "uris"),
    [
        *((version, -32002, [*MISSING, " shelf://motto", "line\nbreak"]) for version in LEGACY_VERSIONS),
        (MODERN, -32602, MISSING),
    ],
)
def test_a_missing_resource_has_a_code_of_its_own_in_the_legacy_era_only(
    wire: Wire, version: str, code: int, uris: list[str]
) -> None:
    answers = [ask(Wire(wire.server), version, "resources/read", {"uri": uri}) for uri in uris]

    assert answers == [error(200, 1, code, f"Resource not found: {uri}", data={"uri": uri}) for uri in uris]


@pytest.mark.requirement("resource-uri")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 1}, {"uri": ["shelf://motto"]}])
def test_a_uri_that_is_not_a_string_is_invalid_params(
    wire: Wire, version: str, params: dict[str, Any]
) -> None:
    answer = ask(wire, version, "resources/read", params)

    assert answer == error(200, 1, -32602, "Invalid params: uri must be a string")


def with_one(function: Callable[..., Any]) -> Server:
    """A server with one resource, a:b."""
    server = Server("s", version="1")
    server.resource("a:b")(function)
    return server


def raising(failure: Exception) -> Callable[[], str]:
    def read() -> str:
        raise failure

    return read


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (RuntimeError("secret"), error(200, 1, -32603, "Internal error")),
        (ToolError("Not today."), error(200, 1, -32602, "Not today.")),
        (McpError("Exactly so.", {"x": 1}), error(200, 1, -32603, "Exactly so.", data={"x": 1})),
    ],
)
def test_an_exception_is_an_internal_error_and_an_error_of_the_protocol_keeps_its_code(
    version: str, failure: Exception, expected: HttpResponse
) -> None:
    assert ask(Wire(with_one(raising(failure))), version, "resources/read", {"uri": "a:b"}) == expected


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (raising(RuntimeError("secret")), "RuntimeError('secret')"),
        (returning(str, 5), "TypeError('the resource a:b returned int, not resource contents')"),
        (
            returning(list[ResourceContents], ["x"]),
            "TypeError('the resource a:b returned list, not resource contents')",
        ),
        (returning(ResourceContents, ResourceContents("a:b", 5)), "TypeError("),  # type: ignore[arg-type]  # the fault
        (returning(ResourceContents, ResourceContents(5, "x")), "TypeError("),  # type: ignore[arg-type]  # the fault
        (
            returning(ResourceContents, ResourceContents("a:b", "x", b"y")),  # type: ignore[arg-type]  # the fault
            "TypeError(",
        ),
    ],
)
def test_contents_that_cannot_be_sent_are_an_internal_error_with_the_cause_for_the_log(
    function: Callable[..., Any], cause: str
) -> None:
    wire = Wire(with_one(function))
    request = modern("resources/read", {"uri": "a:b"})
    record = wire.outcome(request).record

    assert wire.send(request) == error(200, 1, -32603, "Internal error")
    assert (record.error, repr(record.cause)[: len(cause)]) == ("HandlerCrashed", cause)


@pytest.mark.parametrize(
    ("uri", "text"), [("a:b", "exact"), ("a:c", "one segment: c"), ("a:c/d", "anything: c/d")]
)
def test_an_exact_uri_is_matched_before_templates_and_these_in_their_order(uri: str, text: str) -> None:
    def segment(name: str) -> str:
        return f"one segment: {name}"

    def anything(rest: str) -> str:
        return f"anything: {rest}"

    server = Server("shelf", version="1")
    server.resource("a:{name}")(segment)
    server.resource("a:{+rest}")(anything)
    server.resource("a:b")(returning(str, "exact"))

    assert Client(server).read_resource(uri) == [{"uri": uri, "text": text}]


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_uri_that_is_too_long_is_not_even_matched(wire: Wire, version: str) -> None:
    answer = ask(wire, version, "resources/read", {"uri": "file:///" + "/" * 8185})

    assert answer == error(200, 1, -32602, "Invalid params: uri is longer than 8192 characters")
