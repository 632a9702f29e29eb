"""The settings of the product: where its registry is, and how it matches."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol, cast, get_args

from mcpcore import ToolText
from sources.matching import DEFAULT_STRATEGY, DEFAULT_THRESHOLDS, STRATEGIES, MatchSettings

_DEFAULTS: Final = MatchSettings()


class ProductSettings(NamedTuple):
    """The settings of the product; the template has a parameter for each except `registry_dir`."""

    registry_dir: str
    match_strategy: str
    match_threshold: float
    match_fuzzy_weight: float
    match_keyword_weight: float
    log_no_matches: bool
    tool_text: ToolText

    @property
    def match_settings(self) -> MatchSettings:
        """The settings of the strategy."""
        return MatchSettings(self.match_threshold, self.match_fuzzy_weight, self.match_keyword_weight)


class SettingsReader(Protocol):
    """Reads variables of the environment; an unset or empty one has its default. It collects all faults."""

    def text(self, name: str, default: str, /) -> str:
        """The text of a variable."""
        ...

    def choice(self, name: str, default: str, allowed: Collection[str], /) -> str:
        """One of the `allowed` texts."""
        ...

    def fraction(self, name: str, default: str, /) -> float:
        """A number from 0 to 1."""
        ...

    def weights(self, **defaults: str) -> Sequence[float]:
        """Numbers from 0 to 1 that add up to 1, one for each of the variables that `defaults` names."""
        ...

    def switch(self, name: str, default: str, /) -> bool:
        """True or false."""
        ...


def read_settings(reader: SettingsReader) -> ProductSettings:
    """The settings of the product. `reader` reports the variables that are invalid."""
    fuzzy_weight, keyword_weight = reader.weights(
        MATCH_FUZZY_WEIGHT=str(_DEFAULTS.fuzzy_weight), MATCH_KEYWORD_WEIGHT=str(_DEFAULTS.keyword_weight)
    )
    strategy = reader.choice("MATCH_STRATEGY", DEFAULT_STRATEGY, STRATEGIES)
    return ProductSettings(
        registry_dir=reader.text("REGISTRY_DIR", "/opt/registry"),
        match_strategy=strategy,
        match_threshold=reader.fraction("MATCH_THRESHOLD", str(DEFAULT_THRESHOLDS[strategy])),
        match_fuzzy_weight=fuzzy_weight,
        match_keyword_weight=keyword_weight,
        log_no_matches=reader.switch("LOG_NO_MATCHES", "false"),
        tool_text=cast("ToolText", reader.choice("TOOL_TEXT", "json", get_args(ToolText))),
    )
