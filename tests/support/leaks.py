"""Strings that no response may contain: they reveal the implementation of the server."""

import re
from typing import Final

from tests.support.exchanges import Reply
from tests.support.processes import ROOT

__all__ = ["leaks"]

_INTERNALS: Final = (
    r"traceback",
    r"exception",
    r"boto",
    r"dynamodb",
    r"pydantic",
    r"sessions-[0-9a-f]{32}",
    r"three-good-sources-sessions",
    r"site-packages",
    r"\.py\b",
    r"127\.0\.0\.1",
    re.escape(str(ROOT)),
)


def leaks(reply: Reply) -> list[str]:
    """The patterns of internals that the reply's headers or body show."""
    shown = f"{reply.headers} {reply.body.decode('utf-8')}"
    return [pattern for pattern in _INTERNALS if re.search(pattern, shown, re.IGNORECASE)]
