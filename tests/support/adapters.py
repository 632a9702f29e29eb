"""A `LambdaAdapter` over a small server, stores that misbehave, and what the adapter wrote to the log."""

import json
import uuid
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from mcpcore import (
    Context,
    MemorySessions,
    NoMatch,
    Server,
    Session,
    SessionId,
    SessionStore,
    StoreUnavailable,
)
from mcpcore.http import Policy
from mcpcore.sessions.ids import ExchangeId
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import StoreAction
from mcpcore_aws.adapter import LambdaAdapter

__all__ = [
    "NOW",
    "SECRET",
    "BrokenSessions",
    "Observe",
    "SessionsAreDown",
    "UntouchableSessions",
    "Written",
    "adapter",
    "fresh_log",
    "get_sources",
    "small_server",
    "written",
]

NOW: Final = 1_800_000_000
SECRET: Final = "table-42 at 10.1.2.3"
"""The message of an exception; no client may receive it."""


def get_sources(query: str, *, context: Context) -> str:
    """Find sources."""
    if query == "nothing":
        context.count("no_matches")
        context.note("no_match", "n" * 600)
        raise NoMatch("No category matches.")
    context.count("matches")
    return f"Sources for {query}"


def broken() -> str:
    """Break."""
    raise RuntimeError(SECRET)


def small_server() -> Server:
    """A tool that finds or does not, and one with a fault."""
    server = Server("small", version="1.0")
    server.tool()(get_sources)
    server.tool()(broken)
    return server


def adapter(
    sessions: SessionStore | None = None,
    *,
    policy: Policy | None = None,
    clock: Callable[[], float] = lambda: NOW,
) -> LambdaAdapter:
    """The small server as a Lambda function; its sessions live an hour."""
    return LambdaAdapter(
        small_server(),
        sessions=sessions or MemorySessions(),
        policy=policy,
        clock=clock,
        session_ttl_seconds=3600,
    )


class _FailingSessions:
    error: Exception

    def within(self, _seconds_left: Callable[[], float], /) -> SessionStore:
        return self

    def load(self, session_id: SessionId, now: float) -> Session | None:  # noqa: ARG002  # as the protocol
        raise self.error from OSError(SECRET)

    def load_exchange(
        self,
        session_id: SessionId,  # noqa: ARG002  # as the protocol
        exchange_id: ExchangeId,  # noqa: ARG002  # as the protocol
        now: float,  # noqa: ARG002  # as the protocol
    ) -> Exchange | None:
        raise self.error from OSError(SECRET)

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:  # noqa: ARG002  # as the protocol
        raise self.error from OSError(SECRET)

    def apply(self, action: StoreAction, now: float) -> None:  # noqa: ARG002  # as the protocol
        raise self.error from OSError(SECRET)


class SessionsAreDown(_FailingSessions):
    """An unavailable store that raises the documented error."""

    error = StoreUnavailable()


class BrokenSessions(_FailingSessions):
    """A store that raises an unexpected exception."""

    error = RuntimeError(SECRET)


class UntouchableSessions(_FailingSessions):
    """A store that no request may reach."""

    error = AssertionError("the store was touched")


class Written(NamedTuple):
    """The output since the last call."""

    logs: list[dict[str, Any]]
    metrics: list[dict[str, Any]]

    def counts(self) -> dict[tuple[str, ...], float]:
        """Every count, by its name and the values of its dimensions; tool and kind of error are left out.

        Only of the first set of dimensions of each directive: the second repeats the counts with fewer.
        """
        return {
            (
                metric["Name"],
                *(blob[name] for name in _dimensions(directive) if name not in ("tool", "error")),
            ): blob[metric["Name"]]
            for blob in self.metrics
            for directive in blob["_aws"]["CloudWatchMetrics"]
            for metric in directive["Metrics"]
            if metric["Unit"] == "Count"
        }


Observe = Callable[..., Written]
"""Sends requests through one warm adapter, and gives what it wrote about them."""


def written(capsys: pytest.CaptureFixture[str]) -> Written:
    """The log lines and metrics on stdout, which has nothing else."""
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return Written([line for line in lines if "level" in line], [line for line in lines if "_aws" in line])


def fresh_log(patch: pytest.MonkeyPatch) -> None:
    """Let the next adapter log to what is stdout now: Powertools keeps one logger for each service name."""
    patch.setenv("POWERTOOLS_SERVICE_NAME", f"tests-{uuid.uuid4().hex}")
    patch.setenv("POWERTOOLS_LOG_LEVEL", "DEBUG")
    for name in ("POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_METRICS_DISABLED"):
        patch.delenv(name, raising=False)


def _dimensions(directive: dict[str, Any]) -> list[str]:
    names, _few = directive["Dimensions"]
    return [name for name in names if name != "service"]
