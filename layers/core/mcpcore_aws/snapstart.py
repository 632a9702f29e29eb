"""SnapStart: what is done before Lambda takes a snapshot of the function, and after it restores one.

Every environment of a version then goes on from the same memory. So whatever the first requests would have to
wait for is done beforehand, and nothing that must differ between environments may be kept from it. Without
SnapStart nothing happens here, and an ordinary cold start pays nothing for it.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from mcpcore import StoreUnavailable
from mcpcore.protocol.versions import LATEST_HANDSHAKE_VERSION, STATELESS_VERSIONS
from mcpcore.request.outcome import Failed, Outcome
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.errors import SnapshotRefused
from mcpcore_aws.observability import Served

__all__ = ["DryRequest", "Preparable", "after_restore", "before_snapshot", "prime"]

_INITIALIZATION: Final = "AWS_LAMBDA_INITIALIZATION_TYPE"


class DryRequest(NamedTuple):
    """A request whose answer nobody gets. It is made in each era, so name only what may run unasked.

    `headers` are those that its tool demands of modern clients (`Mcp-Param-…`); the others are added.
    """

    method: str
    params: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}


class Preparable(Protocol):
    """What has work to do beforehand, and connections that no snapshot may hold."""

    def prepare(self) -> None:
        """Do what the first use would, as far as it needs neither credentials nor network."""
        ...

    def close(self) -> None:
        """Close the connections; the next use opens others."""
        ...


def prime(
    adapter: LambdaAdapter,
    requests: Sequence[DryRequest] = (),
    *,
    sessions: Preparable | None = None,
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Register `before_snapshot` and `after_restore` with Lambda's runtime, if there will be a snapshot.

    Of several hooks the runtime calls the one that was registered last first before a snapshot, and last
    after restoring (Lambda's guide, "Lambda SnapStart runtime hooks for Python").
    """
    if environment.get(_INITIALIZATION) != "snap-start":
        return
    from snapshot_restore_py import register_after_restore, register_before_snapshot

    register_before_snapshot(before_snapshot, adapter, requests, sessions)
    register_after_restore(after_restore)


def before_snapshot(
    adapter: LambdaAdapter, requests: Sequence[DryRequest] = (), sessions: Preparable | None = None
) -> None:
    """Import, read and answer what the first requests would, and keep nothing that is only theirs.

    What is raised here fails the version that is being published, and stands in the function's log.

    Raises:
        SnapshotRefused: a dry request was refused, a tool has a fault, or `sessions` cannot be prepared.
    """
    import gc

    if sessions is not None:
        _prepare(sessions)
    _rehearse(adapter, requests)
    if sessions is not None:
        sessions.close()
    gc.collect()
    # The collector writes to what it looks at, and a page that is written to is no longer the snapshot's.
    gc.freeze()


def after_restore() -> None:
    """Give this environment a randomness of its own.

    All that start from one snapshot have the state of `random` in common, which a tool may use; what is drawn
    in this package comes from the operating system. No connection is opened: requests of the modern era
    need none, and a hook that fails, or takes 10 s, takes the environment and its request along.
    """
    import random

    random.seed()


def _prepare(sessions: Preparable) -> None:
    try:
        sessions.prepare()
    except StoreUnavailable as error:
        raise SnapshotRefused("preparing the store of sessions", error.__cause__ or error) from error


def _rehearse(adapter: LambdaAdapter, requests: Sequence[DryRequest]) -> None:
    rehearsal = _Rehearsal(adapter)
    for request in (DryRequest("server/discover"), *requests):
        rehearsal.ask_modern(request)
    session = rehearsal.open_session()
    for request in (DryRequest("ping"), *requests):
        rehearsal.ask_legacy(request, session)


class _Rehearsal:
    """A client of a handler's dry_run_copy, which forgets it all together with this."""

    def __init__(self, adapter: LambdaAdapter) -> None:
        self._served: list[Served] = []
        self._handler = adapter.dry_run_copy(self._served.append)

    def ask_modern(self, request: DryRequest) -> None:
        version = STATELESS_VERSIONS[-1]
        named = request.params.get("uri" if request.method == "resources/read" else "name")
        headers = {
            "mcp-protocol-version": version,
            "mcp-method": request.method,
            **({} if named is None else {"mcp-name": named}),
            **request.headers,
        }
        metadata = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        self._send({**_message(request), "params": {**request.params, "_meta": metadata}}, headers)

    def open_session(self) -> str:
        client = {"name": "rehearsal", "version": "1"}
        hello = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": client}
        reply = self._send(_message(DryRequest("initialize", hello)), {})
        session: str = reply["headers"]["mcp-session-id"]
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"}, {"mcp-session-id": session})
        return session

    def ask_legacy(self, request: DryRequest, session: str) -> None:
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
        _require_answered(self._served.pop().outcome)
        return reply


class _DryContext:
    """What the runtime passes beside an event."""

    aws_request_id = "rehearsal"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


def _message(request: DryRequest) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": request.method, "params": request.params}


def _require_answered(outcome: Outcome) -> None:
    # What a tool says to a model is an answer, be it that the arguments do not fit.
    record = outcome.record
    error = record.cause or (outcome.reply.error if isinstance(outcome.reply, Failed) else None)
    if error is not None:
        era = "" if record.era is None else f" of the {record.era.value} era"
        raise SnapshotRefused(
            f"the dry request {record.method} {record.tool}".rstrip() + era, error
        ) from error
