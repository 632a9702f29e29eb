"""The registry that a command reads."""

import os
from pathlib import Path
from typing import Final

import click

from threegood.commands.output import RegistryFaults
from threegood.registry.advice import warnings
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import read_files
from threegood.registry.records import Registry
from threegood.registry.validate import validate

BAKED_FOLDER: Final = Path("layers/registry/baked")

A_PATH: Final = click.Path(path_type=Path)


def default_registry() -> Path:
    """The registry file that the environment names, as `make` does with REGISTRY; else `registry.json`."""
    return Path(os.environ.get("REGISTRY") or "registry.json").expanduser()


registry_argument = click.argument("registry", type=A_PATH, default=default_registry)
"""The optional argument REGISTRY."""


def load_registry(file: Path) -> Registry:
    """The valid registry in `file`, with the vocabulary beside it.

    Raises:
        RegistryFaults: a file breaks a rule.
        OSError: a file cannot be read.
    """
    return load_with_warnings(file)[0]


def load_with_warnings(file: Path) -> tuple[Registry, list[Fault]]:
    """The same, and what the registry should have beyond the rules."""
    files = read_files(file)
    try:
        registry = validate(*files)
    except FaultyRegistry as faulty:
        raise RegistryFaults(file, faulty) from faulty
    return registry, warnings(registry, files)
