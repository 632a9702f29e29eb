"""The environment that the handler reads, for a run on this machine."""

import os
from pathlib import Path
from typing import Final

__all__ = ["SESSIONS_TABLE", "set_defaults"]

SESSIONS_TABLE: Final = "three-good-sources-sessions"

_BAKED: Final = Path(__file__).parents[2] / "layers" / "registry" / "baked"

_DEFAULTS: Final = {
    "REGISTRY_DIR": str(_BAKED),
    "SESSIONS_TABLE": SESSIONS_TABLE,
    "STATE_SECRET": "local runs only, so this key is not secret",
    "CLIENT_DIGEST_KEY": "local runs only, so this key is not secret either",
    "POWERTOOLS_SERVICE_NAME": "three-good-sources",
    # Only CloudWatch reads metrics from the output.
    "POWERTOOLS_METRICS_DISABLED": "true",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def set_defaults(**settings: str) -> None:
    """Set the environment variables of a local run that are not set yet; `settings` replace the defaults.

    Call it before the handler is imported: the handler reads them then.
    """
    for name, value in {**_DEFAULTS, **settings}.items():
        os.environ.setdefault(name, value)
