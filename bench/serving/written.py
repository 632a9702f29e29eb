"""What one request makes each target write: bytes of log lines, custom metrics among them, and its reply."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final

from bench.serving.environments import Environment
from bench.serving.events import HANDSHAKE, INITIALIZE, request
from bench.serving.lab import Lab
from bench.serving.targets import OURS, QUIET, QUIETED, Target

__all__ = ["measured", "metrics"]

_END_OF_LINE: Final = 1


def measured(lab: Lab, targets: Mapping[Target, Environment]) -> dict[str, dict[str, dict[str, Any]]]:
    """By target and kind: `log_bytes`, `log_lines`, `reply_bytes`, and `metrics` with their dimensions."""
    found = {}
    for target, environment in targets.items():
        job = _job(target)
        found[target.name] = _told(lab.child(environment, job))
        if target.name == OURS:
            found[QUIETED] = _told(lab.child(environment, job, **QUIET))
    return found


def _job(target: Target) -> dict[str, Any]:
    ours = target.name == OURS
    return {
        "job": "written",
        "handler": target.handler,
        "events": {kind: request(kind) for kind in dict.fromkeys((*target.warm, *target.first))},
        "opening": request(INITIALIZE) if ours else None,
        "in_session": HANDSHAKE,
    }


def _told(found: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        kind: {
            "log_bytes": sum(len(line.encode()) + _END_OF_LINE for line in each["lines"]),
            "log_lines": len(each["lines"]),
            "reply_bytes": each["reply_bytes"],
            "metrics": sorted(metrics(each["lines"])),
        }
        for kind, each in found.items()
    }


def metrics(lines: Iterable[str]) -> Iterator[str]:
    """Each custom metric that CloudWatch makes of these lines, by the name and dimensions that it is paid by.

    They are objects of the embedded metric format; every other line is passed over.
    """
    for line in lines:
        found = _object(line)
        for directive in found.get("_aws", {}).get("CloudWatchMetrics", []):
            for names, metric in product(directive["Dimensions"], directive["Metrics"]):
                dimensions = ", ".join(f"{name}={found[name]}" for name in sorted(names))
                yield f"{metric['Name']} ({dimensions})"


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
