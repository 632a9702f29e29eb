"""SnapStart: hooks that run before Lambda takes a snapshot of the function, and after it restores one.

Every environment of a version starts from the same memory. So the first hook does the work that the first
requests would otherwise wait for, and leaves nothing behind that must differ between environments. Without
SnapStart no hook is registered, and a cold start costs nothing more.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from mcpcore import StoreUnavailable
from mcpcore.engine.dispatch import METHODS
from mcpcore.protocol.versions import LATEST_HANDSHAKE_VERSION, STATELESS_VERSIONS, Era
from mcpcore.request.envelope import CAPABILITIES_KEY, VERSION_KEY
from mcpcore.request.outcome import Failed, Outcome
from mcpcore_aws.errors import SnapshotRefused
from mcpcore_aws.observability import Served

__all__ = [
    "DryRequest",
    "DryRunnable",
    "NetworkClient",
    "after_restore",
    "before_snapshot",
    "register_snapstart_hooks",
]

_INITIALIZATION: Final = "AWS_LAMBDA_INITIALIZATION_TYPE"


class DryRequest(NamedTuple):
    """A request made before the snapshot, once in each era; its response is discarded.

    Name only tools that may run without a client. `headers` are those that the tool requires of modern
    clients (`Mcp-Param-…`); all others are added.
    """

    method: str
    params: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}


class NetworkClient(Protocol):
    """A client that can do slow work before its first use, and whose connections no snapshot may contain."""

    def warm_up(self) -> None:
        """Import modules and load certificates before the first use; no network access."""
        ...

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        ...


class DryRunnable(Protocol):
    """A Lambda handler that has a copy for dry runs; `LambdaAdapter` is one."""

    def dry_run_copy(self, record: Callable[[Served], None]) -> Callable[..., dict[str, Any]]:
        """The same handler with sessions of its own, which passes what it served to `record`."""
        ...


def register_snapstart_hooks(
    adapter: DryRunnable,
    requests: Sequence[DryRequest] = (),
    *,
    sessions: NetworkClient | None = None,
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Register `before_snapshot` and `after_restore` with Lambda's runtime if the function uses SnapStart.

    Lambda runs hooks before a snapshot in reverse order of registration, and hooks after a restore in order
    of registration (Lambda developer guide, "Lambda SnapStart runtime hooks for Python").
    """
    if environment.get(_INITIALIZATION) != "snap-start":
        return
    from snapshot_restore_py import register_after_restore, register_before_snapshot

    register_before_snapshot(before_snapshot, adapter, requests, sessions)
    register_after_restore(after_restore)


def before_snapshot(
    adapter: DryRunnable, requests: Sequence[DryRequest] = (), sessions: NetworkClient | None = None
) -> None:
    """Warm up `sessions` and answer `requests`, so that the first real requests import and load nothing.

    Sessions, log lines and metrics of these requests are discarded, and connections closed. An exception
    makes the publishing of the version fail; it is in the function's log.

    Raises:
        SnapshotRefused: a dry request was refused, a tool failed, or `sessions` cannot be warmed up.
    """
    import gc

    if sessions is not None:
        _warm_up(sessions)
    _send_dry_requests(adapter, requests)
    if sessions is not None:
        sessions.close()
    gc.collect()
    # The collector writes to every object that it visits, so each restored page would have to be copied.
    gc.freeze()


def after_restore() -> None:
    """Seed `random` anew: all environments restored from one snapshot share its state, and a tool may use it.

    This package takes its random numbers from the operating system. No connection is opened here: requests of
    the modern era need none, and if a hook fails or takes 10 s, Lambda drops the environment and its request.
    """
    import random

    random.seed()


def _warm_up(sessions: NetworkClient) -> None:
    try:
        sessions.warm_up()
    except StoreUnavailable as error:
        raise SnapshotRefused("warming up the session store", error.__cause__ or error) from error


def _send_dry_requests(adapter: DryRunnable, requests: Sequence[DryRequest]) -> None:
    client = _DryRunClient(adapter)
    for request in (DryRequest("server/discover"), *requests):
        client.send_modern(request)
    session = client.open_session()
    for request in (DryRequest("ping"), *requests):
        client.send_legacy(request, session)


class _DryRunClient:
    """A client of an adapter's dry-run copy, whose sessions and records are dropped with it."""

    def __init__(self, adapter: DryRunnable) -> None:
        self._records: list[Served] = []
        self._handler = adapter.dry_run_copy(self._records.append)

    def send_modern(self, request: DryRequest) -> None:
        version = STATELESS_VERSIONS[-1]
        method = METHODS.get((Era.MODERN, request.method))
        name = None if method is None else request.params.get(method.named_by)
        headers = {
            "mcp-protocol-version": version,
            "mcp-method": request.method,
            **({} if name is None else {"mcp-name": name}),
            **request.headers,
        }
        metadata = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
        self._send({**_message(request), "params": {**request.params, "_meta": metadata}}, headers)

    def open_session(self) -> str:
        client = {"name": "dry-run", "version": "1"}
        params = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": client}
        reply = self._send(_message(DryRequest("initialize", params)), {})
        session: str = reply["headers"]["mcp-session-id"]
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"}, {"mcp-session-id": session})
        return session

    def send_legacy(self, request: DryRequest, session: str) -> None:
        self._send(_message(request), {"mcp-session-id": session})

    def _send(self, message: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        event = {
            "version": "2.0",
            "requestContext": {"http": {"method": "POST"}},
            "headers": {
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
                **headers,
            },
            "body": json.dumps(message),
        }
        reply = self._handler(event, _DryContext())
        _require_success(self._records.pop().outcome)
        return reply


class _DryContext:
    """The context object of a dry request."""

    aws_request_id = "dry-run"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


def _message(request: DryRequest) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": request.method, "params": request.params}


def _require_success(outcome: Outcome) -> None:
    # A tool execution error, such as invalid arguments, is a normal result.
    record = outcome.record
    error = record.cause or (outcome.reply.error if isinstance(outcome.reply, Failed) else None)
    if error is not None:
        era = "" if record.era is None else f" of the {record.era.value} era"
        raise SnapshotRefused(
            f"the dry request {record.method} {record.tool}".rstrip() + era, error
        ) from error
