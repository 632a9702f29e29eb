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
    """A query and its answers.

    `answered` is the category of the answer, None if the product refused. `nearest` and `score` are those of
    the answer at a threshold of 0, None if that is refused too: nothing to match, or no valid query.
    """

    query: Query
    answered: str | None
    nearest: str | None
    score: float | None

    @property
    def right(self) -> bool:
        """Whether the answer is a fair category, or a refusal if there is none."""
        if self.query.fair:
            return self.answered in self.query.fair
        return self.answered is None

    def at(self, threshold: float) -> "Asked":
        """The same query at another threshold."""
        reached = self.score is not None and self.score >= threshold
        return self._replace(answered=self.nearest if reached else None)


class ProductFailed(Exception):
    """The product failed on a query; the message has the line and the error."""


def ask(server: BuiltServer, queries: Iterable[Query]) -> list[Asked]:
    """The answers of the product. A tool error counts as a refusal.

    Raises:
        ProductFailed: the core or the tool failed on a query.
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
    reply, record, _ = wire.outcome(modern("tools/call", params))
    if isinstance(reply, Completed) and record.cause is None:
        result = json.loads(reply.result)
        return None if result["isError"] else result["structuredContent"]
    reason = reply.error.message if isinstance(reply, Failed) else "The tool failed"
    cause = "" if record.cause is None else f" ({record.cause!r})"
    raise ProductFailed(f"line {query.line}: the product failed on this query: {reason}{cause}")
