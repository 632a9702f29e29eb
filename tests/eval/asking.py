"""Asks the product: each query is a call of `get_sources` through the core, as a client would make it."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcpcore import BuiltServer
from mcpcore.request.outcome import Completed, Failed
from tests.eval.queries import Query
from tests.support.messages import modern
from tests.support.servers import Wire

__all__ = ["Asked", "ProductFailed", "ask"]


class Asked(NamedTuple):
    """A query and what became of it.

    `answered` is the category that was answered, None when the product refused. `nearest` and `score` are of
    the category that a threshold of 0 lets through, None when even that refuses: nothing to match, or no
    valid query.
    """

    query: Query
    answered: str | None
    nearest: str | None
    score: float | None

    @property
    def right(self) -> bool:
        """True for a fair category, and for a refusal where there is none."""
        if self.query.fair:
            return self.answered in self.query.fair
        return self.answered is None

    def at(self, threshold: float) -> "Asked":
        """The same, had the product answered from that score on."""
        reached = self.score is not None and self.score >= threshold
        return self._replace(answered=self.nearest if reached else None)


class ProductFailed(Exception):
    """The product neither answered nor refused a query, but failed; the message says at which and how."""


def ask(server: BuiltServer, queries: Iterable[Query]) -> list[Asked]:
    """What the product says to each query. Whatever a client is told to mend counts as a refusal.

    Raises:
        ProductFailed: the core or the tool broke on a query.
    """
    wire = Wire(server)
    return [_asked(wire, query) for query in queries]


def _asked(wire: Wire, query: Query) -> Asked:
    answer, nearest = _call(wire, query, {}), _call(wire, query, {"threshold": 0})
    return Asked(
        query,
        None if answer is None else answer["category"]["slug"],
        None if nearest is None else nearest["category"]["slug"],
        None if nearest is None else nearest["match"]["score"],
    )


def _call(wire: Wire, query: Query, arguments: dict[str, Any]) -> dict[str, Any] | None:
    params = {"name": "get_sources", "arguments": {"query": query.text, **arguments}}
    outcome = wire.outcome(modern("tools/call", params))
    reply, cause = outcome.reply, outcome.record.cause
    if isinstance(reply, Completed) and cause is None:
        result = json.loads(reply.result)
        return None if result["isError"] else result["structuredContent"]
    said = reply.error.message if isinstance(reply, Failed) else "The tool failed"
    because = "" if cause is None else f" ({cause!r})"
    raise ProductFailed(f"line {query.line}: the product failed on this query: {said}{because}")
