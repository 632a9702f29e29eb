"""The modules that nobody shall wait for at a cold start, and processes that start cold and tell."""

import json
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.support.processes import ROOT
from tests.support.published import baked_folder
from tests.support.serving import environment
from threegood.commands.prebuild import prebuild

__all__ = [
    "AUTHORIZATION",
    "COSTS_MS",
    "DEPLOYED_COSTS_MS",
    "FIRST_QUERY",
    "JWT",
    "Started",
    "answering",
    "answering_deployed",
    "prepared_function",
]

COSTS_MS: Final = {
    "boto3": 233,  # with a client of DynamoDB
    "botocore.client": 117,
    "botocore.session": 158,
    "pydantic": 124,  # with two models
    "pydantic_core": 124,
    "mcpcore.definitions.type_schemas": 124,
    "numpy": 136,
    "threegood.registry.records": 128,
    "aws_lambda_powertools.event_handler": 101,
    "requests": 94,
    "jsonschema": 82,
    "urllib3": 79,
    "joserfc": 49,  # with cryptography
    "aws_lambda_powertools": 38,  # with its Logger and Metrics
    "asyncio": 34,
    "mcpcore_aws.authorization.issuer_keys": 49,
    "mcpcore_aws.authorization.jwt": 49,
    "jsonschema_rs": 22,
    "msgspec": 20,
    "referencing": 17,
    "fastjsonschema": 14,
    "rapidfuzz": 13,
    "orjson": 13,
    "cryptography": 15,
    "threegood.registry.rules": 10,
    "difflib": 8,
    "mcpcore_aws.authorization": 4,
    "mcpcore.http.authorization": 1,
    "baking": 0,  # what follows is nothing that is deployed
    "local": 0,
}
"""Modules that no first request needs, and the ms that importing one adds to a bare start of 48 ms."""

DEPLOYED_COSTS_MS: Final = {
    "mcpcore_aws.dynamodb": 43,
    "urllib.request": 24,
    "mcpcore_aws.connections": 24,
    "http.client": 19,
    "typing_extensions": 12,
    "inspect": 9,
    "ssl": 9,
    "dataclasses": 8,
    "email": 7,
    "secrets": 6,
    "tempfile": 4,
    "gzip": 1,
    "random": 1,
}
"""Modules that no first request of the modern era imports in the deployed Python, with import times in ms.

An older Python loads some of them for what the newer has of its own.
"""

FIRST_QUERY: Final = {"Stemmer"}
"""Modules that only a query imports."""

AUTHORIZATION: Final = {"mcpcore.http.authorization", "mcpcore_aws.authorization"}
"""Modules that only authorization imports, whatever it takes."""

JWT: Final = {
    "cryptography",
    "joserfc",
    "mcpcore_aws.authorization.issuer_keys",
    "mcpcore_aws.authorization.jwt",
}
"""Modules that only authorization by JWTs imports."""

_TOLD: Final = """
import json, sys
from handler import lambda_handler
class Context:
    aws_request_id = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    def get_remaining_time_in_millis(self):
        return 29000
statuses = [lambda_handler(event, Context())["statusCode"] for event in json.loads(sys.stdin.read())]
print(json.dumps([statuses, sorted({*sys.argv[1:]}.intersection(sys.modules))]), file=sys.stderr)
"""


class Started(subprocess.CompletedProcess[str]):
    """A process that made the handler and answered events, if it came so far."""

    def record(self) -> tuple[list[int], list[str]]:
        """The statuses of the answers, and which costly modules were loaded at the end."""
        statuses, loaded = json.loads(self.stderr.splitlines()[-1])
        return statuses, loaded


def prepared_function(folder: Path) -> Path:
    """The function as it is built, in `folder`: its code, and beside it what was prepared."""
    function = folder / "function"
    shutil.copytree(ROOT / "functions/mcp", function, ignore=shutil.ignore_patterns("__pycache__"))
    prebuild([str(function), "--baked", str(baked_folder())], standalone_mode=False)
    return function


def answering(function: Path, events: Sequence[dict[str, Any]], **variables: str) -> Started:
    """A process that makes the handler of `function` and answers these events; any warning ends it."""
    python, costly = [sys.executable], {*COSTS_MS, *FIRST_QUERY}
    return _answering(python, [function, ROOT / "layers/core"], costly, events, variables)


def answering_deployed(
    python: Path, task: Path, packages: Path, events: Sequence[dict[str, Any]], **variables: str
) -> Started:
    """The same of what is deployed, by its own Python, which has nothing installed."""
    costly = COSTS_MS.keys() | DEPLOYED_COSTS_MS.keys()
    return _answering([str(python), "-S"], [task, packages], costly, events, variables)


def _answering(
    python: Sequence[str],
    paths: Sequence[Path],
    costly: Collection[str],
    events: Sequence[dict[str, Any]],
    variables: Mapping[str, str],
) -> Started:
    ended = subprocess.run(
        [*python, "-W", "error", "-c", _TOLD, *costly],
        cwd=paths[0],
        env={**environment(**variables), "PYTHONPATH": ":".join(map(str, paths))},
        input=json.dumps(events),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return Started(ended.args, ended.returncode, ended.stdout, ended.stderr)
