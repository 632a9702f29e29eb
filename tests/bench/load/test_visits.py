import os
from typing import Any

import pytest

from bench.load.table import differences
from bench.load.visits import Books, Reply, Visits, Wrong
from tests.support.dynamodb import empty_table, items_of
from tests.support.exchanges import Handler, LambdaContext

LATER = 4_000_000_000
QUERIES = ["learn rust", "bake bread"]


class Product:
    """The product as visits reach it, and the table under it."""

    def __init__(self, handler: Handler, endpoint: str, table: str) -> None:
        self.handler = handler
        self.endpoint = endpoint
        self.table = table

    def send(self, _kind: str, event: dict[str, Any]) -> Reply:
        reply = self.handler(event, LambdaContext())
        return Reply(reply["statusCode"], reply["headers"], reply["body"])

    def differences(self, books: Books, *, now: float = 0) -> list[str]:
        noted = {"open": books.open, "ended": books.ended, "expired": []}
        return differences(items_of(self.endpoint, self.table), noted, now=now)


@pytest.fixture
def product(handler: Handler, dynamodb: str) -> Product:
    empty_table(dynamodb, os.environ["SESSIONS_TABLE"])
    return Product(handler, dynamodb, os.environ["SESSIONS_TABLE"])


def visited(product: Product) -> tuple[Visits, Books]:
    books = Books()
    visits = Visits(product.send, books, QUERIES)
    for visit in [visits.modern, visits.in_old_session, visits.in_new_session] * 3:
        visit()
    return visits, books


def test_after_visits_of_both_eras_every_session_is_where_the_books_have_it(product: Product) -> None:
    visits, books = visited(product)
    visits.look_up()
    assert books.open
    assert books.ended
    assert product.differences(books) == []


def test_a_lost_session_is_noticed_by_its_client_and_in_the_table(product: Product) -> None:
    visits, books = visited(product)
    empty_table(product.endpoint, product.table)
    with pytest.raises(Wrong):
        visits.look_up()
    assert product.differences(books)


def test_an_expired_session_is_not_an_open_one(product: Product) -> None:
    _, books = visited(product)
    assert product.differences(books, now=LATER)


def test_a_session_that_two_clients_get_is_noticed(product: Product) -> None:
    first: list[Reply] = []

    def the_same_session(kind: str, event: dict[str, Any]) -> Reply:
        reply = product.send(kind, event)
        if kind == "2025 initialize":
            first.append(reply)
            return reply._replace(headers=first[0].headers)
        return reply

    visits = Visits(the_same_session, Books(), QUERIES)
    visits.in_new_session()
    with pytest.raises(Wrong, match="two clients"):
        visits.in_new_session()


@pytest.mark.parametrize(
    "change",
    [
        {"status": 500},
        {"body": '{"jsonrpc": "2.0", "id": -1, "result": {}}'},
        {"body": '{"jsonrpc": "2.0", "id": 1, "error": {}}'},
    ],
    ids=["another status", "another's reply", "an error"],
)
def test_a_wrong_reply_is_noticed(product: Product, change: dict[str, Any]) -> None:
    visits = Visits(lambda *sent: product.send(*sent)._replace(**change), Books(), QUERIES)
    with pytest.raises(Wrong):
        visits.modern()
