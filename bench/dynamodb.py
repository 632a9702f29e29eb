"""`python -m bench.dynamodb`: what one read of a session costs, by four ways to ask DynamoDB.

Each figure is a median over processes that start afresh, on one core, the ways in turn; DynamoDB is moto's
server on loopback, so there is no TLS in them. The last line is one JSON object. It needs Linux.
"""

import argparse
import gzip
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from bench.dynamodb_ways import KEY, TABLE, WAYS
from threegood_local.dynamodb import embedded_dynamodb
from threegood_local.environment import set_defaults

_ROOT: Final = Path(__file__).parents[1]
_OPERATIONS: Final = ("DeleteItem", "GetItem", "PutItem", "UpdateItem")
_VERSIONS: Final = (
    "import json, platform, boto3, botocore;"
    "print(json.dumps([platform.python_version(), boto3.__version__, botocore.__version__]))"
)


class Figures(NamedTuple):
    """Medians over the processes of one way: milliseconds, megabytes, microseconds."""

    first_ms: float
    rss_mb: float
    warm_us: float
    warm_p99_us: float
    busy_us: float


def main() -> int:
    """Compare the ways; the first round warms Python's caches and is not counted."""
    parser = argparse.ArgumentParser(prog="python -m bench.dynamodb", description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="processes of each way")
    parser.add_argument("--calls", type=int, default=300, help="warm calls in each process")
    parser.add_argument(
        "--python", default=sys.executable, help="an interpreter with boto3 and the dependencies layer"
    )
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on")
    arguments = parser.parse_args()
    set_defaults(AWS_REGION="us-east-1")
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder, embedded_dynamodb() as endpoint:
        _put_session(endpoint)
        _trim(Path(folder))
        for _ in range(arguments.rounds + 1):
            for way, found in runs.items():
                command = [way, endpoint, str(arguments.calls), str(arguments.cpu), folder]
                found.append(json.loads(_output(arguments.python, "-m", "bench.dynamodb_ways", *command)))
    figures = {way: _figures(found[1:]) for way, found in runs.items()}
    python, boto3, botocore = json.loads(_output(arguments.python, "-c", _VERSIONS))
    print(f"Python {python}, boto3 {boto3}, botocore {botocore}, {platform.machine()}, ", end="")
    print(f"medians of {arguments.rounds} processes, {arguments.calls} warm calls in each\n")
    print(as_markdown(figures))
    print(json.dumps({way: found._asdict() for way, found in figures.items()}))
    return 0


def as_markdown(figures: dict[str, Figures]) -> str:
    """The table; what is compared with is the first way."""
    lines = [
        "| way | import and first call, ms | peak RSS added, MB | warm call, µs | p99, µs | CPU of it, µs |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {way} | {found.first_ms:.0f} | {found.rss_mb:.1f} | {found.warm_us:.0f} "
            f"| {found.warm_p99_us:.0f} | {found.busy_us:.0f} |"
            for way, found in figures.items()
        ),
    ]
    return "\n".join(lines) + "\n"


def _figures(runs: list[dict[str, Any]]) -> Figures:
    return Figures(
        first_ms=median(run["first_ms"] for run in runs),
        rss_mb=median(run["mb"] for run in runs),
        warm_us=median(_at(0.5, run["wall_us"]) for run in runs),
        warm_p99_us=median(_at(0.99, run["wall_us"]) for run in runs),
        busy_us=median(_at(0.5, run["busy_us"]) for run in runs),
    )


def _at(share: float, ordered: list[float]) -> float:
    return ordered[int(share * (len(ordered) - 1))]


def _output(python: str, *arguments: str) -> str:
    return subprocess.run(
        [python, *arguments],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": f".:{_ROOT / 'layers' / 'core'}"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def _put_session(endpoint: str) -> None:
    import boto3

    item = {
        **KEY,
        "version": {"S": "2025-11-25"},
        "capabilities": {"S": "{}"},
        "expires_at": {"N": "1800000000"},
    }
    client = boto3.Session().client("dynamodb", endpoint_url=endpoint)
    client.put_item(TableName=TABLE, Item=item)


def _trim(folder: Path) -> None:
    """Write botocore's data as far as four operations of DynamoDB need it."""
    import botocore

    data = Path(botocore.__file__).parent / "data"
    for name in ("_retry.json", "partitions.json", "sdk-default-configuration.json"):
        shutil.copy(data / name, folder / name)
    endpoints = json.loads((data / "endpoints.json").read_text())
    endpoints["partitions"] = endpoints["partitions"][:1]
    endpoints["partitions"][0]["services"] = {"dynamodb": endpoints["partitions"][0]["services"]["dynamodb"]}
    (folder / "endpoints.json").write_text(json.dumps(endpoints))
    service = data / "dynamodb" / "2012-08-10"
    trimmed = folder / "dynamodb" / service.name
    trimmed.mkdir(parents=True)
    rules = gzip.decompress((service / "endpoint-rule-set-1.json.gz").read_bytes())
    (trimmed / "endpoint-rule-set-1.json").write_bytes(rules)
    model = json.loads(gzip.decompress((service / "service-2.json.gz").read_bytes()))
    model["operations"] = {name: model["operations"][name] for name in _OPERATIONS}
    reached = _reached(model["shapes"], model["operations"].values())
    model["shapes"] = {name: shape for name, shape in model["shapes"].items() if name in reached}
    (trimmed / "service-2.json").write_text(json.dumps(model))


def _reached(shapes: dict[str, Any], roots: Iterable[Any]) -> set[str]:
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and value in shapes and value not in reached:
            reached.add(value)
            waiting.append(shapes[value])
    return reached


if __name__ == "__main__":
    sys.exit(main())
