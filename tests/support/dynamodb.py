"""Tables of sessions and of API keys on moto's own server, and addresses at which no DynamoDB answers."""

import functools
import json
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final

import pytest

from tests.support.processes import DUMMY_ACCOUNT
from tests.support.stack import client
from threegood_local.dynamodb import create_sessions_table

__all__ = [
    "account_at",
    "closed_port",
    "empty_table",
    "fresh_api_keys_table",
    "fresh_table",
    "items_of",
    "put_item",
    "recording_server",
    "silent_server",
    "use_dynamodb",
]


def use_dynamodb(patch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Let clients, as long as `patch` lasts, find DynamoDB at `endpoint`, in a made-up account."""
    for name, value in account_at(endpoint).items():
        patch.setenv(name, value)


def account_at(endpoint: str) -> dict[str, str]:
    """The environment of a client of the DynamoDB at `endpoint`, in a made-up account."""
    return {**DUMMY_ACCOUNT, "AWS_ENDPOINT_URL_DYNAMODB": endpoint}


def fresh_table(endpoint: str) -> str:
    """The name of a new, empty sessions table at `endpoint`, which the environment must know already."""
    name = f"sessions-{uuid.uuid4().hex}"
    create_sessions_table(endpoint, name)
    return name


def fresh_api_keys_table(endpoint: str) -> str:
    """The name of a new, empty table of API keys at `endpoint`."""
    name = f"api-keys-{uuid.uuid4().hex}"
    _client(endpoint).create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "key_hash", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "key_hash", "KeyType": "HASH"}],
    )
    return name


def items_of(endpoint: str, table: str) -> list[dict[str, Any]]:
    """Everything in a table, as it is stored."""
    found: list[dict[str, Any]] = _client(endpoint).scan(TableName=table)["Items"]
    return found


def put_item(endpoint: str, table: str, item: dict[str, Any]) -> None:
    """Store an item as it is."""
    _client(endpoint).put_item(TableName=table, Item=item)


def empty_table(endpoint: str, table: str) -> None:
    """Delete everything in a table."""
    for item in items_of(endpoint, table):
        key = {name: item[name] for name in ("session_id", "item")}
        _client(endpoint).delete_item(TableName=table, Key=key)


def closed_port() -> int:
    """A port of this machine on which no process listens."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        port: int = opened.getsockname()[1]
        return port


@contextmanager
def silent_server() -> Iterator[str]:
    """The URL of a server that accepts connections and never sends a response."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def recording_server(
    largest_bytes: int = 1_000_000,
) -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """The URL of a DynamoDB without items, and the list of its requests: operation and parameters.

    It refuses requests larger than `largest_bytes`, as DynamoDB does with an update that would make an item
    too large; moto's server accepts an update within a map of any size.
    """
    asked: list[tuple[str, dict[str, Any]]] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            operation = self.headers["x-amz-target"].partition(".")[2]
            length = int(self.headers["content-length"])
            asked.append((operation, json.loads(self.rfile.read(length))))
            status, answer = (200, b"{}") if length <= largest_bytes else (400, _TOO_LARGE)
            self.send_response(status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Recorder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


_TOO_LARGE: Final = json.dumps(
    {
        "__type": "com.amazon.coral.validate#ValidationException",
        "message": "Item size to update has exceeded the maximum allowed size",
    }
).encode()


@functools.cache
def _client(endpoint: str) -> Any:
    return client("dynamodb", endpoint)  # made once: it costs more than all its requests
