"""Running the project's own commands from a test: where they are, and in which environment."""

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

# boto3 wants some account before it talks to anybody; nothing that is real answers to this one.
DUMMY_ACCOUNT: Final = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def plain_environment() -> dict[str, str]:
    """This process's environment less what make, pytest or an AWS account put there."""
    foreign = ("MAKE", "MFLAGS", "PYTHONPATH", "PYTEST_", "COV_", "AWS_", "POWERTOOLS_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)} | DUMMY_ACCOUNT
