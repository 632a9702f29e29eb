"""`threegood schemas`: the JSON Schemas of the files of a registry, for editors."""

from pathlib import Path

import click

from threegood.commands.output import show
from threegood.commands.registry_file import A_PATH
from threegood.registry.schemas import schema_files


@click.command(epilog="Example: threegood schemas schemas")
@click.argument("folder", type=A_PATH, default=Path("schemas"))
def schemas(folder: Path) -> None:
    """Write the JSON Schemas of a registry's files.

    They go into FOLDER. A file of a registry names its own as the member "$schema".
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in schema_files().items():
        (folder / name).write_bytes(data)
        show([f"{folder / name}: written"])
