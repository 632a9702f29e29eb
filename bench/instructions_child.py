"""So many warm requests of each kind to the product, its sessions in memory; what callgrind looks at.

The store is memory, because a server's answers would not take the same number of instructions each time.
"""

import importlib
import json
import sys
from typing import NamedTuple


class _Context(NamedTuple):
    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


def main() -> int:
    """Serve what the job on standard input asks for."""
    job = json.load(sys.stdin)
    context = _Context()
    core, edge, product = map(importlib.import_module, ("mcpcore", "mcpcore_aws.adapter", "handler"))
    handler = edge.LambdaAdapter(product.server, sessions=core.MemorySessions())
    opened = handler(job["opening"], context)["headers"]["mcp-session-id"]
    for kind, event in job["events"].items():
        session = {"mcp-session-id": opened} if kind in job["in_session"] else {}
        asked = event | {"headers": event["headers"] | session}
        if handler(asked, context)["statusCode"] != 200:
            raise SystemExit(f"{kind} is not answered")
        for _ in range(job["requests"][kind]):
            handler(asked, context)
    return 0


if __name__ == "__main__":
    sys.exit(main())
