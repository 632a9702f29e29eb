"""What is measured: the handler of each target, where its packages come from, and what it is asked."""

from typing import Final, NamedTuple

from bench.serving.events import CALL, HANDSHAKE, INITIALIZE, LEGACY_CALL, MODERN

__all__ = [
    "AGED",
    "FEW_TOOLS",
    "FLOOR",
    "FLOOR_WITH_TOOL",
    "FRESH",
    "MANY_TOOLS",
    "OURS",
    "QUICK",
    "QUIET",
    "QUIETED",
    "SDK",
    "TARGETS",
    "Target",
]

FLOOR: Final = "floor"
FLOOR_WITH_TOOL: Final = "floor-with-tool"
AWSLABS: Final = "awslabs"
SDK: Final = "sdk"
FASTMCP: Final = "fastmcp"
OURS: Final = "ours"
QUIETED: Final = "ours, quiet"
"""The product with `QUIET`."""

AGED: Final = "aged"
"""The product when it has served many requests."""
FRESH: Final = "fresh"
"""The product when it has served few."""

FEW_TOOLS: Final = "4"
MANY_TOOLS: Final = "200"

# With nothing written, and the counting of what is not written left in.
QUIET: Final = {"POWERTOOLS_LOG_LEVEL": "CRITICAL", "POWERTOOLS_METRICS_DISABLED": "true"}


class Target(NamedTuple):
    """One server. `packages` names its lock file, none if it needs no packages or is the product.

    `first` are the kinds of request that a cold start is measured with, `warm` those of the warm path.
    """

    name: str
    handler: str
    packages: str | None
    first: tuple[str, ...]
    warm: tuple[str, ...]


_ALL: Final = (*MODERN, *HANDSHAKE)

TARGETS: Final[tuple[Target, ...]] = (
    Target(FLOOR, "peers.floor.app.lambda_handler", None, (CALL, INITIALIZE), _ALL),
    Target(FLOOR_WITH_TOOL, "peers.floor_with_tool.app.lambda_handler", None, (CALL,), _ALL),
    Target(AWSLABS, "peers.awslabs.app.lambda_handler", AWSLABS, (LEGACY_CALL, INITIALIZE), HANDSHAKE),
    Target(SDK, "peers.sdk.app.lambda_handler", SDK, (CALL, INITIALIZE), _ALL),
    Target(FASTMCP, "peers.fastmcp.app.lambda_handler", FASTMCP, (CALL, INITIALIZE), _ALL),
    Target(OURS, "handler.lambda_handler", None, (CALL, INITIALIZE), _ALL),
)

QUICK: Final = (FLOOR, FLOOR_WITH_TOOL, OURS)
