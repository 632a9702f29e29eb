"""`make stdio`: the product over stdin and stdout."""

import importlib
import os
import sys

from mcpcore import BuiltServer
from mcpcore_local.stdio import serve
from threegood_local.environment import prepare


def main() -> None:
    """Serve the product until stdin closes or the process is interrupted."""
    prepare()
    server: BuiltServer = importlib.import_module("handler").server
    try:
        serve(server, sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        # The client has gone. Point stdout elsewhere: Python would flush what is left into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
