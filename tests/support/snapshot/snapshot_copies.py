"""Two copies of one process, made where Lambda would take the snapshot, and what each of them draws by lot.

They are made behind Python's back, which would otherwise give each a randomness of its own.
"""

import ctypes
import inspect
import json
import os
import random
import sys
from typing import Any

from awslambdaric.lambda_runtime_hooks_runner import run_after_restore, run_before_snapshot

from handler import lambda_handler
from mcpcore_aws.dynamodb import DynamoDB


class _Context:
    aws_request_id = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


def _copy() -> int:
    process: int = ctypes.PyDLL(None).fork()
    return process


def _drawn(event: dict[str, Any]) -> dict[str, Any]:
    captured = random.random()
    run_after_restore()
    jitter = inspect.signature(DynamoDB).parameters["jitter"].default
    return {
        "captured": captured,
        "session": lambda_handler(event, _Context())["headers"]["mcp-session-id"],
        "random": random.random(),
        "jitter": jitter(),
    }


if __name__ == "__main__":
    opening = json.load(sys.stdin)
    run_before_snapshot()
    for _ in range(2):
        if (copied := _copy()) == 0:
            sys.stderr.write(f"{json.dumps(_drawn(opening))}\n")
            os._exit(0)
        os.waitpid(copied, 0)
