"""One log line and a few metrics for each request, through Powertools.

What a client says of itself is bounded before it becomes a dimension, and arguments are never logged.
"""

import hashlib
import json
import logging
import os
import re
from functools import partial
from typing import Any, Final, NamedTuple

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from mcpcore.dispatch import METHODS, NOTIFICATIONS
from mcpcore.errormap import reply_to
from mcpcore.errors import SessionError
from mcpcore.outcome import Failed, Outcome, Told
from mcpcore.sessions import End, Open, SessionId

__all__ = ["Observer", "Served"]

_DEFAULT_NAMESPACE: Final = "mcp"
_LONGEST_NOTE: Final = 500
# ASCII only: a client's words may hold what UTF-8 cannot write, and the line would be lost.
_SERIALIZER: Final = partial(json.dumps, default=str, separators=(",", ":"))
# W3C Trace Context, section 3.2
_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_KNOWN_METHODS: Final = frozenset(method for _, method in METHODS) | NOTIFICATIONS
# What belongs to a request that is counted already, or to none.
_COUNTED: Final = {
    "notification": "mcp_notifications_total",
    "answer": "mcp_answers_total",
    "resume": "mcp_resumes_total",
}


class Served(NamedTuple):
    """A request that has been answered: by which door, how fast, with what."""

    door: str
    request_id: str
    session_id: SessionId | None
    status: int
    latency_ms: float
    outcome: Outcome


class Observer:
    """Writes what happened. Service name, log level and namespace come from Powertools' own variables."""

    def __init__(self) -> None:
        self._logger = Logger(json_serializer=_SERIALIZER)
        self._silent = self._logger.log_level > logging.ERROR
        self._uncounted = os.environ.get("POWERTOOLS_METRICS_DISABLED", "").lower() in ("true", "1")
        self._namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or _DEFAULT_NAMESPACE
        self._cold = True

    def record(self, served: Served) -> None:
        """Log `served` and count it."""
        if not self._silent:
            self._log(served)
        if not self._uncounted:
            self._count(served)
        self._cold = False

    def _log(self, served: Served) -> None:
        told = served.outcome.told
        line = {**_identity(served), **_wording(told)}
        if told.cause is not None:
            self._logger.error("request failed inside", extra=line, exc_info=told.cause)
        elif told.kind == "notification":
            self._logger.debug("notification", extra=line)
        else:
            self._logger.info(told.kind, extra=line)

    def _count(self, served: Served) -> None:
        told = served.outcome.told
        metrics = self._metrics(era=_era(told), method=_bounded(told.method), tool=told.tool or "none")
        _add(metrics, _COUNTED.get(told.kind, "mcp_requests_total"))
        metrics.add_metric("mcp_latency", MetricUnit.Milliseconds, served.latency_ms)
        if self._cold:
            _add(metrics, "mcp_cold_starts_total")
        for name in _session_events(served.outcome):
            _add(metrics, name)
        for name, value in told.counts.items():
            _add(metrics, f"mcp_{name}_total", value)
        metrics.flush_metrics()
        if (code := _code(served.outcome)) != "ok":
            errors = self._metrics(code=code, error=_error(served.outcome))
            _add(errors, "mcp_errors_total")
            errors.flush_metrics()

    def _metrics(self, **dimensions: str) -> EphemeralMetrics:
        # One for each request: Powertools' shared one would mix the requests of several threads.
        metrics = EphemeralMetrics(namespace=self._namespace)
        for name, value in dimensions.items():
            metrics.add_dimension(name, value)
        return metrics


def _identity(served: Served) -> dict[str, Any]:
    session = served.session_id
    return {
        "request_id": served.request_id,
        "session": hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:16] if session else "",
        "door": served.door,
        "status": served.status,
        "latency_ms": round(served.latency_ms, 2),
        "outcome": _code(served.outcome),
        "error": _error(served.outcome),
    }


def _wording(told: Told) -> dict[str, Any]:
    notes = {"notes": {name: text[:_LONGEST_NOTE] for name, text in told.notes.items()}} if told.notes else {}
    return {
        **notes,
        "era": _era(told),
        "version": told.version,
        "method": told.method[:100],
        "tool": told.tool,
        "client": f"{told.client_name} {told.client_version}".strip(),
        "traceparent": _traceparent(told),
    }


def _traceparent(told: Told) -> str:
    """The caller's trace and span; state and baggage may hold anything, so they are not written down."""
    found = told.trace.get("traceparent", "")
    return found if _TRACEPARENT.fullmatch(found) else ""


def _era(told: Told) -> str:
    return "unknown" if told.era is None else told.era.value


def _bounded(method: str) -> str:
    return method if method in _KNOWN_METHODS else "other"


def _code(outcome: Outcome) -> str:
    if isinstance(outcome.reply, Failed):
        return str(reply_to(outcome.reply.error, outcome.told.era).code)
    return "tool_error" if outcome.told.tool_failed else "ok"


def _error(outcome: Outcome) -> str:
    """Which leaf of the error tree it was: one code stands for several of them."""
    if isinstance(outcome.reply, Failed):
        return type(outcome.reply.error).__name__
    return "ToolError" if outcome.told.tool_failed else ""


def _session_events(outcome: Outcome) -> list[str]:
    names = {Open: "mcp_sessions_opened_total", End: "mcp_sessions_ended_total"}
    happened = [names[type(action)] for action in outcome.actions if type(action) in names]
    if isinstance(outcome.reply, Failed) and isinstance(outcome.reply.error, SessionError):
        happened.append("mcp_sessions_rejected_total")
    return happened


def _add(metrics: EphemeralMetrics, name: str, value: float = 1) -> None:
    metrics.add_metric(name, MetricUnit.Count, value)
