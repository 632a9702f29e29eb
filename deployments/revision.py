"""`python deployments/revision.py WORD…`: the parameter `Revision` for a deployment by `sam deploy WORD…`.

The template describes a version of the function by it, so that other parameters publish another version.
Prints nothing if no parameter is given: CloudFormation then keeps all of them, this one too.
"""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["main", "revision"]

_GIVEN_BY_MAKE: Final = "Architecture"
_CHARACTERS: Final = 8

# Secrets are among the parameters, and everybody who may list the versions sees this. A guess takes 64 MB
# and 0.2 s; and so many guesses have the same few characters that these confirm none.
_COST: Final = 2**16
_MAX_MEMORY_BYTES: Final = 2**27


def revision(parameters: Mapping[str, str]) -> str:
    """The revision of a deployment with these parameters; empty if it is to keep the previous one."""
    if not parameters.keys() - {_GIVEN_BY_MAKE} or "Revision" in parameters:
        return ""
    text = json.dumps(parameters, sort_keys=True).encode()
    digest = hashlib.scrypt(text, salt=b"three-good-sources", n=_COST, r=8, p=1, maxmem=_MAX_MEMORY_BYTES)
    return digest.hex()[:_CHARACTERS]


def main(words: Sequence[str]) -> None:
    """Print the parameter, in the form that SAM takes."""
    parameters = _parameters(words)
    if _GIVEN_BY_MAKE not in parameters:
        sys.exit(
            "deploy: DEPLOY_ARGS has --parameter-overrides, which replaces those of make; use PARAMETERS"
        )
    if found := revision(parameters):
        print(f"Revision={found}")


def _parameters(words: Sequence[str]) -> dict[str, str]:
    """The parameters that `sam deploy` passes on, read by SAM itself."""
    import click
    from samcli.cli.main import cli
    from samcli.commands.deploy.command import cli as deploy

    try:
        context = deploy.make_context("deploy", list(words), parent=click.Context(cli, info_name="sam"))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    return dict(context.params["parameter_overrides"])


if __name__ == "__main__":
    main(sys.argv[1:])
