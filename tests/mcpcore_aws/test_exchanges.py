"""A request that waits for answers, as an item of the sessions table."""

import json
from typing import Any, Final

import pytest

from mcpcore.sessions.session import Exchange
from mcpcore_aws.exchange_items import exchange_from_item, exchange_key, exchange_to_item
from tests.support.store_suite import EXCHANGE as WAITING
from tests.support.store_suite import NOW, SESSION

EXCHANGE: Final = WAITING._replace(
    answers={"name": {"action": "accept", "content": {"name": "Ada"}}, "color": {"message": "no"}},
    refused=frozenset({"color"}),
    round=2,
)
EMPTY: Final = EXCHANGE._replace(asked=(), answers={}, refused=frozenset(), saved={}, events=(), params={})
ITEM: Final = exchange_to_item(EXCHANGE)


@pytest.mark.parametrize(
    "exchange",
    [
        EXCHANGE,
        EMPTY,
        EXCHANGE._replace(finished=True, asked=()),
        EXCHANGE._replace(request_id="a string"),
        EXCHANGE._replace(request_id="7"),
        EXCHANGE._replace(params={"a": "\ud800"}, saved={"\udfff": "\x00"}),
        EXCHANGE._replace(answers={"name": None, "color": [1]}, refused=frozenset()),
        EXCHANGE._replace(answers={"#:.key": 1}, asked=("#:.key",), refused=frozenset()),
        EXCHANGE._replace(params={"text": "x" * 300_000}, events=("y" * 50_000,)),
    ],
)
def test_an_exchange_is_read_as_it_was_written(exchange: Exchange) -> None:
    item = exchange_to_item(exchange)
    assert exchange_from_item(item) == exchange
    assert exchange_from_item(json.loads(json.dumps(item))) == exchange


def test_an_exchange_is_stored_beside_its_session_and_expires_on_its_own() -> None:
    assert exchange_key(SESSION.id, EXCHANGE.id) == {
        "session_id": {"S": SESSION.id},
        "item": {"S": f"exchange#{EXCHANGE.id}"},
    }
    assert ITEM | exchange_key(SESSION.id, EXCHANGE.id) == ITEM
    assert ITEM["expires_at"] == {"N": str(EXCHANGE.expires_at)}


def test_a_claim_on_an_exchange_is_no_part_of_it() -> None:
    assert exchange_from_item(without("room") | {"running_until": {"N": str(NOW)}}) == EXCHANGE


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in ITEM.items() if key != name}


FOREIGN: Final[dict[str, dict[str, Any]]] = {
    "nothing": {},
    **{f"no {name}": without(name) for name in ITEM if name != "room"},
    "a request that is not JSON": ITEM | {"request": {"S": "{"}},
    "a request with a part too few": ITEM | {"request": {"S": '[1,"tools/call"]'}},
    "a request that is a number": ITEM | {"request": {"N": "1"}},
    "asked that is no list": ITEM | {"asked": {"S": "5"}},
    "answers that are text": ITEM | {"answers": {"S": "{}"}},
    "an answer that is no JSON": ITEM | {"answers": {"M": {"name": {"S": "Ada"}}}},
    "an answer without its flag": ITEM | {"answers": {"M": {"name": {"S": '{"a":1}'}}}},
    "an answer that is a list": ITEM | {"answers": {"M": {"name": {"S": "[]"}}}},
    "events that are null": ITEM | {"events": {"S": "null"}},
    "a round with a fraction": ITEM | {"round": {"N": "1.5"}},
    "an expiry that is text": ITEM | {"expires_at": {"S": str(NOW)}},
    "a flag that is text": ITEM | {"finished": {"S": "true"}},
    "a session": {
        "session_id": {"S": SESSION.id},
        "item": {"S": "session"},
        "version": {"S": "2025-11-25"},
        "created_at": {"N": str(NOW)},
        "expires_at": {"N": str(NOW)},
    },
}


@pytest.mark.parametrize("name", FOREIGN)
def test_an_item_of_another_shape_is_no_exchange(name: str) -> None:
    assert exchange_from_item(FOREIGN[name]) is None
