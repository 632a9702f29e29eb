"""The built function where Lambda takes a snapshot: its hooks, called by Lambda's own runtime client."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.support.artifact import PYTHON, Artifact
from tests.support.credentials import Giver, giving_credentials
from tests.support.dynamodb import account_at, fresh_table, items_of, use_dynamodb
from tests.support.emulator import Emulator, running, runtime_packages
from tests.support.exchanges import Reply, Sent, initialize, legacy, modern, through_handler
from tests.support.http_api import event
from tests.support.processes import ROOT, plain_environment
from tests.support.published import NAMES_OF_NAMED
from tests.support.recording import record

pytestmark = pytest.mark.artifact

SNAPSHOT: Final = ROOT / "tests" / "support" / "snapshot"
CALL: Final[dict[str, Any]] = {
    "name": "get_sources",
    "arguments": {"query": f"a guide to {NAMES_OF_NAMED[0]}"},
}
NO_PROFILE: Final = {"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}


class Restored(NamedTuple):
    """An environment that goes on from a snapshot, once it is invoked."""

    emulator: Emulator
    report: Path
    log: Path

    def send(self, sent: Sent) -> tuple[Reply, list[str]]:
        """The reply, and what the request has imported."""
        imported: list[str] = []

        def invoke(made: dict[str, Any], _: object) -> dict[str, Any]:
            answer = self.emulator.invoke(made)
            imported.extend(answer["imported"])
            return answer

        return through_handler(invoke)(sent), imported

    def written(self) -> list[dict[str, Any]]:
        """The log lines and metrics so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]


@pytest.fixture(scope="module")
def table(dynamodb: str) -> str:
    """A sessions table that only these tests write to."""
    with pytest.MonkeyPatch.context() as patch:
        use_dynamodb(patch, dynamodb)
        return fresh_table(dynamodb)


@pytest.fixture
def giver() -> Iterator[Giver]:
    with giving_credentials() as giving:
        yield giving


def variables(artifact: Artifact, dynamodb: str, table: str) -> dict[str, str]:
    """The function's own, in an account without profiles."""
    return {
        **account_at(dynamodb),
        **NO_PROFILE,
        "SESSIONS_TABLE": table,
        "REGISTRY_DIR": str(artifact.opt / "registry"),
        "POWERTOOLS_SERVICE_NAME": "three-good-sources",
    }


@contextmanager
def environment(artifact: Artifact, folder: Path, **more: str) -> Iterator[Restored]:
    report, log = folder / "snapshot.json", folder / "function.log"
    with running(
        PYTHON,
        task=artifact.task,
        opt=artifact.opt,
        handler="snapshot_probe.lambda_handler",
        variables={**more, "SNAPSHOT_REPORT": str(report)},
        log=log,
        client=(SNAPSHOT / "snapshot_runtime.py",),
        observe=record,
    ) as emulator:
        yield Restored(emulator, report, log)


@pytest.fixture
def restored(
    artifact: Artifact, dynamodb: str, table: str, giver: Giver, tmp_path: Path
) -> Iterator[Restored]:
    settings = {**variables(artifact, dynamodb, table), **giver.variables}
    with environment(artifact, tmp_path, **settings) as made:
        yield made


def ranks(reply: Reply) -> list[int]:
    return [source["rank"] for source in reply.message()["result"]["structuredContent"]["sources"]]


def test_a_first_request_of_2026_07_28_is_answered_and_imports_nothing(restored: Restored) -> None:
    reply, imported = restored.send(modern("tools/call", **CALL))
    assert (ranks(reply), imported) == ([1, 2, 3], [])


@pytest.mark.parametrize(
    "arguments", [{"query": "how do i lern cookng"}, {"query": 5}, {"query": "learn", "limit": 3}]
)
def test_a_first_call_with_a_misspelt_query_or_invalid_arguments_imports_nothing(
    restored: Restored, arguments: dict[str, Any]
) -> None:
    reply, imported = restored.send(modern("tools/call", name="get_sources", arguments=arguments))
    assert (reply.status, imported) == (200, [])


def test_a_first_session_is_opened_and_used_and_imports_nothing(
    restored: Restored, giver: Giver, dynamodb: str, table: str
) -> None:
    before = ids(dynamodb, table)

    opened, by_opening = restored.send(initialize())
    session = opened.headers["mcp-session-id"]
    called, by_calling = restored.send(legacy("tools/call", session=session, **CALL))

    assert (ranks(called), by_opening, by_calling) == ([1, 2, 3], [], [])
    assert ids(dynamodb, table) - before == {session}
    assert giver.asked == ["restored"]


def test_a_snapshot_holds_no_socket_and_no_thread(restored: Restored) -> None:
    restored.send(modern("tools/list"))
    assert json.loads(restored.report.read_bytes()) == {"sockets": [], "threads": 1}


def test_priming_stores_no_session_asks_for_no_credentials_and_writes_nothing(
    restored: Restored, giver: Giver, dynamodb: str, table: str
) -> None:
    before = ids(dynamodb, table)

    restored.send(modern("tools/list"))

    assert (ids(dynamodb, table), giver.asked) == (before, [])
    (line,) = restored.written()
    assert line["method"] == "tools/list"
    assert (line["mcp_requests_total"], line["mcp_cold_starts_total"]) == (1, 1)


def test_an_error_before_the_snapshot_fails_the_version_with_its_reason(
    artifact: Artifact, dynamodb: str, table: str, tmp_path: Path
) -> None:
    settings = {**variables(artifact, dynamodb, table), "AWS_ENDPOINT_URL_DYNAMODB": "ftp://nowhere"}
    with environment(artifact, tmp_path, **settings) as refused:
        answer = refused.emulator.invoke(event(None, {}))
    assert answer["errorType"] == "SnapshotRefused"
    assert answer["errorMessage"] == (
        "no snapshot may be taken: warming up the session store failed: "
        "NotConfigured: the endpoint's URL must be http or https"
    )
    assert answer["errorMessage"] in refused.log.read_text()
    assert not refused.report.exists()


def test_two_environments_of_one_snapshot_draw_differently(
    artifact: Artifact, dynamodb: str, table: str, giver: Giver
) -> None:
    folders = (artifact.task, artifact.opt / "python", runtime_packages(PYTHON))
    sent = initialize()
    ended = subprocess.run(
        [PYTHON.path, "-S", SNAPSHOT / "snapshot_copies.py"],
        env={
            **{name: value for name, value in plain_environment().items() if not name.startswith("AWS_")},
            **variables(artifact, dynamodb, table),
            **giver.variables,
            "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
            "PYTHONPATH": ":".join(map(str, folders)),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        input=json.dumps({**event(None, dict(sent.headers)), "body": sent.body.decode()}),
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = (json.loads(line) for line in ended.stderr.splitlines())
    assert first.pop("captured") == second.pop("captured")
    assert [name for name in first if first[name] == second[name]] == []


def ids(dynamodb: str, table: str) -> set[str]:
    return {item["session_id"]["S"] for item in items_of(dynamodb, table)}
