"""Content blocks on the wire, and the text that replaces those that an older version lacks."""

from typing import Any

import pytest

from mcpcore import (
    Audio,
    ContentBlock,
    EmbeddedResource,
    Image,
    PromptMessage,
    ResourceContents,
    ResourceLink,
    Text,
)
from mcpcore.protocol.content import block_to_wire, contents_to_wire, message_to_wire
from tests.support.messages import LEGACY_VERSIONS, MODERN

VERSIONS = [*LEGACY_VERSIONS, MODERN]
HINTS = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-07-28T00:00:00Z"}
PAGE = ResourceContents("book://1", "Once", "text/plain")
PAGE_WIRE = {"uri": "book://1", "mimeType": "text/plain", "text": "Once"}
LINK = ResourceLink("book://1", "One", "Title", "Described.", "text/plain", HINTS)
LINK_WIRE = {
    "type": "resource_link",
    "uri": "book://1",
    "name": "One",
    "title": "Title",
    "description": "Described.",
    "mimeType": "text/plain",
    "annotations": HINTS,
}
BYTES = {"data": "/wA=", "annotations": HINTS}


@pytest.mark.requirement("content-blocks")
@pytest.mark.parametrize(
    ("block", "since", "expected", "before"),
    [
        (Text(""), "2024-11-05", {"type": "text", "text": ""}, ""),
        (Text("ü", HINTS), "2024-11-05", {"type": "text", "text": "ü", "annotations": HINTS}, ""),
        (
            Image(b"\xff\x00", "image/png", HINTS),
            "2024-11-05",
            {"type": "image", "mimeType": "image/png", **BYTES},
            "",
        ),
        (
            EmbeddedResource(PAGE, HINTS),
            "2024-11-05",
            {"type": "resource", "resource": PAGE_WIRE, "annotations": HINTS},
            "",
        ),
        (
            Audio(b"\xff\x00", "audio/wav", HINTS),
            "2025-03-26",
            {"type": "audio", "mimeType": "audio/wav", **BYTES},
            "[audio, audio/wav, 2 bytes]",
        ),
        (LINK, "2025-06-18", LINK_WIRE, "One: book://1"),
        (
            ResourceLink("a:b", "B"),
            "2025-06-18",
            {"type": "resource_link", "uri": "a:b", "name": "B"},
            "B: a:b",
        ),
    ],
)
def test_a_block_is_sent_to_every_version_that_has_it_and_to_others_as_text(
    block: ContentBlock, since: str, expected: dict[str, Any], before: str
) -> None:
    first = VERSIONS.index(since)

    assert [block_to_wire(block, version) for version in VERSIONS[first:]] == [expected] * (5 - first)
    assert [block_to_wire(block, version) for version in VERSIONS[:first]] == [
        {"type": "text", "text": before}
    ] * first


@pytest.mark.requirement("resource-contents")
@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (PAGE, PAGE_WIRE),
        (ResourceContents("a:b", ""), {"uri": "a:b", "text": ""}),
        (ResourceContents("a:b", b""), {"uri": "a:b", "blob": ""}),
        (
            ResourceContents("a:b", b"\xfb\xff", "image/png"),
            {"uri": "a:b", "mimeType": "image/png", "blob": "+/8="},
        ),
    ],
)
def test_contents_are_text_or_a_blob(contents: ResourceContents, expected: dict[str, Any]) -> None:
    assert contents_to_wire(contents) == expected


@pytest.mark.requirement("prompt-messages")
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_message_has_one_block_that_its_version_has(role: str) -> None:
    def sent(block: ContentBlock, version: str) -> dict[str, Any]:
        return message_to_wire(PromptMessage(role, block), version)

    assert sent(Text("x"), MODERN) == {"role": role, "content": {"type": "text", "text": "x"}}
    assert sent(LINK, "2025-03-26") == {"role": role, "content": {"type": "text", "text": "One: book://1"}}


@pytest.mark.parametrize(
    "block",
    [
        Text(5),  # type: ignore[arg-type]  # the fault under test
        Image("x", "image/png"),  # type: ignore[arg-type]  # the fault under test
        Image(b"x", None),  # type: ignore[arg-type]  # the fault under test
        Audio(b"x", 5),  # type: ignore[arg-type]  # the fault under test
        ResourceLink("a:b", None),  # type: ignore[arg-type]  # the fault under test
        ResourceLink("a:b", "B", title=5),  # type: ignore[arg-type]  # the fault under test
        Text("x", 5),  # type: ignore[arg-type]  # the fault under test
    ],
)
def test_a_field_of_another_type_is_refused(block: ContentBlock) -> None:
    with pytest.raises(TypeError):
        block_to_wire(block, MODERN)


@pytest.mark.parametrize("role", ["system", "", None, ["user"]])
def test_a_message_is_from_the_user_or_the_assistant(role: Any) -> None:
    with pytest.raises(ValueError, match="from the user or the assistant"):
        message_to_wire(PromptMessage(role, Text("x")), MODERN)
