"""One line of JSON for each request, which CloudWatch reads as log and as metrics.

Names, variables and format are those of Powertools for AWS Lambda. It writes the lines of faults itself, with
their stack; all others are written here, because importing it would be a third of a cold start.
What a client says of itself is bounded before it becomes a dimension, and arguments are never logged.
"""

import hashlib
import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcpcore.engine.dispatch import METHODS, NOTIFICATIONS
from mcpcore.protocol.error_map import reply_to
from mcpcore.protocol.errors import SessionError
from mcpcore.request.outcome import Failed, Outcome, RequestRecord
from mcpcore.sessions.store import CloseSession, OpenSession, SessionId
from mcpcore_aws.log_levels import least_level
from mcpcore_aws.metrics import MILLISECONDS, MetricSet, embedded

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

__all__ = ["Observer", "Served"]

_DEFAULT_NAMESPACE: Final = "mcp"
_DEFAULT_SERVICE: Final = "service_undefined"
_LONGEST_NOTE: Final = 500
# ASCII only: a client's words may hold what UTF-8 cannot write, and the line would be lost.
_SERIALIZER: Final = json.JSONEncoder(default=str, separators=(",", ":"), check_circular=False).encode
# W3C Trace Context, section 3.2
_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_KNOWN_METHODS: Final = frozenset(method for _, method in METHODS) | NOTIFICATIONS
# What belongs to a request that is counted already, or to none.
_COUNTED: Final = {
    "notification": "mcp_notifications_total",
    "answer": "mcp_answers_total",
    "resume": "mcp_resumes_total",
}
_SESSION_EVENTS: Final = {OpenSession: "mcp_sessions_opened_total", CloseSession: "mcp_sessions_ended_total"}
_UNITS: Final = {"mcp_latency": MILLISECONDS}
_BY_REQUEST: Final = ("era", "method", "tool", "service")
_BY_ERROR: Final = ("outcome", "error", "service")


class Served(NamedTuple):
    """A request that has been answered: by which door, how fast, with what."""

    door: str
    request_id: str
    session_id: SessionId | None
    status: int
    latency_ms: float
    outcome: Outcome


