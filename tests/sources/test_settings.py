"""The product's settings, and the server that they open."""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from sources.baked import RegistryMissing
from sources.catalog import open_server
from sources.matching import STRATEGIES
from sources.settings import ProductSettings, read_settings
from tests.support.messages import modern
from tests.support.registries import a_category, a_registry, baked
from tests.support.servers import Wire


class Variables:
    """A reader over `variables` that converts and does not check; it records what was asked for."""

    def __init__(self, **variables: str) -> None:
        self._variables = variables
        self.choices: dict[str, Collection[str]] = {}

    def text(self, name: str, default: str, /) -> str:
        return self._variables.pop(name, default)

    def choice(self, name: str, default: str, allowed: Collection[str], /) -> str:
        self.choices[name] = allowed
        return self.text(name, default)

    def fraction(self, name: str, default: str, /) -> float:
        return float(self.text(name, default))

    def weights(self, **defaults: str) -> list[float]:
        return [self.fraction(name, default) for name, default in defaults.items()]

    def switch(self, name: str, default: str, /) -> bool:
        return self.text(name, default) == "true"


def test_every_setting_has_a_default() -> None:
    assert read_settings(Variables()) == ProductSettings(
        "/opt/registry", "lexicon", 0.5, 0.7, 0.3, log_no_matches=False, tool_text="json"
    )


def test_every_setting_has_a_variable() -> None:
    variables = Variables(
        REGISTRY_DIR="/registry",
        MATCH_STRATEGY="reference",
        MATCH_THRESHOLD="0.6",
        MATCH_FUZZY_WEIGHT="0.25",
        MATCH_KEYWORD_WEIGHT="0.75",
        LOG_NO_MATCHES="true",
        TOOL_TEXT="both",
    )

    assert read_settings(variables) == ProductSettings(
        "/registry", "reference", 0.6, 0.25, 0.75, log_no_matches=True, tool_text="both"
    )


def test_the_strategy_is_one_of_those_that_exist() -> None:
    variables = Variables()
    read_settings(variables)

    assert set(variables.choices["MATCH_STRATEGY"]) == set(STRATEGIES)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Wire]:
    """Opens the server over a registry of one category, with these variables."""
    baked(tmp_path, a_registry({"bread": a_category("Sourdough Bread")}))

    def open_with(**variables: str) -> Wire:
        folder = str(tmp_path / "registry")
        return Wire(open_server(read_settings(Variables(REGISTRY_DIR=folder, **variables))))

    return open_with


@pytest.mark.parametrize(
    ("variables", "answer"),
    [
        ({}, b'"strategy":"lexicon"'),
        ({"MATCH_STRATEGY": "reference"}, b'"strategy":"reference"'),
        ({"MATCH_THRESHOLD": "1"}, b"none reaches the score of 1."),
        (
            {"MATCH_STRATEGY": "reference", "MATCH_FUZZY_WEIGHT": "0", "MATCH_KEYWORD_WEIGHT": "1"},
            b'"score":1.0,',
        ),
    ],
)
def test_the_server_matches_as_its_settings_say(
    opened: Callable[..., Wire], variables: dict[str, str], answer: bytes
) -> None:
    params = {"name": "get_sources", "arguments": {"query": "bread sourdough"}}

    assert answer in opened(**variables).send(modern("tools/call", params)).body


def test_a_folder_without_a_registry_opens_no_server(tmp_path: Path) -> None:
    with pytest.raises(RegistryMissing):
        open_server(read_settings(Variables(REGISTRY_DIR=str(tmp_path))))
