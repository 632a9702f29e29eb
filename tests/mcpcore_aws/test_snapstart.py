"""Before a snapshot, requests are answered and leave nothing behind; after a restore, `random` differs."""

import gc
import json
import random
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, Server, Session, ToolError
from mcpcore.http import Policy
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.errors import SnapshotRefused
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.snapstart import DryRequest, after_restore, before_snapshot, register_snapstart_hooks
from tests.support.adapters import SECRET, UntouchableSessions, adapter, written
from tests.support.dynamodb import items_of
from tests.support.exchanges import MODERN, initialize, legacy, modern, through_handler

TYPE: Final = "AWS_LAMBDA_INITIALIZATION_TYPE"
FIND: Final = DryRequest("tools/call", {"name": "get_sources", "arguments": {"query": "rust"}})


@pytest.fixture(autouse=True)
def _collector_as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


class Steps:
    """A store's connections, and what was asked of them."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def warm_up(self) -> None:
        self.done.append("warm_up")

    def close(self) -> None:
        self.done.append("close")


def greeter(greeted: list[tuple[str, str]]) -> LambdaAdapter:
    """A tool that remembers in which version it was called, for whom."""
    server = Server("greeter", version="1")

    @server.tool()
    def greet(name: str, *, context: Context) -> str:
        """Greet."""
        greeted.append((context.protocol_version, name))
        return f"Hello, {name}!"

    return LambdaAdapter(server, sessions=MemorySessions())


def sessions_in_memory() -> set[str]:
    return {each.id for each in gc.get_objects() if isinstance(each, Session)}


def refused(handler: LambdaAdapter, *requests: DryRequest) -> SnapshotRefused:
    with pytest.raises(SnapshotRefused) as raised:
        before_snapshot(handler, requests)
    return raised.value


@pytest.mark.parametrize(
    ("initialization", "registered"),
    [({}, 0), ({TYPE: "on-demand"}, 0), ({TYPE: "provisioned-concurrency"}, 0), ({TYPE: "snap-start"}, 2)],
)
def test_hooks_are_registered_only_where_lambda_takes_a_snapshot(
    initialization: dict[str, str], registered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package that takes hooks comes with Lambda's runtime and is not installed here."""
    hooks: list[tuple[object, ...]] = []
    runtime = ModuleType("snapshot_restore_py")
    runtime.register_before_snapshot = runtime.register_after_restore = lambda *hook: hooks.append(hook)  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, runtime.__name__, runtime)
    steps, handler = Steps(), adapter()

    register_snapstart_hooks(handler, [FIND], sessions=steps, environment=initialization)

    assert hooks == [(before_snapshot, handler, [FIND], steps), (after_restore,)][:registered]
    assert steps.done == []


def test_a_dry_request_is_made_once_in_each_era_and_no_other_tool_runs() -> None:
    greeted: list[tuple[str, str]] = []
    before_snapshot(
        greeter(greeted), [DryRequest("tools/call", {"name": "greet", "arguments": {"name": "you"}})]
    )
    assert greeted == [(MODERN, "you"), ("2025-11-25", "you")]


def test_a_header_that_a_tool_demands_is_sent() -> None:
    server = Server("shop", version="1")
    schema = {
        "type": "object",
        "properties": {"store": {"type": "string", "x-mcp-header": "store"}},
        "required": ["store"],
    }
    server.load_tools(
        json.dumps([{"name": "stock", "description": "Stock", "inputSchema": schema}]),
        {"stock": lambda store: store},
    )
    handler = LambdaAdapter(server, sessions=MemorySessions())
    stock = DryRequest("tools/call", {"name": "stock", "arguments": {"store": "north"}})

    before_snapshot(handler, [stock._replace(headers={"mcp-param-store": "north"})])

    assert "HeaderMismatch" in str(refused(handler, stock))


