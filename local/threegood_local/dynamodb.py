"""DynamoDB on this machine: moto's server on loopback, with the sessions table in it."""

import argparse
import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from threegood_local.environment import SESSIONS_TABLE, set_defaults

__all__ = ["create_sessions_table", "embedded_dynamodb"]

_LOOPBACK: Final = "127.0.0.1"


@contextmanager
def embedded_dynamodb(port: int = 0, host: str = _LOOPBACK) -> Iterator[str]:
    """The endpoint of a DynamoDB that holds the sessions table and runs until the block ends.

    The table is created in the region and account of the environment: call `set_defaults` first.
    """
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # the handler logs its own requests
    server = ThreadedMotoServer(ip_address=host, port=port, verbose=False)
    server.start()
    try:
        host, bound_port = server.get_host_and_port()
        endpoint = f"http://{host}:{bound_port}"
        create_sessions_table(endpoint)
        yield endpoint
    finally:
        server.stop()


def create_sessions_table(endpoint: str, name: str = SESSIONS_TABLE) -> None:
    """Create the table as `template.yaml` declares it; a test compares the two."""
    import boto3

    client = boto3.Session().client("dynamodb", endpoint_url=endpoint)
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "session_id", "AttributeType": "S"},
            {"AttributeName": "item", "AttributeType": "S"},
        ],
        KeySchema=[
            {"AttributeName": "session_id", "KeyType": "HASH"},
            {"AttributeName": "item", "KeyType": "RANGE"},
        ],
    )
    client.update_time_to_live(
        TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"}
    )


def main() -> None:
    """Serve until interrupted; the first line printed is the endpoint."""
    parser = argparse.ArgumentParser(prog="python -m threegood_local.dynamodb", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument(
        "--host", default=_LOOPBACK, help="containers cannot reach loopback: give the bridge's address"
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    set_defaults()
    with suppress(KeyboardInterrupt), embedded_dynamodb(arguments.port, arguments.host) as endpoint:
        print(endpoint, flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
