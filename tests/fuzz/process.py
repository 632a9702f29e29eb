"""`python -m tests.fuzz.process TARGET …`: fuzzes one target, with flags and folders of libFuzzer.

It needs atheris, which is not in the tests' own environment: `python -m tests.fuzz.run` starts it.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Final

import atheris

from tests.fuzz.mutation import Pool, changed

_INSTRUMENTED: Final = ["mcpcore", "mcpcore_aws", "sources", "threegood.registry"]


def main(arguments: list[str]) -> None:
    """Fuzz the target that the first argument names; inputs in JSON are mutated as documents."""
    name, *flags = arguments
    with atheris.instrument_imports(include=_INSTRUMENTED):
        target = importlib.import_module(f"tests.fuzz.{name}")
    kept = sorted((Path(__file__).parent / "corpus" / name).iterdir())
    documents = [json.loads(file.read_bytes()) for file in kept if file.suffix == ".json"]
    if not documents:
        atheris.Setup([name, *flags], target.check)
        atheris.Fuzz()  # ends the process
    pool = Pool(documents)

    def mutated(data: bytes, max_size: int, seed: int) -> bytes:
        def mutate_bytes(text: bytes) -> bytes:
            found: bytes = atheris.Mutate(text, len(text) + 8)
            return found

        found = changed(data, pool=pool, seed=seed, mutate_bytes=mutate_bytes)
        return found if len(found) <= max_size else data

    atheris.Setup([name, *flags], target.check, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