class Observer:
    """Writes what happened to standard output, as Powertools' variables say.

    `POWERTOOLS_SERVICE_NAME`, `POWERTOOLS_LOG_LEVEL` or `AWS_LAMBDA_LOG_LEVEL` (the stricter one holds),
    `POWERTOOLS_METRICS_NAMESPACE` and `POWERTOOLS_METRICS_DISABLED` are read when it is made.

    Raises:
        ValueError: a level is none; the message names the variable.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._service = environment.get("POWERTOOLS_SERVICE_NAME") or _DEFAULT_SERVICE
        self._level = least_level(environment)
        self._counts = environment.get("POWERTOOLS_METRICS_DISABLED", "").lower() not in _TRUE
        self._namespace = environment.get("POWERTOOLS_METRICS_NAMESPACE") or _DEFAULT_NAMESPACE
        self._cold = True

    def record(self, served: Served) -> None:
        """Log `served` and count it."""
        record, now = served.outcome.record, time.time()
        level = _level_of(record)
        counted = self._counted(served, now) if self._counts else {}
        if level < self._level:
            if counted:
                _print({"service": self._service, **_dimensions(served.outcome), **counted})
        elif record.cause is not None:
            line = self._members(served) | counted
            self._logger.error("request failed inside", extra=line, exc_info=record.cause)
        else:
            heading = {
                "level": logging.getLevelName(level),
                "message": record.kind,
                "timestamp": _timestamp(now),
                "service": self._service,
            }
            _print({**heading, **self._members(served), **counted})
        self._cold = False

    @cached_property
    def _logger(self) -> "Logger":
        from aws_lambda_powertools import Logger

        # All Loggers of one name share level, keys and format: a tool's own Logger must not change this one.
        name = f"{self._service} faults"
        logger = Logger(name, self._level, json_serializer=_SERIALIZER, use_rfc3339=True, utc=True)
        logger.append_keys(service=self._service)
        return logger

    def _members(self, served: Served) -> dict[str, Any]:
        """All that is told of a request, no more of what a client or a tool says than a line holds."""
        record, session = served.outcome.record, served.session_id
        members = {
            **_dimensions(served.outcome),
            "request_id": served.request_id,
            "session": hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:16] if session else "",
            "door": served.door,
            "status": served.status,
            "latency_ms": _milliseconds(served),
            "version": record.version,
            "client": f"{record.client_name} {record.client_version}".strip(),
            "traceparent": _traceparent(record),
        }
        if record.method and record.method not in _KNOWN_METHODS:
            members["method_sent"] = record.method[:100]
        if record.notes:
            members["notes"] = {name: text[:_LONGEST_NOTE] for name, text in record.notes.items()}
        # X-Ray's, which Lambda tells for each invocation.
        if trace := self._environment.get("_X_AMZN_TRACE_ID"):
            members["xray_trace_id"] = trace.split(";")[0].removeprefix("Root=")
        return members

    def _counted(self, served: Served, now: float) -> dict[str, Any]:
        return embedded(self._namespace, int(now * 1000), *self._metrics(served))

    def _metrics(self, served: Served) -> Iterator[MetricSet]:
        record = served.outcome.record
        values = {_COUNTED.get(record.kind, "mcp_requests_total"): 1, "mcp_latency": _milliseconds(served)}
        if self._cold:
            values["mcp_cold_starts_total"] = 1
        for name in _session_events(served.outcome):
            values[name] = 1
        for name, value in record.counts.items():
            counter = f"mcp_{name}_total"
            values[counter] = values.get(counter, 0) + value
        yield MetricSet(_BY_REQUEST, values, _UNITS)
        if _code(served.outcome) != "ok":
            yield MetricSet(_BY_ERROR, {"mcp_errors_total": 1})


_TRUE: Final = frozenset({"1", "y", "yes", "t", "true", "on"})  # as Powertools reads its variables


def _level_of(record: RequestRecord) -> int:
    if record.cause is not None:
        return logging.ERROR
    return logging.DEBUG if record.kind == "notification" else logging.INFO


def _print(line: dict[str, Any]) -> None:
    # In one piece, because other threads write too.
    sys.stdout.write(f"{_SERIALIZER(line)}\n")
    sys.stdout.flush()


def _timestamp(seconds: float) -> str:
    """As RFC 3339, with milliseconds, in UTC."""
    whole, milliseconds = divmod(int(seconds * 1000), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{milliseconds:03}+00:00"


def _dimensions(outcome: Outcome) -> dict[str, str]:
    record = outcome.record
    return {
        "era": "unknown" if record.era is None else record.era.value,
        "method": record.method if record.method in _KNOWN_METHODS else "other",
        "tool": record.tool or "none",
        "outcome": _code(outcome),
        "error": _error(outcome),
    }


def _milliseconds(served: Served) -> float:
    return round(served.latency_ms, 2)


def _traceparent(record: RequestRecord) -> str:
    """The caller's trace and span; state and baggage may hold anything, so they are not written down."""
    found = record.trace.get("traceparent", "")
    return found if _TRACEPARENT.fullmatch(found) else ""


def _code(outcome: Outcome) -> str:
    if isinstance(outcome.reply, Failed):
        return str(reply_to(outcome.reply.error, outcome.record.era).code)
    return "tool_error" if outcome.record.tool_failed else "ok"


def _error(outcome: Outcome) -> str:
    """Which leaf of the error tree it was: one code stands for several of them."""
    if isinstance(outcome.reply, Failed):
        return type(outcome.reply.error).__name__
    return "ToolError" if outcome.record.tool_failed else ""


def _session_events(outcome: Outcome) -> list[str]:
    happened = [
        _SESSION_EVENTS[type(action)] for action in outcome.actions if type(action) in _SESSION_EVENTS
    ]
    if isinstance(outcome.reply, Failed) and isinstance(outcome.reply.error, SessionError):
        happened.append("mcp_sessions_rejected_total")
    return happened
