"""`python -m mcpcore_local module:server`: serve a server of one's own from a terminal."""

import argparse
import sys
from contextlib import redirect_stdout

from mcpcore import BuiltServer, DefinitionError, Server
from mcpcore_local.loading import LoadError, load
from mcpcore_local.serving import run, run_stdio
from mcpcore_local.stdio import exclusive_stdout


def main() -> None:
    """Import a server from the working folder and serve it."""
    parser = argparse.ArgumentParser(prog="python -m mcpcore_local", description=main.__doc__)
    parser.add_argument("target", metavar="module:attribute", help="for example server:server")
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--port", type=int, default=3000, help="0 is any free one [3000]")
    transport.add_argument("--stdio", action="store_true", help="serve over stdin and stdout instead of HTTP")
    parser.add_argument(
        "--allow-origin", action="append", default=[], metavar="ORIGIN", help="web pages that may call it"
    )
    try:
        _serve(parser.parse_args())
    except (LoadError, DefinitionError) as error:
        raise SystemExit(f"{parser.prog}: {error}") from error


def _serve(options: argparse.Namespace) -> None:
    with exclusive_stdout(), redirect_stdout(sys.stderr):  # over stdio, stdout carries messages only
        server = load(options.target)
    if isinstance(server, Server | BuiltServer):
        if options.stdio:
            run_stdio(server)
        else:
            run(server, port=options.port, allowed_origins=options.allow_origin)
    elif options.stdio or options.allow_origin:
        raise LoadError(
            f"{options.target} is a Lambda handler: --stdio and --allow-origin need a Server or BuiltServer"
        )
    else:
        run(server, port=options.port)


if __name__ == "__main__":
    main()
