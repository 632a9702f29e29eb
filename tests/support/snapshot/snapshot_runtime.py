"""Lambda's runtime client as it runs where a snapshot is taken, but for the one call that the emulator lacks.

Where Lambda would take the snapshot, and go on from it some time later, what it would hold is written to the
file that SNAPSHOT_REPORT names. The environment has no credentials, as Lambda has it with SnapStart.
"""

import json
import os
import stat
import sys
import threading
from pathlib import Path

for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
    os.environ.pop(name, None)
os.environ["AWS_LAMBDA_INITIALIZATION_TYPE"] = "snap-start"

from awslambdaric import bootstrap  # noqa: E402  # it may look at the environment at once
from awslambdaric.lambda_runtime_client import LambdaRuntimeClient  # noqa: E402  # as above

_MOST_DESCRIPTORS = 1024


class _Client(LambdaRuntimeClient):  # type: ignore[misc]  # it comes with Lambda's runtime, and has no types
    def restore_next(self) -> None:
        report = {
            "sockets": [number for number in range(_MOST_DESCRIPTORS) if _is_socket(number)],
            "threads": threading.active_count(),
        }
        Path(os.environ["SNAPSHOT_REPORT"]).write_text(json.dumps(report))


def _is_socket(number: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False


if __name__ == "__main__":
    bootstrap.run(sys.argv[1], _Client(os.environ["AWS_LAMBDA_RUNTIME_API"]))
