"""A DynamoDB for what is measured, and the product's variables with it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.processes import DUMMY_ACCOUNT, ROOT, plain_environment
from threegood_local.environment import SESSIONS_TABLE

__all__ = ["dynamodb", "product_variables"]


def product_variables(endpoint: str) -> dict[str, str]:
    """The product's variables as its template sets them, with a local DynamoDB."""
    return DUMMY_ACCOUNT | {
        "SESSIONS_TABLE": SESSIONS_TABLE,
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        "POWERTOOLS_SERVICE_NAME": "three-good-sources",
        "POWERTOOLS_METRICS_NAMESPACE": "ThreeGoodSources",
    }


@contextmanager
def dynamodb() -> Iterator[str]:
    """A DynamoDB in a process of its own, which may run on other cores than the one that is measured."""
    with subprocess.Popen(
        [sys.executable, "-m", "threegood_local.dynamodb"],
        cwd=ROOT,
        env=plain_environment() | {"PYTHONPATH": ".:local:layers/core:functions/mcp"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
