"""A process that calls a target's handler and measures it, in the target's own environment.

It imports only the standard library and the handler. The job comes as a line of JSON on standard input, then
a command in each line; each command is answered with a line of JSON on standard output. What the handler
writes goes to /dev/null.
"""

import gc
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from operator import sub
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple


class LambdaContext(NamedTuple):
    """The members of Lambda's context object that handlers read."""

    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    function_name: str = "bench"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:bench"
    memory_limit_in_mb: int = 512

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return 29_000


_CONTEXT = LambdaContext()


class MethodTimer:
    """The time spent inside some methods of a class, of all its objects."""

    def __init__(self, of: str, methods: list[str]) -> None:
        self.spent_ns = 0
        module, _, owner = of.partition(":")
        kind = getattr(importlib.import_module(module), owner)
        for method in methods:
            setattr(kind, method, self._timed(getattr(kind, method)))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            began = perf_counter_ns()
            try:
                return method(*args, **kwargs)
            finally:
                self.spent_ns += perf_counter_ns() - began

        return timed


def main() -> int:
    """Prepare the job, then answer commands until standard input ends."""
    job = json.loads(sys.stdin.readline())
    results = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    timers = {name: MethodTimer(**part) for name, part in job.get("parts", {}).items()}
    handler, events = _warmed_up(job)
    for line in sys.stdin:
        command = line.strip()
        if command == "growth":
            found = _growth(handler, events, job["growth"])
        else:
            kinds = [command] if command else list(events)
            found = {kind: _turn(handler, events[kind], kind, job, timers) for kind in kinds}
        print(json.dumps(found), file=results, flush=True)
    return 0


def _warmed_up(job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The handler, and the events, each answered once; those `in_session` have the id of a new session."""
    module, _, name = job["handler"].rpartition(".")
    handler = getattr(importlib.import_module(module), name)
    events = dict(job["events"])
    if job.get("opening"):
        headers = handler(job["opening"], _CONTEXT)["headers"]
        session = {name.lower(): value for name, value in headers.items()}.get("mcp-session-id")
        for kind in job["in_session"] if session else []:
            event = events[kind]
            events[kind] = event | {"headers": event["headers"] | {"mcp-session-id": session}}
    for kind, event in events.items():
        reply = handler(event, _CONTEXT)
        if reply["statusCode"] != 200 or "result" not in json.loads(reply["body"]):
            raise SystemExit(f"{job['handler']} does not answer {kind}: {reply}")
    return handler, events


def _turn(
    handler: Any, event: Any, kind: str, job: dict[str, Any], timers: dict[str, MethodTimer]
) -> dict[str, list[int]]:
    """Nanoseconds of each call of a turn."""
    repeat = max(1, int(job["repeat"] * job.get("share", {}).get(kind, 1)))
    gc.collect()
    for _ in range(max(3, repeat // 5)):  # other processes used the processor meanwhile
        handler(event, _CONTEXT)
    return _timed_calls(handler, event, repeat, timers)


def _timed_calls(
    handler: Any, event: Any, repeat: int, timers: dict[str, MethodTimer]
) -> dict[str, list[int]]:
    """Of each call the whole; for each timer that ran also its part, and the whole without it."""
    whole: list[int] = []
    spent: dict[str, list[int]] = {name: [] for name in timers}
    for _ in range(repeat):
        for timer in timers.values():
            timer.spent_ns = 0
        began = perf_counter_ns()
        handler(event, _CONTEXT)
        whole.append(perf_counter_ns() - began)
        for name, timer in timers.items():
            spent[name].append(timer.spent_ns)
    found = {"whole": whole}
    for name, times in spent.items():
        if any(times):
            found |= {name: times, f"less_{name}": list(map(sub, whole, times))}
    return found


def _growth(handler: Any, events: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    """Memory at the beginning, middle and end of many requests; no two calls have the same query."""
    mix, queries, total = plan["mix"], _distinct_queries(plan["queries"]), plan["requests"]
    marks = {plan["warm_up"]: "begin", total // 2: "middle"}
    found: dict[str, Any] = {"requests": total}
    for number in range(total):
        if number in marks:
            found |= _memory(marks[number])
        kind = mix[number % len(mix)]
        is_call = kind.endswith("tools/call")
        handler(_with_query(events[kind], next(queries)) if is_call else events[kind], _CONTEXT)
    return found | _memory("end")


def _distinct_queries(queries: list[str]) -> Iterator[str]:
    """The queries, then the first half of each with the second half of every other: n * n in all."""
    count = len(queries)
    for offset in range(count):
        for number, first in enumerate(queries):
            second = queries[(number + offset) % count]
            yield first[: len(first) // 2] + second[len(second) // 2 :]


def _with_query(event: dict[str, Any], query: str) -> dict[str, Any]:
    message = json.loads(event["body"])
    message["params"]["arguments"]["query"] = query
    return event | {"body": json.dumps(message)}


def _memory(when: str) -> dict[str, float]:
    """Resident memory, its part that is not file pages, and the number of blocks allocated by Python."""
    gc.collect()
    with Path("/proc/self/statm").open() as opened:
        resident, of_files = map(int, opened.read().split()[1:3])
    page_mb = os.sysconf("SC_PAGE_SIZE") / 1_000_000
    return {
        f"{when}_rss_mb": resident * page_mb,
        f"{when}_own_mb": (resident - of_files) * page_mb,
        f"{when}_blocks": sys.getallocatedblocks(),
    }


if __name__ == "__main__":
    sys.exit(main())
