"""A target's handler, called as often as the parent asks, in the target's own environment.

It knows only the standard library: nothing of this project or of a test's packages comes into the process. A
job comes as a line of JSON on standard input; what was found goes to standard output, a line for each job or,
of the warm path, for each further line that comes. What the handler writes goes to /dev/null, so writing it
costs what it costs, and nobody has to read it.
"""

import gc
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import sub
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter_ns
from typing import Any, NamedTuple


class LambdaContext(NamedTuple):
    """What Lambda's runtime passes beside the event, as far as handlers look at it."""

    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    function_name: str = "bench"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:bench"
    memory_limit_in_mb: int = 512

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return 29_000


_CONTEXT = LambdaContext()


class Part:
    """Counts the time inside the methods of a class, from wherever they are called."""

    def __init__(self, of: str, methods: list[str]) -> None:
        self.spent_ns = 0
        module, _, owner = of.partition(":")
        kind = getattr(importlib.import_module(module), owner)
        for method in methods:
            setattr(kind, method, self._counted(getattr(kind, method)))

    def _counted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            began = perf_counter_ns()
            try:
                return method(*args, **kwargs)
            finally:
                self.spent_ns += perf_counter_ns() - began

        return counted


def main() -> int:
    """Do the job, and tell what it took."""
    job = json.loads(sys.stdin.readline())
    told = os.fdopen(os.dup(1), "w")
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    for found in _JOBS[job["job"]](job):
        print(json.dumps(found), file=told, flush=True)
    return 0


def _warm(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """For each turn the times of the kind of event that the line names, or else of every kind, in ns."""
    parts = {name: Part(**part) for name, part in job.get("parts", {}).items()}
    handler, events = _ready(job)
    yield from _turns(handler, events, job, parts)


def _turns(
    handler: Any, events: dict[str, Any], job: dict[str, Any], parts: dict[str, Part]
) -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        kinds = [line.strip()] if line.strip() else list(events)
        yield {kind: _turn(handler, events[kind], kind, job, parts) for kind in kinds}


def _turn(handler: Any, event: Any, kind: str, job: dict[str, Any], parts: dict[str, Part]) -> Any:
    repeat = max(1, int(job["repeat"] * job.get("share", {}).get(kind, 1)))
    gc.collect()
    for _ in range(max(3, repeat // 5)):  # the others had the processor meanwhile
        handler(event, _CONTEXT)
    return _measured(handler, event, repeat, parts)


def _measured(handler: Any, event: Any, repeat: int, parts: dict[str, Part]) -> dict[str, list[int]]:
    """Of each request the whole, and of the parts that it has the part, and all but the part."""
    whole: list[int] = []
    spent: dict[str, list[int]] = {name: [] for name in parts}
    for _ in range(repeat):
        for part in parts.values():
            part.spent_ns = 0
        began = perf_counter_ns()
        handler(event, _CONTEXT)
        whole.append(perf_counter_ns() - began)
        for name, part in parts.items():
            spent[name].append(part.spent_ns)
    found = {"whole": whole}
    for name, times in spent.items():
        if any(times):
            found |= {name: times, f"less_{name}": list(map(sub, whole, times))}
    return found


def _written(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The lines that the handler writes for one event of every kind, and the bytes of its reply."""
    handler, events = _ready(job)
    found = {}
    for kind, event in events.items():
        with TemporaryFile("w+") as log, _written_to(log.fileno()):
            reply = handler(event, _CONTEXT)
            sys.stdout.flush()
            log.seek(0)
            found[kind] = {"lines": log.read().splitlines(), "reply_bytes": _reply_bytes(reply)}
    yield found


@contextmanager
def _written_to(file: int) -> Iterator[None]:
    """Both streams end in `file`: Lambda logs either."""
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    for stream in kept:
        os.dup2(file, stream)
    try:
        yield
    finally:
        for stream, before in kept.items():
            os.dup2(before, stream)
            os.close(before)


def _reply_bytes(reply: dict[str, Any]) -> int:
    """Body and headers as HTTP/1.1 has them, without the gateway's own."""
    headers = "".join(f"{name}: {value}\r\n" for name, value in reply["headers"].items())
    return len(f"{headers}\r\n{reply['body']}".encode())


def _grown(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Memory at the beginning, in the middle and at the end of many requests, and turns after that.

    No two tool calls have the same query, so whatever is kept for each query grows to the end.
    """
    handler, events = _ready(job)
    mix, texts, total = job["mix"], _distinct(job["queries"]), job["total"]
    marks = {job["window"]: "begin", total // 2: "middle"}
    found: dict[str, Any] = {"requests": total}
    for number in range(total):
        if number in marks:
            found |= _memory(marks[number])
        kind = mix[number % len(mix)]
        handler(
            _asking(events[kind], next(texts)) if kind in job["asking"] else events[kind],
            _CONTEXT,
        )
    sys.stdin.readline()
    yield found | _memory("end")
    yield from _turns(handler, events, job, {})


def _distinct(queries: list[str]) -> Iterator[str]:
    """The queries, then the first half of each with the second half of every other: n * n in all."""
    count = len(queries)
    for apart in range(count):
        for number, first in enumerate(queries):
            second = queries[(number + apart) % count]
            yield first[: len(first) // 2] + second[len(second) // 2 :]


def _asking(event: dict[str, Any], query: str) -> dict[str, Any]:
    message = json.loads(event["body"])
    message["params"]["arguments"]["query"] = query
    return event | {"body": json.dumps(message)}


def _ready(job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The handler, and the events in a session if there is to be one; every kind has been answered once."""
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


def _memory(when: str) -> dict[str, float]:
    """What is resident; of it what is no page of a file that was read; and how many blocks Python holds."""
    gc.collect()
    with Path("/proc/self/statm").open() as opened:
        resident, of_files = map(int, opened.read().split()[1:3])
    page_mb = os.sysconf("SC_PAGE_SIZE") / 1_000_000
    return {
        f"{when}_rss_mb": resident * page_mb,
        f"{when}_own_mb": (resident - of_files) * page_mb,
        f"{when}_blocks": sys.getallocatedblocks(),
    }


_JOBS: dict[str, Callable[[dict[str, Any]], Iterator[dict[str, Any]]]] = {
    "warm": _warm,
    "written": _written,
    "grown": _grown,
}

if __name__ == "__main__":
    sys.exit(main())
