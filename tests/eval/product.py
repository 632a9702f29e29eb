"""The product as the handler opens it, without sessions and AWS."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from mcpcore import BuiltServer
from mcpcore_aws import EnvironmentReader, SettingsError
from sources.baked import BakedRegistry, BakedRegistryError, RecordDamaged
from sources.catalog import open_server
from sources.settings import read_settings
from tests.support.processes import ROOT
from threegood.baking.bake import bake
from threegood.registry.faults import FaultyRegistry
from threegood.registry.validate import validate

__all__ = ["Product", "ProductUnusable", "open_bare_product", "open_product"]

_DEFAULTS: Final = {"REGISTRY_DIR": str(ROOT / "layers" / "registry" / "baked")}


class Product(NamedTuple):
    """A server, the categories it serves, and its strategy with the threshold."""

    server: BuiltServer
    slugs: frozenset[str]
    strategy: str
    threshold: float


class ProductUnusable(Exception):
    """The settings are invalid, or there is no sound baked registry; the message says which."""


def open_product(environment: Mapping[str, str]) -> Product:
    """The product with the settings of `environment`, over the registry that `make bake` left.

    Raises:
        ProductUnusable: see there.
    """
    try:
        reader = EnvironmentReader({**_DEFAULTS, **environment})
        product = read_settings(reader)
        reader.require_valid()
        server = open_server(product)
        slugs = frozenset(BakedRegistry.open(product.registry_dir).slugs())
    except (SettingsError, BakedRegistryError, RecordDamaged, ValueError) as error:
        raise ProductUnusable(str(error)) from error
    return Product(server, slugs, product.match_strategy, product.match_threshold)


@contextmanager
def open_bare_product(registry: Path, environment: Mapping[str, str]) -> Iterator[Product]:
    """The product over names, descriptions, patterns and sources of `registry` alone, baked for the occasion.

    Raises:
        ProductUnusable: the registry cannot be read or is invalid, or as `open_product`.
    """
    with TemporaryDirectory() as folder:
        baked = Path(folder, "baked")
        try:
            bake(validate(registry.read_bytes()), baked)
        except (OSError, FaultyRegistry) as error:
            raise ProductUnusable(f"{registry}: {error}") from error
        yield open_product({**environment, "REGISTRY_DIR": str(baked)})
