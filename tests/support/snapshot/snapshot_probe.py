"""The product's handler, which tells with each reply what the request has imported."""

import sys
from typing import Any

from handler import lambda_handler as _product


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """The reply, and the modules that were not there before the request."""
    before = set(sys.modules)
    reply = _product(event, context)
    return {**reply, "imported": sorted(set(sys.modules) - before)}
