"""Server-sent events as complete bodies, to the byte."""

import pytest

from mcpcore.http.sse import message_events, stream_body
from mcpcore.request.outcome import Event, Stream


@pytest.mark.requirement("stream-whole-without-ids")
@pytest.mark.parametrize(
    ("messages", "body"),
    [
        ((), b""),
        ((b'{"a":1}',), b'event: message\ndata: {"a":1}\n\n'),
        ((b"{}", b"[]"), b"event: message\ndata: {}\n\nevent: message\ndata: []\n\n"),
    ],
)
def test_a_body_that_is_whole_has_events_without_ids(messages: tuple[bytes, ...], body: bytes) -> None:
    assert message_events(messages) == body


@pytest.mark.parametrize(
    ("stream", "body"),
    [
        (Stream((), None), b""),
        (Stream((Event("S.0", ""),), 500), b"id: S.0\nretry: 500\ndata: \n\n"),
        (
            Stream((Event("S.0", ""), Event("S.1", "{}"), Event("S.2", "[]")), 4000),
            b"id: S.0\nretry: 4000\ndata: \n\n"
            b"id: S.1\nevent: message\ndata: {}\n\n"
            b"id: S.2\nevent: message\ndata: []\n\n",
        ),
        (Stream((Event("S.5", "{}"),), None), b"id: S.5\nevent: message\ndata: {}\n\n"),
    ],
)
def test_every_event_of_a_stream_has_an_id_and_data_and_the_first_says_when_to_come_back(
    stream: Stream, body: bytes
) -> None:
    assert stream_body(stream) == body
