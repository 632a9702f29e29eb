"""`make fixture`: the fixture as a Lambda handler behind the local gateway, with DynamoDB embedded."""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from mcpcore.http import Policy
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_local.gateway import Gateway
from tests.conformance.fixture import fixture_server
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import SESSIONS_TABLE, prepare

__all__ = ["running"]

_STATE_KEY: Final = b"a fixture has nothing to keep secret"


@contextmanager
def running(port: int) -> Iterator[Gateway]:
    """The fixture, served on this machine for as long as the block lasts; port 0 is any free one.

    Raises:
        OSError: the port is taken.
    """
    with Gateway(port) as gateway, embedded_dynamodb() as endpoint:
        prepare(AWS_ENDPOINT_URL_DYNAMODB=endpoint, POWERTOOLS_SERVICE_NAME="conformance-fixture")
        gateway.handler = LambdaAdapter(
            fixture_server(),
            sessions=DynamoDBSessions(SESSIONS_TABLE),
            policy=_policy(gateway.server_address[1]),
            state_keys=(_STATE_KEY,),
        )
        with gateway.serving():
            yield gateway


def _policy(port: int) -> Policy:
    hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
    return Policy(allowed_hosts=hosts, allowed_origins=frozenset(f"http://{host}" for host in hosts))


def main() -> int:
    """Serve until interrupted; the first line printed ends in the URL."""
    parser = argparse.ArgumentParser(prog="make fixture", description=main.__doc__)
    parser.add_argument("--port", type=int, default=3001)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    prepare()
    try:
        with running(arguments.port) as gateway:
            print(f"The fixture is served at {gateway.url}", flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
    except OSError as error:
        print(f"Port {arguments.port} cannot be served: {error.strerror}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
