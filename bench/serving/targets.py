"""The servers that are measured: their handlers, packages and kinds of request."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bench.serving.events import CALL, INITIALIZE, LEGACY, LEGACY_CALL, MODERN

__all__ = [
    "AWSLABS",
    "FASTMCP",
    "FLOOR",
    "FLOOR_WITH_TOOL",
    "OURS",
    "OURS_AUTHORIZED",
    "QUICK",
    "QUIET",
    "QUIET_VARIABLES",
    "SDK",
    "SDK_AUTHORIZED",
    "TARGETS",
    "Target",
]

FLOOR: Final = "floor"
FLOOR_WITH_TOOL: Final = "floor-with-tool"
AWSLABS: Final = "awslabs"
SDK: Final = "sdk"
SDK_AUTHORIZED: Final = "sdk-authorized"
FASTMCP: Final = "fastmcp"
OURS: Final = "ours"
OURS_AUTHORIZED: Final = "ours-authorized"

QUIET: Final = "ours, quiet"
"""The product without log lines and metrics: with `QUIET_VARIABLES`."""
QUIET_VARIABLES: Final = {"POWERTOOLS_LOG_LEVEL": "CRITICAL", "POWERTOOLS_METRICS_DISABLED": "true"}


class Target(NamedTuple):
    """One server. `packages` names its lock file; None for the product and for servers without packages.

    `first` are the kinds of request that cold starts are measured with, `warm` those of the warm path.
    Where requests are `authorized`, they carry a token, and the server verifies it.
    """

    name: str
    handler: str
    packages: str | None
    first: tuple[str, ...]
    warm: tuple[str, ...]
    authorized: bool = False


_FIRST: Final = (CALL, INITIALIZE)
_WARM: Final = (*MODERN, *LEGACY)

TARGETS: Final[Mapping[str, Target]] = {
    target.name: target
    for target in (
        Target(FLOOR, "peers.floor.lambda_handler", None, _FIRST, _WARM),
        Target(FLOOR_WITH_TOOL, "peers.floor_with_tool.lambda_handler", None, (CALL,), _WARM),
        Target(AWSLABS, "peers.awslabs.lambda_handler", AWSLABS, (LEGACY_CALL, INITIALIZE), LEGACY),
        Target(SDK, "peers.sdk.lambda_handler", SDK, _FIRST, _WARM),
        Target(SDK_AUTHORIZED, "peers.sdk.lambda_handler", SDK, (CALL,), (), authorized=True),
        Target(FASTMCP, "peers.fastmcp.lambda_handler", FASTMCP, _FIRST, _WARM),
        Target(OURS, "handler.lambda_handler", None, _FIRST, _WARM),
        Target(OURS_AUTHORIZED, "handler.lambda_handler", None, (CALL,), (), authorized=True),
    )
}

QUICK: Final = (FLOOR, FLOOR_WITH_TOOL, OURS)
