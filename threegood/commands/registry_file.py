"""The registry file that a command reads."""

from pathlib import Path
from typing import Final

import click

from threegood.commands.output import RegistryFaults
from threegood.registry.faults import FaultyRegistry
from threegood.registry.records import Registry
from threegood.registry.validate import read_registry

DEFAULT_REGISTRY: Final = Path("registry.json")
BAKED_FOLDER: Final = Path("layers/registry/baked")

A_PATH: Final = click.Path(path_type=Path)

registry_argument = click.argument("registry", type=A_PATH, default=DEFAULT_REGISTRY)
"""The optional argument REGISTRY."""


def load_registry(file: Path) -> Registry:
    """The valid registry in `file`, with the vocabulary beside it.

    Raises:
        RegistryFaults: a file breaks a rule.
        OSError: a file cannot be read.
    """
    try:
        return read_registry(file)
    except FaultyRegistry as faulty:
        raise RegistryFaults(file, faulty) from faulty
