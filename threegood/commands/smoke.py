"""`threegood smoke`: calls a node that is deployed, or served here, and says whether it works."""

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import click

from sources.baked import BakedRegistry
from threegood.commands.output import counted, remark, show
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER
from threegood.node.smoke import ERAS, Check, Endpoint, check_files, check_mcp, check_registry

_WORD: Final = {True: "ok", False: "FAILED", None: "-"}


@click.command(epilog="Example: threegood smoke http://127.0.0.1:3000/mcp")
@click.argument("url", required=False)
@click.option("--function", metavar="NAME", help="The function: it is invoked, to verify its files whole.")
@click.option("--outputs", type=A_PATH, help="The outputs of a stack as JSON, instead of URL and --function.")
@click.option("--baked", type=A_PATH, default=BAKED_FOLDER, help="The baked registry that it should serve.")
@click.option("--token", envvar="MCP_TOKEN", default="", help="An access token or API key [MCP_TOKEN].")
def smoke(url: str | None, function: str | None, outputs: Path | None, baked: Path, token: str) -> None:
    """Call every tool of a node, and compare its registry with the one that is baked here.

    URL is its MCP endpoint. The exit code is 1 if a check fails; each says what it means.
    """
    if outputs is not None:
        url, function = _deployed(outputs)
    if not url:
        raise click.UsageError("Name the URL of the MCP endpoint, or --outputs.")
    failed = 0
    for check in _checks(Endpoint(url, token), function, BakedRegistry.open(baked)):
        show([f"{_WORD[check.ok]:7}{check.name}: {check.says}"])
        if check.ok is False:
            failed += 1
            remark(f"       {check.advice}")
    if failed:
        remark(f"{url}: {counted(failed, 'check')} failed; docs/deploy.md says what each means")
        sys.exit(1)


def _checks(endpoint: Endpoint, function: str | None, registry: BakedRegistry) -> Iterator[Check]:
    in_each_era = (check_mcp(endpoint, era, registry) for era in ERAS)
    return chain(*in_each_era, check_registry(endpoint, registry), check_files(function, registry))


def _deployed(outputs: Path) -> tuple[str, str]:
    """The endpoint of a stack, and the function with the alias that the API calls."""
    values = {each["OutputKey"]: each["OutputValue"] for each in json.loads(outputs.read_bytes())}
    return values["Endpoint"], f"{values['FunctionName']}:live"
