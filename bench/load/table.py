"""The sessions table beside the books of the clients that used it."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.support.stack import client
from threegood_local.environment import SESSIONS_TABLE

__all__ = ["differences", "items_at"]


def items_at(endpoint: str) -> list[dict[str, Any]]:
    """All items of the table."""
    pages = client("dynamodb", endpoint).get_paginator("scan").paginate(TableName=SESSIONS_TABLE)
    return [item for page in pages for item in page["Items"]]


def differences(
    items: Iterable[Mapping[str, Any]], books: Mapping[str, Iterable[str]], *, now: float
) -> list[str]:
    """What `items` have that the books lack, and the other way round, as sentences; none if both agree.

    The books are those of the sessions that are `open`, `ended` and `expired`. Of an ended session an item
    without content is left; an expired one is left as it was, for DynamoDB to delete by its `expires_at`.
    """
    held: dict[str, list[str]] = {state: [] for state in books}
    for item in items:
        held[_state(item, now)].append(item["session_id"]["S"])
    noted = {state: sorted(sessions) for state, sessions in books.items()}
    return [
        f"{len(held[state])} {state} sessions in the table are not the {len(noted[state])} in the books"
        for state in books
        if sorted(held[state]) != noted[state]
    ]


def _state(item: Mapping[str, Any], now: float) -> str:
    if "version" not in item:
        return "ended"
    return "expired" if float(item["expires_at"]["N"]) <= now else "open"
