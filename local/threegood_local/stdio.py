"""`make stdio`: the product over stdin and stdout."""

import importlib

from mcpcore_local import run_stdio
from threegood_local.environment import set_defaults


def main() -> None:
    """Serve the product until stdin closes or the process is interrupted."""
    set_defaults()
    run_stdio(importlib.import_module("handler").lambda_handler.server)


if __name__ == "__main__":
    main()
