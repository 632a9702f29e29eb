"""The environment that the handler reads, for a run on this machine."""

import os
from pathlib import Path
from typing import Final

__all__ = ["SESSIONS_TABLE", "prepare"]

SESSIONS_TABLE: Final = "three-good-sources-sessions"

_BAKED: Final = Path(__file__).parents[2] / "layers" / "registry" / "baked"

_DEFAULTS: Final = {
    "REGISTRY_DIR": str(_BAKED),
    "SESSIONS_TABLE": SESSIONS_TABLE,
    "STATE_SECRET": "of this machine alone, so it need not be secret",
    "POWERTOOLS_SERVICE_NAME": "three-good-sources",
    # There is no CloudWatch here to read them from the output.
    "POWERTOOLS_METRICS_DISABLED": "true",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def prepare(**settings: str) -> None:
    """Set the variables of a local run that are not set yet; those given come before the defaults.

    The handler reads them when it is imported, so this comes first.
    """
    for name, value in {**_DEFAULTS, **settings}.items():
        os.environ.setdefault(name, value)
