"""Exchanges as items of the sessions table: range key `exchange#<id>`, hash key as the session's own item."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from mcpcore.sessions.ids import ExchangeId, SessionId

if TYPE_CHECKING:
    from mcpcore.sessions.session import Exchange

__all__ = [
    "answer_to_value",
    "exchange_from_item",
    "exchange_key",
    "exchange_to_item",
    "number_value",
    "time_value",
]

_PREFIX: Final = "exchange#"

# A claim adds less than this, which it removes: an answer may fill the item up to DynamoDB's limit.
_ROOM_FOR_A_CLAIM: Final = "." * 100


def exchange_key(session_id: SessionId, exchange_id: ExchangeId) -> dict[str, Any]:
    """The key of the exchange's item."""
    return {"session_id": {"S": session_id}, "item": {"S": _PREFIX + exchange_id}}


def exchange_to_item(exchange: "Exchange") -> dict[str, Any]:
    """The item for `exchange`.

    Answers are a map, so that two concurrent updates can add one each without overwriting the other.
    """
    return {
        **exchange_key(exchange.session_id, exchange.id),
        "request": _json([exchange.request_id, exchange.method, exchange.params]),
        "asked": _json(exchange.asked),
        "answers": {
            "M": {
                key: answer_to_value(answer, refused=key in exchange.refused)
                for key, answer in exchange.answers.items()
            }
        },
        "saved": _json(exchange.saved),
        "events": _json(exchange.events),
        "notified": number_value(exchange.notified),
        "round": number_value(exchange.round),
        "finished": {"BOOL": exchange.finished},
        "created_at": time_value(exchange.created_at),
        "expires_at": number_value(exchange.expires_at),
        "room": {"S": _ROOM_FOR_A_CLAIM},
    }


def answer_to_value(answer: object, *, refused: bool) -> dict[str, str]:
    """One answer as an attribute value: JSON text with `a`, the answer, and `r`, whether it is a refusal."""
    return _json({"a": answer, "r": refused})


def exchange_from_item(item: Mapping[str, Any]) -> "Exchange | None":
    """The exchange in `item`; None if `item` is empty or has another shape."""
    from mcpcore.sessions.session import Exchange

    try:
        request_id, method, params = json.loads(item["request"]["S"])
        answers = {key: json.loads(value["S"]) for key, value in item["answers"]["M"].items()}
        return Exchange(
            id=ExchangeId(item["item"]["S"].removeprefix(_PREFIX)),
            session_id=SessionId(item["session_id"]["S"]),
            request_id=request_id,
            method=method,
            params=params,
            asked=tuple(json.loads(item["asked"]["S"])),
            answers={key: value["a"] for key, value in answers.items()},
            refused=frozenset(key for key, value in answers.items() if value["r"]),
            saved=json.loads(item["saved"]["S"]),
            events=tuple(json.loads(item["events"]["S"])),
            notified=int(item["notified"]["N"]),
            round=int(item["round"]["N"]),
            finished=bool(item["finished"]["BOOL"]),
            created_at=float(item["created_at"]["N"]),
            expires_at=int(item["expires_at"]["N"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _json(value: object) -> dict[str, str]:
    return {"S": json.dumps(value, separators=(",", ":"))}


def number_value(value: float) -> dict[str, str]:
    """A whole number as an attribute value; DynamoDB's JSON represents numbers as text."""
    return {"N": str(int(value))}


def time_value(seconds: float) -> dict[str, str]:
    """A time in seconds, to the millisecond."""
    return {"N": f"{seconds:.3f}".rstrip("0").rstrip(".")}
