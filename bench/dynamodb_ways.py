"""One process of `bench.dynamodb`: one way to ask DynamoDB, timed from before its first import.

`python -m bench.dynamodb_ways WAY ENDPOINT CALLS CPU DATA` prints one JSON object. The clock starts when what
the handler imports for every request is there.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

Get: TypeAlias = Callable[[], dict[str, Any]]

TABLE: Final = "three-good-sources-sessions"
KEY: Final = {"session_id": {"S": "0123456789-abc_DEF"}, "item": {"S": "session"}}
_READ: Final = {"TableName": TABLE, "Key": KEY, "ConsistentRead": True}


def _boto3(endpoint: str, _data: str) -> Get:
    """A client of boto3 with explicit timeouts and retries."""
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=1, read_timeout=2, retries={"mode": "standard", "total_max_attempts": 3})
    client = boto3.Session().client("dynamodb", endpoint_url=endpoint, config=config)
    return lambda: dict(client.get_item(TableName=TABLE, Key=KEY, ConsistentRead=True))


def _botocore(endpoint: str, data: str) -> Get:
    """A client of botocore that reads a service model of four operations, and checks no parameters."""
    import botocore.session
    from botocore.config import Config
    from botocore.loaders import Loader

    session = botocore.session.Session()
    session.register_component("data_loader", Loader([data], include_default_search_paths=False))
    config = Config(
        connect_timeout=1,
        read_timeout=2,
        retries={"mode": "standard", "total_max_attempts": 3},
        parameter_validation=False,
        inject_host_prefix=False,
    )
    client: Any = session.create_client("dynamodb", endpoint_url=endpoint, config=config)
    return lambda: dict(client.get_item(TableName=TABLE, Key=KEY, ConsistentRead=True))


def _signer(endpoint: str, _data: str) -> Get:
    """A request over `http.client` that botocore signs: the least that can be done with it, no retries."""
    import http.client
    import json
    from urllib.parse import urlsplit

    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    found = Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])
    signer = SigV4Auth(found, "dynamodb", os.environ["AWS_REGION"])
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=2)
    fixed = {"content-type": "application/x-amz-json-1.0", "x-amz-target": "DynamoDB_20120810.GetItem"}

    def get() -> dict[str, Any]:
        request = AWSRequest("POST", f"{endpoint}/", dict(fixed), json.dumps(_READ).encode())
        signer.add_auth(request)
        connection.request("POST", "/", request.data, dict(request.headers.items()))
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer

    return get


def _product(endpoint: str, _data: str) -> Get:
    """The product's own client."""
    from mcpcore_aws.dynamodb import DynamoDB

    client = DynamoDB({**os.environ, "AWS_ENDPOINT_URL_DYNAMODB": endpoint})
    return lambda: client.call("GetItem", _READ)


WAYS: Final = {
    "boto3": _boto3,
    "botocore, trimmed": _botocore,
    "botocore's signer": _signer,
    "mcpcore_aws.dynamodb": _product,
}


def main(way: str, endpoint: str, calls: int, cpu: int, data: str) -> int:
    """Time the import and the first call, then `calls` more; a wrong answer ends it."""
    import mcpcore_aws.adapter  # noqa: F401  # every request needs it

    os.sched_setaffinity(0, {cpu})
    before = _peak_mb()
    started = time.perf_counter()
    get = WAYS[way](endpoint, data)
    answer = get()
    first_ms = (time.perf_counter() - started) * 1000
    wall, busy = [], []
    for _ in range(calls):
        busy_since, since = time.process_time(), time.perf_counter()
        get()
        wall.append((time.perf_counter() - since) * 1e6)
        busy.append((time.process_time() - busy_since) * 1e6)

    import json

    added_mb = _peak_mb() - before
    figures = {"first_ms": first_ms, "wall_us": sorted(wall), "busy_us": sorted(busy), "mb": added_mb}
    print(json.dumps(figures))
    return 0 if answer["Item"]["session_id"] == KEY["session_id"] else 1


def _peak_mb() -> float:
    """Peak resident memory; `getrusage` would count what the parent had when this process began."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]))
