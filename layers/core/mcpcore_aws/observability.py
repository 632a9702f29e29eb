"""One line of JSON for each request, which CloudWatch reads as log and as metrics.

Names, variables and format are those of Powertools for AWS Lambda, which writes the lines of requests that
ended by an exception, with the stack. All others are written here: importing Powertools would be a third of
our part of a cold start. Values from the client are truncated, and only known ones become dimensions.
Arguments of tools are never logged.
"""

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
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.request.outcome import Outcome, RequestKind, RequestRecord, SessionEvent
from mcpcore_aws.log_levels import least_level
from mcpcore_aws.metrics import MILLISECONDS, MetricSet, embedded

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

__all__ = ["Observer", "Served"]

_DEFAULT_NAMESPACE: Final = "mcp"
_DEFAULT_SERVICE: Final = "service_undefined"
_MAX_FIELD_LENGTH: Final = 500
_MAX_METHOD_LENGTH: Final = 100
# Half of what is kept of the text of exceptions, which may repeat arguments. Lambda cuts a line of more than
# 256 KB, whose metrics are lost then, and with them the alarm; escaped, a character takes up to 12 bytes.
_HALF_OF_TRACE: Final = 8_000
# ASCII only: text from a client may hold lone surrogates, which UTF-8 cannot encode.
_SERIALIZER: Final = json.JSONEncoder(default=str, separators=(",", ":"), check_circular=False).encode
# W3C Trace Context, section 3.2
_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_KNOWN_METHODS: Final = frozenset(method for _, method in METHODS) | NOTIFICATIONS
# Kinds that are not requests of their own: they belong to one that is counted, or to none.
_METRIC_OF_KIND: Final = {
    RequestKind.NOTIFICATION: "mcp_notifications_total",
    RequestKind.ANSWER: "mcp_answers_total",
    RequestKind.RESUME: "mcp_resumes_total",
    RequestKind.PAGE: "mcp_pages_total",
}
_METRIC_OF_SESSION_EVENT: Final = {
    SessionEvent.OPENED: "mcp_sessions_opened_total",
    SessionEvent.ENDED: "mcp_sessions_ended_total",
    SessionEvent.REJECTED: "mcp_sessions_rejected_total",
}
_UNITS: Final = {"mcp_latency": MILLISECONDS, "mcp_page_latency": MILLISECONDS}
# The second set of each has so few values that an alarm can name them all.
_BY_REQUEST: Final = (("era", "method", "tool", "service"), ("service",))
_BY_ERROR: Final = (("outcome", "error", "service"), ("outcome", "service"))
_NO_ERROR: Final = frozenset({OutcomeKind.OK, OutcomeKind.NO_MATCH})


class Served(NamedTuple):
    """A request that has been answered: through which event source, with what, and in what time."""

    event_source: str
    request_id: str
    status: int
    latency_ms: float
    outcome: Outcome


