"""The strategies by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from sources.matching.lexical import Lexical
from sources.matching.reference import Reference
from sources.matching.strategy import Index, Settings, Strategy

STRATEGIES: Final[Mapping[str, Callable[[Index, Settings], Strategy]]] = MappingProxyType(
    {
        Lexical.name: Lexical,
        Reference.name: Reference,
    }
)


def build_strategy(name: str, index: Index, settings: Settings | None = None) -> Strategy:
    """The strategy called `name`, with the usual settings if none are given.

    Raises:
        ValueError: there is no such strategy, or the settings make no sense for it.
    """
    make = STRATEGIES.get(name)
    if make is None:
        raise ValueError(
            f'There is no matching strategy "{name}". There are: {", ".join(sorted(STRATEGIES))}.'
        )
    return make(index, settings or Settings())
