"""`python -m threegood validate | bake | match | report | keygen | prepare`.

Ends with 0 when it did what was asked, 1 when the registry has faults, and 2 when it could not begin: wrong
arguments, a file that cannot be read, a key that does not fit, a folder that is not ours to replace.
"""

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_ROOMS = ("", "layers/core", "functions/mcp")


def _main() -> int:
    # The project is deployed, not installed, so its packages are found from where this file lies.
    sys.path[:0] = [str(_ROOT / room) for room in _ROOMS]
    from threegood.commands.command import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(_main())
