"""Content blocks on the wire, and what a client that is too old for one is told instead."""

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

EVERY_VERSION = [*LEGACY_VERSIONS, MODERN]
SINCE_AUDIO = EVERY_VERSION[1:]
SINCE_LINKS = EVERY_VERSION[2:]
HINTS = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-07-28T00:00:00Z"}

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
PAGE = ResourceContents("book://1", "Once", "text/plain")
PAGE_WIRE = {"uri": "book://1", "mimeType": "text/plain", "text": "Once"}

IN_EVERY_VERSION: list[tuple[ContentBlock, dict[str, Any]]] = [
    (Text(""), {"type": "text", "text": ""}),
    (Text("ü", HINTS), {"type": "text", "text": "ü", "annotations": HINTS}),
    (Image(b"\xff\x00", "image/png"), {"type": "image", "data": "/wA=", "mimeType": "image/png"}),
    (
        Image(b"", "image/png", HINTS),
        {"type": "image", "data": "", "mimeType": "image/png", "annotations": HINTS},
    ),
    (EmbeddedResource(PAGE), {"type": "resource", "resource": PAGE_WIRE}),
    (EmbeddedResource(PAGE, HINTS), {"type": "resource", "resource": PAGE_WIRE, "annotations": HINTS}),
]


@pytest.mark.parametrize(("block", "expected"), IN_EVERY_VERSION)
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_text_images_and_embedded_resources_are_known_to_every_version(
    version: str, block: ContentBlock, expected: dict[str, Any]
) -> None:
    assert block_to_wire(block, version) == expected


@pytest.mark.parametrize("version", SINCE_AUDIO)
def test_audio_is_known_since_2025_03_26(version: str) -> None:
    assert block_to_wire(Audio(b"\xff\x00", "audio/wav", HINTS), version) == {
        "type": "audio",
        "data": "/wA=",
        "mimeType": "audio/wav",
        "annotations": HINTS,
    }


@pytest.mark.requirement("content-blocks")
def test_an_older_client_is_told_of_audio_in_text() -> None:
    block = block_to_wire(Audio(b"\xff\x00", "audio/wav", HINTS), "2024-11-05")

    assert block == {"type": "text", "text": "[audio, audio/wav, 2 bytes]"}


@pytest.mark.parametrize("version", SINCE_LINKS)
def test_links_are_known_since_2025_06_18(version: str) -> None:
    found = block_to_wire(LINK, version), block_to_wire(ResourceLink("a:b", "B"), version)

    assert found == (LINK_WIRE, {"type": "resource_link", "uri": "a:b", "name": "B"})


@pytest.mark.requirement("content-blocks")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26"])
def test_an_older_client_is_told_of_a_link_in_text(version: str) -> None:
    assert block_to_wire(LINK, version) == {"type": "text", "text": "One: book://1"}


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
def test_contents_are_text_or_a_blob_and_never_both(
    contents: ResourceContents, expected: dict[str, Any]
) -> None:
    assert contents_to_wire(contents) == expected


@pytest.mark.requirement("prompt-messages")
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_message_has_one_block_and_not_a_list_of_them(role: str) -> None:
    assert message_to_wire(PromptMessage(role, Text("x")), MODERN) == {
        "role": role,
        "content": {"type": "text", "text": "x"},
    }


def test_a_message_is_converted_for_older_clients_as_a_result_is() -> None:
    assert message_to_wire(PromptMessage("user", LINK), "2025-03-26") == {
        "role": "user",
        "content": {"type": "text", "text": "One: book://1"},
    }


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
def test_a_field_of_another_type_does_not_reach_the_wire(block: ContentBlock) -> None:
    with pytest.raises(TypeError):
        block_to_wire(block, MODERN)


@pytest.mark.parametrize("role", ["system", "", None, ["user"]])
def test_a_message_is_from_the_user_or_the_assistant(role: Any) -> None:
    with pytest.raises(ValueError, match="from the user or the assistant"):
        message_to_wire(PromptMessage(role, Text("x")), MODERN)
