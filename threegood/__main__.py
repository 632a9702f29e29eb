"""The curator's command: `threegood`, or `python -m threegood`.

Exit codes: 0 when the command did its work, 1 when the registry or a node has faults, and 2 when the command
could not begin: wrong arguments, an unreadable file, a key that does not fit, a folder with foreign files,
no access to AWS.
"""

from typing import Any

import click

from sources.baked import BakedRegistryError
from threegood.baking.bake import ForeignFiles
from threegood.commands.bake import bake
from threegood.commands.keygen import keygen, pubkey
from threegood.commands.keys import keys
from threegood.commands.log import log
from threegood.commands.match import match
from threegood.commands.output import CannotBegin, ForgedSignature
from threegood.commands.prebuild import prebuild
from threegood.commands.report import report
from threegood.commands.schemas import schemas
from threegood.commands.sign import sign
from threegood.commands.smoke import smoke
from threegood.commands.suggest import suggest
from threegood.commands.validate import validate
from threegood.commands.verify import verify
from threegood.commands.verify_answer import verify_answer
from threegood.trust.checks import SignatureInvalid
from threegood.trust.signer import KeyUnusable
from threegood.trust.statement import MalformedSignature


class _Commands(click.Group):
    """A group that reports the errors which all commands share."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (BakedRegistryError, ForeignFiles, KeyUnusable, MalformedSignature) as error:
            raise CannotBegin(str(error)) from error
        except SignatureInvalid as error:
            raise ForgedSignature(f"The signature of the registry is wrong. {error}") from error
        except OSError as error:
            raise CannotBegin(f"{error.filename or 'output'}: {error.strerror}.") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(self.commands)  # in the order of the work, not of the alphabet


main = _Commands(
    "threegood",
    commands=[
        *(validate, bake, match, report, suggest),
        *(keygen, pubkey, sign, log, schemas, prebuild),
        *(verify, verify_answer, smoke, keys),
    ],
    help="Validate, sign and bake a registry, and see how it matches.",
    context_settings={"show_default": True},
)


if __name__ == "__main__":
    main(prog_name="threegood")
