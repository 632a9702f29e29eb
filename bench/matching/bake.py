"""`python -m bench.matching.bake`: bakes one registry in a process of its own, and tells what that cost."""

import argparse
import json
import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bench.matching.planted import Planted, planted_queries
from bench.matching.synthetic import synthetic_registry, synthetic_topics
from bench.matching.worst import worst_queries
from threegood.baking.bake import bake
from threegood.registry.records import Registry

# The parts of what is left in the folder.
REGISTRY: Final = "registry"
QUERIES: Final = "queries.json"

_KIB_PER_MIB: Final = 1024


def main() -> int:
    """Bake a synthetic registry, write queries for it beside it, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.matching.bake", description=main.__doc__)
    parser.add_argument("size", type=int, help="how many categories")
    parser.add_argument("folder", type=Path, help=f"gets {REGISTRY}/ and {QUERIES}")
    arguments = parser.parse_args()
    registry = synthetic_registry(arguments.size)
    before = _peak_mib()
    began = perf_counter()
    bake(registry, arguments.folder / REGISTRY)
    seconds = perf_counter() - began
    after = _peak_mib()
    queries = _queries(registry, planted_queries(registry, synthetic_topics(arguments.size)))
    (arguments.folder / QUERIES).write_text(json.dumps(queries))
    baked = (arguments.folder / REGISTRY).iterdir()
    print(
        json.dumps(
            {
                "size": arguments.size,
                "outside": len(registry.outside),
                "bake_seconds": seconds,
                "registry_mib": before,
                "peak_mib": after,
                "files": {file.name: file.stat().st_size for file in sorted(baked)},
            }
        )
    )
    return 0


def _queries(registry: Registry, planted: list[Planted]) -> dict[str, Any]:
    return {
        "planted": [[each.query, each.expected] for each in planted],
        "worst": dict(worst_queries(registry)),
    }


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_PER_MIB


if __name__ == "__main__":
    sys.exit(main())
