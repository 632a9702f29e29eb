"""The section of `docs/clients.md` with the results, between two comments that mark it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from tests.clients.matrix.running import Outcome
from tests.clients.matrix.table import STEPS

__all__ = ["renewed"]

_BEGIN: Final = "<!-- make clients: begin -->"
_END: Final = "<!-- make clients: end -->"
_TITLES: Final = {"http": "HTTP", "stdio": "stdio"}
_PARTS: Final = {
    "tools": "list of tools",
    "call": "calls of tools",
    "unknown": "errors of tools",
    "resources": "list of resources",
    "read": "reading of resources",
    "prompts": "list of prompts",
    "prompt": "getting of prompts",
    "close": "closing",
}
_FEATURES: Final = {
    "tools": ("tools", "call", "unknown"),
    "resources": ("resources", "read"),
    "prompts": ("prompts", "prompt"),
}


class _Row(NamedTuple):
    """All that a row says but the versions: rows that are equal are one."""

    name: str
    protocols: str
    http: str
    stdio: str
    absent: str


class _Footnotes:
    """Reasons by number, in the order of their first use."""

    def __init__(self) -> None:
        self._reasons: list[str] = []

    def number(self, reason: str) -> int:
        """The number of this footnote."""
        if reason not in self._reasons:
            self._reasons.append(reason)
        return self._reasons.index(reason) + 1

    def lines(self) -> Iterator[str]:
        """The footnotes as a list."""
        return (f"{number}. {reason}" for number, reason in enumerate(self._reasons, 1))


def renewed(page: str, outcomes: Sequence[Outcome], *, date: str) -> str:
    """`page` with these results in place of those that it has."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{_section(outcomes, date)}\n{_END}{after}"


def _section(outcomes: Sequence[Outcome], date: str) -> str:
    clients = {each.client.name.partition(", ")[0] for each in outcomes}  # a mode follows the comma
    versions = {each.client.requirements[0] for each in outcomes}
    footnotes = _Footnotes()
    rows = _rows(outcomes, footnotes)
    parts = [
        f"Results of {date}. Clients: {len(clients)}, versions: {len(versions)}.",
        "\n".join(
            [
                "| client | versions | protocol version | HTTP | stdio | has no |",
                "| --- | --- | --- | --- | --- | --- |",
                *(
                    f"| {row.name} | {', '.join(versions)} | {row.protocols} | {row.http} | {row.stdio} "
                    f"| {row.absent} |"
                    for row, versions in rows.items()
                ),
            ]
        ),
        "\n".join(footnotes.lines()),
    ]
    return "\n\n".join(part for part in parts if part)


def _rows(outcomes: Iterable[Outcome], footnotes: _Footnotes) -> dict[_Row, list[str]]:
    """The versions of each row."""
    runs: dict[tuple[str, str], dict[str, Outcome]] = {}
    for each in outcomes:
        runs.setdefault((each.client.name, each.client.version), {})[each.transport] = each
    rows: dict[_Row, list[str]] = {}
    for (_, version), by_transport in runs.items():
        rows.setdefault(_row(by_transport, footnotes), []).append(version)
    return rows


def _row(runs: dict[str, Outcome], footnotes: _Footnotes) -> _Row:
    client = next(iter(runs.values())).client
    note = f" ({footnotes.number(client.note)})" if client.note else ""
    told = list(dict.fromkeys(each.protocol for each in runs.values() if each.protocol))
    http, stdio = (_verdict(runs.get(transport), footnotes) for transport in ("http", "stdio"))
    return _Row(client.name + note, ", ".join(told) or "not told", http, stdio, _all_absent(runs))


def _verdict(outcome: Outcome | None, footnotes: _Footnotes) -> str:
    if outcome is None:
        return "not tested"
    failures = {step: outcome.client.known.get(step, reason) for step, reason in outcome.failures.items()}
    return ", ".join(f"✗ {step} ({footnotes.number(why)})" for step, why in failures.items()) or "✓"


def _all_absent(runs: dict[str, Outcome]) -> str:
    """What is absent over every transport, then what is over one."""
    absent = {
        transport: {step for step, cell in each.cells.items() if cell.state == "absent"}
        for transport, each in runs.items()
        if each.cells["connect"].state == "works"
    }
    common = set.intersection(*absent.values()) if absent else set()
    single = [
        f"{_named(steps - common)} over {_TITLES[name]}" for name, steps in absent.items() if steps - common
    ]
    return ", ".join(part for part in [_named(common), *single] if part)


def _named(absent: set[str]) -> str:
    """The features that are absent, and the steps of those that the client has in part."""
    whole = [name for name, steps in _FEATURES.items() if absent.issuperset(steps)]
    rest = absent - {step for name in whole for step in _FEATURES[name]}
    return ", ".join([*whole, *(_PARTS[step] for step in STEPS if step in rest)])
