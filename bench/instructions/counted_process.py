"""The process that callgrind counts: it serves a number of warm requests of each kind.

It imports only the standard library until the job names the handler. The product's sessions are in memory,
because the client of a store does not take the same number of instructions each time.
"""

import importlib
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

Calls = dict[str, Callable[[], object]]


class _LambdaContext(NamedTuple):
    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


_CONTEXT: Final = _LambdaContext()


def main() -> int:
    """Serve the requests of the job on standard input."""
    job = json.load(sys.stdin)
    for kind, call in _CALLS[job["of"]](job).items():
        for _ in range(job["requests"][kind]):
            call()
    return 0


def _product_calls(job: dict[str, Any]) -> Calls:
    core, edge, product = map(importlib.import_module, ("mcpcore", "mcpcore_aws.adapter", "handler"))
    handler = edge.LambdaAdapter(product.lambda_handler.server, sessions=core.MemorySessions())
    session = handler(job["opening"], _CONTEXT)["headers"]["mcp-session-id"]
    for kind in set(job["in_session"]) & set(job["events"]):
        job["events"][kind]["headers"]["mcp-session-id"] = session
    return _checked_calls(handler, job["events"])


def _handler_calls(job: dict[str, Any]) -> Calls:
    module, _, name = job["handler"].rpartition(".")
    return _checked_calls(getattr(importlib.import_module(module), name), job["events"])


def _checked_calls(handler: Any, events: dict[str, Any]) -> Calls:
    """A call for each event, after each event was answered once with a result."""
    for kind, event in events.items():
        reply = handler(event, _CONTEXT)
        if reply["statusCode"] != 200 or "result" not in json.loads(reply["body"]):
            raise SystemExit(f"no result for {kind}: {reply}")
    return {kind: partial(handler, event, _CONTEXT) for kind, event in events.items()}


def _match_calls(job: dict[str, Any]) -> Calls:
    baked, matching = map(importlib.import_module, ("sources.baked", "sources.matching"))
    strategy = matching.build_strategy(job["strategy"], baked.BakedRegistry.open(Path(job["registry"])))
    return {kind: partial(strategy.rank, job["query"], limit=3) for kind in job["events"]}


_CALLS: Final[dict[str, Callable[[dict[str, Any]], Calls]]] = {
    "product": _product_calls,
    "handler": _handler_calls,
    "match": _match_calls,
}

if __name__ == "__main__":
    sys.exit(main())
