"""`python -m bench.matching.bake`: bakes one synthetic registry in a process of its own, and measures it."""

import argparse
import json
import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import Final

from bench.matching.queries import planted_queries, worst_queries
from bench.matching.synthetic import synthetic_registry, synthetic_topics
from threegood.baking.bake import bake

__all__ = ["QUERIES", "REGISTRY"]

# What the folder contains afterwards.
REGISTRY: Final = "registry"
QUERIES: Final = "queries.json"

_KIB_PER_MIB: Final = 1024


def main() -> int:
    """Bake a synthetic registry, write queries for it beside it, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.matching.bake", description=main.__doc__)
    parser.add_argument("size", type=int, help="number of categories")
    parser.add_argument("folder", type=Path, help=f"gets {REGISTRY}/ and {QUERIES}")
    arguments = parser.parse_args()
    folder: Path = arguments.folder / REGISTRY
    registry = synthetic_registry(arguments.size)
    found = {
        "size": arguments.size,
        "outside": len(registry.vocabulary.out_of_scope),
        "registry_mib": _peak_mib(),
    }
    began = perf_counter()
    bake(registry, folder)
    found |= {"bake_seconds": perf_counter() - began, "peak_mib": _peak_mib()}
    planted = planted_queries(registry, synthetic_topics(arguments.size))
    queries = {
        "planted": [[each.query, each.expected] for each in planted],
        "worst": worst_queries(registry),
    }
    (arguments.folder / QUERIES).write_text(json.dumps(queries))
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    print(json.dumps({**found, "files": sizes}))
    return 0


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_PER_MIB


if __name__ == "__main__":
    sys.exit(main())
