"""docs/reliability.md: its table of limits has every bound of the core, with the numbers of the code."""

import importlib
import re
from typing import Any, Final

import pytest

from tests.support.processes import ROOT
from tests.support.sam_template import load_template

TEXT: Final = (ROOT / "docs/reliability.md").read_text()
TEMPLATE: Final = load_template()
_TABLE: Final = TEXT.split("\n## Limits\n")[1].split("\n## ")[0]
LIMITS: Final = [line.strip("| ").split(" | ") for line in _TABLE.splitlines() if line.startswith("| ")][2:]
NAMES: Final = [(name, row[1]) for row in LIMITS for name in re.findall(r"`([\w.]+)`", row[3])]

CORE: Final = ROOT / "layers" / "core"
_BOUND: Final = re.compile(r"^((?:\w*_)?(?:MAX|LIMIT|TTL|TIMEOUT)(?:_\w+)?)(?:: Final)? = ", re.MULTILINE)
# Bounds of formats and of our own bookkeeping, which no client meets.
INTERNAL: Final = {
    "mcpcore.testing.client._MAX_ROUNDS",
    "mcpcore.http.authorization._METADATA_MAX_AGE_SECONDS",
    "mcpcore.http.compression._MAX_STORED_BYTES",
    "mcpcore.http.compression._LIMIT_OF_SIZE",
    "mcpcore.sessions.ids._MAX_DIGITS",
    "mcpcore_aws.event_sources._MAX_ESCAPE_BYTES",
    "mcpcore_aws.event_sources._MAX_HEADERS_BYTES",
    "mcpcore_aws.authorization.api_keys._MAX_REMEMBERED",
    "mcpcore_aws.authorization.claims._MAX_SECONDS",
    "mcpcore_aws.authorization.introspection._MAX_KEPT",
    "mcpcore_aws.authorization.issuer_keys._MAX_RSA_BITS",
    "mcpcore_aws.authorization.settings._MAX_LEEWAY_SECONDS",
    "mcpcore_aws.metrics._MAX_METRICS",
    "mcpcore_aws.rate_limits._MAX_REMEMBERED",
    "mcpcore_aws.settings._LOWEST_BODY_LIMIT_BYTES",
    "mcpcore_aws.settings._HIGHEST_BODY_LIMIT_BYTES",
}


@pytest.mark.parametrize(("name", "stated"), NAMES)
def test_a_limit_on_the_page_is_that_of_the_code(name: str, stated: str) -> None:
    number = re.match(r"-?[\d,]+", stated)
    assert number is not None
    assert float(number[0].replace(",", "")) == value_of(name)


def test_every_bound_of_the_core_is_on_the_page() -> None:
    found = {
        f"{module_of(path.relative_to(CORE).with_suffix('').parts)}.{name}"
        for path in CORE.rglob("*.py")
        for name in _BOUND.findall(path.read_text())
    }
    assert found - {name for name, _ in NAMES} == INTERNAL


def module_of(parts: tuple[str, ...]) -> str:
    return ".".join(part for part in parts if part != "__init__")


def value_of(name: str) -> Any:
    """The default of a parameter, the property of a resource, or the value of a constant or field."""
    owner, _, last = name.rpartition(".")
    if name in TEMPLATE["Parameters"]:
        return TEMPLATE["Parameters"][name]["Default"]
    if owner in TEMPLATE["Resources"]:
        return TEMPLATE["Resources"][owner]["Properties"][last]
    module, _, record = owner.rpartition(".")
    if record[0].isupper():
        return getattr(importlib.import_module(module), record)._field_defaults[last]
    return getattr(importlib.import_module(owner), last)
