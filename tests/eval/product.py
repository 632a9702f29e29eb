"""The product as the handler makes it, without sessions and AWS: settings, registry, strategy, server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mcpcore import BuiltServer
from mcpcore_aws.settings import SettingsError, read_settings
from sources.baked import BakedRegistry, BakedRegistryError
from sources.catalog import build_server
from sources.matching import Settings, build_strategy
from tests.support.processes import ROOT

__all__ = ["Product", "ProductUnusable", "open_product"]

_DEFAULTS: Final = {
    "REGISTRY_DIR": str(ROOT / "layers" / "registry" / "baked"),
    "SESSIONS_TABLE": "none, as requests of 2026-07-28 are in no session",
}


class Product(NamedTuple):
    """A server, and what it answers with: the categories, and the strategy with its threshold."""

    server: BuiltServer
    slugs: frozenset[str]
    strategy: str
    threshold: float


class ProductUnusable(Exception):
    """The settings make no sense, or there is no baked registry; the message says which."""


def open_product(environment: Mapping[str, str]) -> Product:
    """The product with the settings of `environment`, over the registry that `make bake` left.

    Raises:
        ProductUnusable: see there.
    """
    try:
        settings = read_settings({**_DEFAULTS, **environment})
        registry = BakedRegistry.open(Path(settings.registry_dir))
        chosen = Settings(
            settings.match_threshold, settings.match_fuzzy_weight, settings.match_keyword_weight
        )
        strategy = build_strategy(settings.match_strategy, registry, chosen)
    except (SettingsError, BakedRegistryError, ValueError) as error:
        raise ProductUnusable(str(error)) from error
    server = build_server(registry, strategy).build()
    return Product(server, frozenset(registry.slugs()), strategy.name, strategy.threshold)