def test_resources_and_prompts_can_be_asked_for() -> None:
    server = Server("kitchen", version="1")
    asked = []

    @server.resource("kitchen://shelf")
    def shelf() -> str:
        asked.append("shelf")
        return "milk"

    @server.prompt()
    def cook(dish: str) -> str:
        """Cook."""
        asked.append(dish)
        return f"Cook {dish}"

    before_snapshot(
        LambdaAdapter(server, sessions=MemorySessions()),
        [
            DryRequest("resources/read", {"uri": "kitchen://shelf"}),
            DryRequest("prompts/get", {"name": "cook", "arguments": {"dish": "soup"}}),
        ],
    )

    assert asked == ["shelf", "soup"] * 2


def test_nothing_is_logged_or_counted_and_the_first_request_after_it_is_cold(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = adapter()
    before_snapshot(handler, [FIND])
    assert written(capsys) == ([], [])

    send = through_handler(handler)
    send(modern("tools/list"))
    send(modern("tools/list"))

    counts = written(capsys).counts()
    assert counts["mcp_requests_total", "modern", "tools/list"] == 1
    assert counts["mcp_cold_starts_total", "modern", "tools/list"] == 1


def test_the_store_is_warmed_up_and_closed_and_receives_no_request() -> None:
    steps = Steps()
    before_snapshot(adapter(UntouchableSessions()), [FIND], steps)
    assert steps.done == ["warm_up", "close"]


def test_no_session_is_kept() -> None:
    before, handler = sessions_in_memory(), adapter()
    before_snapshot(handler, [FIND])
    gc.unfreeze()
    assert sessions_in_memory() == before
    assert through_handler(handler)(modern("tools/list")).status == 200


def test_the_handler_serves_its_own_sessions_afterwards(dynamodb: str, table: str) -> None:
    sessions = DynamoDBSessions(table)
    handler = adapter(sessions)
    before_snapshot(handler, [FIND], sessions)
    assert items_of(dynamodb, table) == []

    send = through_handler(handler)
    session = send(initialize()).headers["mcp-session-id"]

    assert send(legacy("ping", session=session)).status == 200
    assert [item["session_id"]["S"] for item in items_of(dynamodb, table)] == [session]


def test_dry_requests_pass_the_lists_of_hosts_and_origins() -> None:
    before_snapshot(adapter(policy=Policy(frozenset({"https://mcp.example"}), frozenset({"mcp.example"}))))


@pytest.mark.parametrize("query", ["nothing", 5])
def test_a_tool_execution_error_is_a_normal_result(query: object) -> None:
    before_snapshot(
        adapter(), [DryRequest("tools/call", {"name": "get_sources", "arguments": {"query": query}})]
    )


@pytest.mark.parametrize(
    ("tool", "story"),
    [
        ("get_source", " of the modern era failed: InvalidParams: Unknown tool: get_source"),
        ("broken", f" broken of the modern era failed: RuntimeError: {SECRET}"),
    ],
)
def test_a_failed_dry_request_fails_the_snapshot_and_is_named(tool: str, story: str) -> None:
    error = refused(adapter(), DryRequest("tools/call", {"name": tool}))
    assert str(error).startswith(f"no snapshot may be taken: the dry request tools/call{story}")
    assert error.__cause__ is error.error


def test_a_fault_of_the_legacy_era_alone_is_found() -> None:
    server = Server("old", version="1")

    @server.tool()
    def old(*, context: Context) -> str:
        """Break."""
        if context.protocol_version != MODERN:
            raise RuntimeError("too old")
        raise ToolError("all is well")

    error = refused(
        LambdaAdapter(server, sessions=MemorySessions()), DryRequest("tools/call", {"name": "old"})
    )

    assert "tools/call old of the legacy era failed: RuntimeError: too old" in str(error)


def test_an_unconfigured_store_fails_the_snapshot_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(
        SnapshotRefused, match="warming up the session store failed: NotConfigured: AWS_REGION"
    ):
        before_snapshot(adapter(), [], DynamoDBSessions("sessions"))


def test_random_is_reseeded_after_a_restore() -> None:
    captured: Any = random.getstate()
    after_restore()
    first = random.random()
    random.setstate(captured)
    after_restore()
    assert random.random() != first