class Observer:
    """Writes a line for each request to standard output, as Powertools' variables say.

    `POWERTOOLS_SERVICE_NAME`, `POWERTOOLS_LOG_LEVEL` or `AWS_LAMBDA_LOG_LEVEL` (the stricter one holds),
    `POWERTOOLS_METRICS_NAMESPACE` and `POWERTOOLS_METRICS_DISABLED` are read when it is made.

    Raises:
        ValueError: a variable holds an unknown level; the message names it.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._service = environment.get("POWERTOOLS_SERVICE_NAME") or _DEFAULT_SERVICE
        self._level = least_level(environment)
        self._metrics_enabled = environment.get("POWERTOOLS_METRICS_DISABLED", "").lower() not in _TRUE
        self._namespace = environment.get("POWERTOOLS_METRICS_NAMESPACE") or _DEFAULT_NAMESPACE
        self._cold = True

    def record(self, served: Served) -> None:
        """Log `served` and count it in the metrics."""
        record, now = served.outcome.record, time.time()
        level = _level_of(record)
        metrics = self._embedded_metrics(served, now) if self._metrics_enabled else {}
        if level < self._level:
            if metrics:
                _print({"service": self._service, **_dimensions(record), **metrics})
        elif record.cause is not None:
            line = self._members(served) | metrics
            self._logger.error("request failed inside", extra=line, exc_info=record.cause)
        else:
            heading = {
                "level": logging.getLevelName(level),
                "message": record.kind.value,
                "timestamp": _timestamp(now),
                "service": self._service,
            }
            _print({**heading, **self._members(served), **metrics})
        self._cold = False

    @cached_property
    def _logger(self) -> "Logger | logging.Logger":
        try:
            from aws_lambda_powertools import Logger
        except ImportError:  # a local run without the extra `aws`: Python writes the traceback to stderr
            return logging.getLogger(self._service)

        # All Loggers of one name share level, keys and format: a tool's own Logger must not change this one.
        name = f"{self._service} faults"
        logger = Logger(
            name,
            self._level,
            json_serializer=_fault_line,
            use_rfc3339=True,
            utc=True,
            serialize_stacktrace=False,  # it is in `exception` already
        )
        logger.append_keys(service=self._service)
        return logger

    def _members(self, served: Served) -> dict[str, Any]:
        """The fields of the log line; those that a client or a handler fills are truncated.

        Each line is paid for by its bytes, so an optional field without a value is left out.
        """
        record = served.outcome.record
        members = {
            **_dimensions(record),
            "request_id": served.request_id,
            "event_source": served.event_source,
            "status": served.status,
            "latency_ms": _milliseconds(served),
        }
        optional = {
            "session": _hashed(record.session_id) if record.session_id else "",
            "principal": record.principal,
            "version": record.version,
            "client": f"{record.client_name} {record.client_version}".strip(),
            "traceparent": _traceparent(record),
        }
        members |= {name: value for name, value in optional.items() if value}
        if record.method and record.method not in _KNOWN_METHODS:
            members["method_sent"] = record.method[:_MAX_METHOD_LENGTH]
        if record.reason:
            members["reason"] = record.reason
        if record.log_fields:
            members["fields"] = {name: text[:_MAX_FIELD_LENGTH] for name, text in record.log_fields.items()}
        # Lambda sets this variable for each invocation; X-Ray has those that are sampled.
        trace = self._environment.get("_X_AMZN_TRACE_ID", "")
        if "Sampled=1" in trace:
            members["xray_trace_id"] = trace.split(";")[0].removeprefix("Root=")
        return members

    def _embedded_metrics(self, served: Served, now: float) -> dict[str, Any]:
        return embedded(self._namespace, int(now * 1000), *self._metrics(served))

    def _metrics(self, served: Served) -> Iterator[MetricSet]:
        record = served.outcome.record
        counter = _METRIC_OF_KIND.get(record.kind, "mcp_requests_total")
        latency = "mcp_page_latency" if record.kind is RequestKind.PAGE else "mcp_latency"
        values = {counter: 1, latency: _milliseconds(served)}
        if self._cold:
            values["mcp_cold_starts_total"] = 1
        if record.session_event is not None:
            values[_METRIC_OF_SESSION_EVENT[record.session_event]] = 1
        for name, value in record.counts.items():
            counter = f"mcp_{name}_total"
            values[counter] = values.get(counter, 0) + value
        yield MetricSet(_BY_REQUEST, values, _UNITS)
        if record.outcome not in _NO_ERROR:
            yield MetricSet(_BY_ERROR, {"mcp_errors_total": 1})


_TRUE: Final = frozenset({"1", "y", "yes", "t", "true", "on"})  # as Powertools reads its variables


def _level_of(record: RequestRecord) -> int:
    if record.cause is not None or record.reason:
        return logging.ERROR
    return logging.DEBUG if record.kind is RequestKind.NOTIFICATION else logging.INFO


def _print(line: dict[str, Any]) -> None:
    # One write for the whole line, because other threads write too.
    sys.stdout.write(f"{_SERIALIZER(line)}\n")
    sys.stdout.flush()


def _fault_line(line: dict[str, Any]) -> str:
    """The line of a request that ended by an exception; of a long trace the beginning and the end."""
    trace = line.get("exception")
    if isinstance(trace, str) and len(trace) > 2 * _HALF_OF_TRACE:
        line["exception"] = f"{trace[:_HALF_OF_TRACE]} … {trace[-_HALF_OF_TRACE:]}"
    return _SERIALIZER(line)


def _timestamp(seconds: float) -> str:
    """As RFC 3339, with milliseconds, in UTC."""
    whole, milliseconds = divmod(int(seconds * 1000), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{milliseconds:03}+00:00"


def _hashed(session_id: str) -> str:
    import hashlib  # requests of the modern era have no session

    return hashlib.sha256(session_id.encode("utf-8", "replace")).hexdigest()[:16]


def _dimensions(record: RequestRecord) -> dict[str, str]:
    error = {} if record.error is None else {"error": record.error.value}
    return {
        "era": "unknown" if record.era is None else record.era.value,
        "method": record.method if record.method in _KNOWN_METHODS else "other",
        "tool": record.tool or "none",
        "outcome": record.outcome.value,
        **error,
    }


def _milliseconds(served: Served) -> float:
    return round(served.latency_ms, 2)


def _traceparent(record: RequestRecord) -> str:
    """The client's trace and span; tracestate and baggage may hold any text and are not logged."""
    found = record.trace.get("traceparent", "")
    return found if _TRACEPARENT.fullmatch(found) else ""
