"""`make fixture`: the fixture as a Lambda handler behind the local gateway, with DynamoDB embedded."""

import argparse
from typing import Final

from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_local import gateway_until_interrupted
from tests.conformance.fixture import fixture_server
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import SESSIONS_TABLE, set_defaults

_STATE_KEY: Final = b"a fixture has nothing to keep secret"


def main() -> None:
    """Serve until interrupted; the first line printed ends in the URL."""
    parser = argparse.ArgumentParser(prog="make fixture", description=main.__doc__)
    parser.add_argument("--port", type=int, default=3001)
    port = parser.parse_args().port
    set_defaults(POWERTOOLS_SERVICE_NAME="conformance-fixture")
    with gateway_until_interrupted(port) as gateway, embedded_dynamodb() as endpoint:
        set_defaults(AWS_ENDPOINT_URL_DYNAMODB=endpoint)
        adapter = LambdaAdapter(
            fixture_server(),
            sessions=DynamoDBSessions(SESSIONS_TABLE),
            policy=gateway.policy,
            state_keys=(_STATE_KEY,),
        )
        print(f"The fixture is served at {gateway.url}", flush=True)
        gateway.serve(adapter)


if __name__ == "__main__":
    main()
