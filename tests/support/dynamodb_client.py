"""A DynamoDB client that never sleeps, and the scripted server that it talks to."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from mcpcore_aws.dynamodb import DynamoDB, RetryPolicy
from tests.support.scripted import Scripted, Step, scripted

__all__ = ["ACCOUNT", "FOUND", "KEY", "NOW", "Client", "client_of", "connected"]

NOW: Final = 1_800_000_000.5
ACCOUNT: Final = {
    "AWS_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "ASIAEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "hush/secret",
    "AWS_SESSION_TOKEN": "hush/token",
}
KEY: Final = {"Key": {"id": {"S": "ü"}}}
FOUND: Final = {"Item": {"id": {"S": "ü"}, "n": {"N": "123456789012345678901234567890.5"}}}
IMPATIENT: Final = RetryPolicy(connect_seconds=0.5, read_seconds=0.2)


class Client(NamedTuple):
    """A client with a fake sleep, and the seconds that it asked to sleep."""

    dynamodb: DynamoDB
    waits: list[float]

    def get(self) -> dict[str, Any]:
        """The response to a read."""
        return self.dynamodb.call("GetItem", KEY)


@contextlib.contextmanager
def client_of(
    endpoint: str, variables: Mapping[str, str] | None = None, *, jitter: float = 1.0
) -> Iterator[Client]:
    """A client of the server at `endpoint`, whose environment has `variables` too."""
    waits: list[float] = []
    made = DynamoDB(
        {**ACCOUNT, "AWS_ENDPOINT_URL_DYNAMODB": endpoint, **(variables or {})},
        retry_policy=IMPATIENT,
        clock=lambda: NOW,
        sleep=waits.append,
        jitter=lambda: jitter,
    )
    yield Client(made, waits)
    made.close()


@contextlib.contextmanager
def connected(*steps: Step, jitter: float = 1.0) -> Iterator[tuple[Client, Scripted]]:
    """A client, and the server it talks to."""
    with scripted(*steps) as server, client_of(server.endpoint, jitter=jitter) as client:
        yield client, server
