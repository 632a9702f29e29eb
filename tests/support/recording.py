"""A record of what servers were sent and replied during the tests, and the command that serves with one.

`python -m tests.support.recording MODULE ARGUMENT...` runs a command that serves, and records every exchange.
"""

import base64
import functools
import gzip
import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from mcpcore_local.gateway import HttpGateway
from tests.support.exchanges import Reply, Sent

__all__ = ["RECORD", "exchanges", "record", "recorded"]

RECORD: Final = "RECORDED_EXCHANGES"
"""The environment variable that names the file; without it nothing is recorded."""

_Handler: TypeAlias = Callable[[dict[str, Any], Any], Mapping[str, Any]]


def recorded(handler: _Handler) -> _Handler:
    """The same handler, whose exchanges are recorded."""

    @functools.wraps(handler)
    def recording(event: dict[str, Any], context: Any) -> Mapping[str, Any]:
        reply = handler(event, context)
        record(event, reply)
        return reply

    return recording


def record(event: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
    """Append an exchange of MCP, as a line of JSON. Only events of an HTTP API are recorded."""
    path, http = os.environ.get(RECORD), event.get("requestContext", {}).get("http")
    is_page = not event.get("rawPath", "/mcp").startswith("/mcp")
    if not path or not http or is_page or "statusCode" not in reply:
        return
    kept = ("headers", "body", "isBase64Encoded")
    sent = {"method": http["method"], **{name: event[name] for name in kept if name in event}}
    line = json.dumps(
        [sent, {name: reply[name] for name in ("statusCode", "headers", "body") if name in reply}]
    )
    # One write to a file that is only appended to: lines of several processes do not mix.
    with Path(path).open("ab", buffering=0) as opened:
        opened.write(line.encode() + b"\n")


def exchanges(path: Path) -> Iterator[tuple[Sent, Reply]]:
    """What was recorded in `path`, in the order of the replies."""
    with path.open("rb") as lines:
        for line in lines:
            sent, reply = json.loads(line)
            text: str = sent.get("body", "")
            body = (
                base64.b64decode(text)
                if sent.get("isBase64Encoded")
                else text.encode("utf-8", "surrogatepass")
            )
            headers = reply.get("headers", {})
            content = reply.get("body", "").encode()
            if headers.get("content-encoding") == "gzip":
                content = gzip.decompress(base64.b64decode(content))
            yield (
                Sent(body, sent["headers"], sent["method"]),
                Reply(reply["statusCode"], headers, content),
            )


def main() -> None:
    """Run the command that the arguments name; its gateway records."""
    _, module, *arguments = sys.argv
    serve = HttpGateway.serve

    def serve_recorded(self: HttpGateway, handler: _Handler) -> None:
        serve(self, recorded(handler))

    HttpGateway.serve = serve_recorded  # type: ignore[method-assign]  # the commands take no other gateway
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
