"""One process of `python -m bench.snapstart`: the built handler, its hooks or none, and one first request.

It runs in the artifact's own environment, and knows only the standard library. A job comes as JSON on
standard input, what was found goes to standard output, and what the handler writes to /dev/null.
"""

import json
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any


class _Context:
    aws_request_id = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


def main() -> int:
    """Start, prime if that is the job, answer; tell what each took."""
    job = json.load(sys.stdin)
    told = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    began = perf_counter()
    from handler import lambda_handler

    started = perf_counter()
    if job["primed"]:
        from awslambdaric.lambda_runtime_hooks_runner import run_after_restore, run_before_snapshot

        run_before_snapshot()
        run_after_restore()
    primed, rss_mb = perf_counter(), _rss_mb()
    reply = lambda_handler(job["event"], _Context())
    answered = perf_counter()
    found: dict[str, Any] = {
        "status": reply["statusCode"],
        "start_ms": (started - began) * 1000,
        "hooks_ms": (primed - started) * 1000,
        "first_ms": (answered - primed) * 1000,
        "rss_mb": rss_mb,
    }
    json.dump(found, told)
    told.close()
    return 0


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


if __name__ == "__main__":
    sys.exit(main())
