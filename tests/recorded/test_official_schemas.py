"""The official schemas against every reply that tests/support/recording.py recorded in this run of pytest.

pytest takes folders by name, so tests/clients and tests/e2e come before these. Alone, these fail.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from mcpcore.engine.dispatch import METHODS
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, SUPPORTED_VERSIONS, Era
from tests.support.exchanges import MODERN, Reply, Sent
from tests.support.judge import judge, messages_in, method_of
from tests.support.recording import exchanges

NEWEST_HANDSHAKE: Final = "2025-11-25"


class Answered(NamedTuple):
    """A result that keeps the rules: the request's method, and the version it is of."""

    version: str
    method: str


class Record:
    """Every exchange, judged in the order of the replies: sessions and streams are told by earlier ones."""

    def __init__(self, path: Path) -> None:
        self.replies = 0
        self.answered: set[Answered] = set()
        self.faults: list[str] = []
        self._versions: dict[str, str] = {}
        self._streams: dict[str, str] = {}
        for sent, reply in exchanges(path):
            self.replies += 1
            try:
                self._judge(sent, reply)
            except (AssertionError, ValueError) as fault:
                self.faults.append(f"{fault}\n  to {sent}")

    def _judge(self, sent: Sent, reply: Reply) -> None:
        version, method = self._version(sent, reply), self._method(sent)
        judged = judge(sent, reply, version=version, resumed=method)
        for event_id in _event_ids(reply):
            self._streams.setdefault(event_id.partition(".")[0], method or "")
        if judged.response is not None and "result" in judged.response and method is not None:
            modern = "resultType" in judged.response["result"]
            self.answered.add(Answered(MODERN if modern else version, method))

    def _version(self, sent: Sent, reply: Reply) -> str:
        """The version of the session, which the reply to `initialize` tells."""
        opened = reply.headers.get("mcp-session-id")
        if opened is not None and reply.status == 200:
            self._versions.setdefault(opened, messages_in(reply)[-1]["result"]["protocolVersion"])
        return self._versions.get(opened or sent.headers.get("mcp-session-id", ""), NEWEST_HANDSHAKE)

    def _method(self, sent: Sent) -> str | None:
        """The method of the request that is answered; a GET resumes the one of its stream."""
        if sent.method == "GET":
            return self._streams.get(sent.headers.get("last-event-id", "").partition(".")[0])
        return method_of(sent)


def _event_ids(reply: Reply) -> Iterator[str]:
    for line in reply.body.decode().splitlines():
        if line.startswith("id: "):
            yield line.removeprefix("id: ")


@pytest.fixture(scope="module")
def record(recorded_exchanges: Path) -> Record:
    return Record(recorded_exchanges)


@pytest.mark.requirement("schema-valid-alone", "schema-valid-session")
def test_every_reply_is_valid_by_the_official_schema_of_its_version(record: Record) -> None:
    assert record.faults == []
    assert record.replies > 0, "no reply is recorded: run tests/clients and tests/e2e before these"


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_every_method_of_every_version_is_among_the_replies(record: Record, version: str) -> None:
    era = Era.LEGACY if version in HANDSHAKE_VERSIONS else Era.MODERN
    offered = {Answered(version, method) for of_era, method in METHODS if of_era is era}
    assert offered - record.answered == set()
