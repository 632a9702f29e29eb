"""The figures as JSON, as tables, and as pictures."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bench.serving.events import CALL, CONSTANT, HANDSHAKE
from bench.serving.figures import BOUNDS, Figures, paired, ratios
from bench.serving.targets import OURS, QUIETED
from bench.tables import head as _head
from bench.tables import row as _row

__all__ = ["as_json", "as_markdown", "draw"]

_COLOURS: Final = {OURS: "#0b6e99", QUIETED: "#5aa9c7"}
_OTHERS: Final = "#b9b9b9"


def as_json(figures: Figures) -> str:
    """Indented, but with a row of numbers, such as the medians of all turns, on one line."""
    return re.sub(r"\[[\d.,\s]+\]", lambda row: "".join(row[0].split()), json.dumps(figures, indent=1))


def as_markdown(figures: Figures) -> str:
    """Tables of the ratios and of every part that was measured, under what they were measured with."""
    parts = (_conditions, _ratios, _cold, _memory, _warm, _session, _growth)
    tables = ("\n".join(part(figures)) for part in parts)
    return "\n\n".join(table for table in tables if table)


def _conditions(figures: Figures) -> Iterator[str]:
    found = figures["conditions"]
    wanted = found["runtime_python_wanted"]
    other = "" if found["python"].startswith(f"{wanted}.") else f" (Lambda's is {wanted}, which is not here)"
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    yield (
        f"{found['cpu']}, {found['cores']} cores, {found['architecture']}; Python {found['python']}{other}; "
        f"{'bytecode shipped' if found['bytecode'] else 'no bytecode shipped'}; {found['repeats']} cold "
        f"starts of each on one core, in turn; warm path: {found['processes']} processes of each, one after "
        f"another, with {found['turns']} turns each. {versions}."
    )


def _ratios(figures: Figures) -> Iterator[str]:
    yield from _head("ratio", "bound", "found", "quarters")
    spreads = paired(figures)
    for name, value in ratios(figures).items():
        bound = f"≤ {BOUNDS[name]:g}" if name in BOUNDS else ""
        quarters = f"{spreads[name].low:.2f} to {spreads[name].high:.2f}" if name in spreads else ""
        yield _row(f"`{name}`", bound, f"{value:.2f}", quarters)


def _cold(figures: Figures) -> Iterator[str]:
    if not figures.get("cold"):
        return
    names = ("median", "quarters", "extremes", "emulator's")
    yield from _head("cold start, ms", "first request", *names, "÷ floor")
    floor = _floor(figures)
    for target, kinds in figures["cold"].items():
        for kind, found in kinds.items():
            whole = found["whole_ms"]
            times = f"{whole['median'] / floor[kind]:.2f}" if kind in floor else ""
            yield _row(
                target,
                kind,
                f"{whole['median']:.0f}",
                f"{whole['low']:.0f} to {whole['high']:.0f}",
                f"{whole['least']:.0f} to {whole['most']:.0f}",
                f"{found['reported_ms']['median']:.0f}",
                times,
            )


def _floor(figures: Figures) -> dict[str, float]:
    """The floor's median for each kind; what it was not asked costs it the same as a call."""
    medians = {kind: found["whole_ms"]["median"] for kind, found in figures["cold"].get("floor", {}).items()}
    return {**medians, "2025 tools/call": medians[CALL]} if CALL in medians else medians


def _memory(figures: Figures) -> Iterator[str]:
    if not figures.get("rss"):
        return
    requests = figures["conditions"]["requests"]
    yield from _head("memory and size, MB", "peak after the first", f"after {requests:,}", "unzipped")
    for target, found in figures["rss"].items():
        after = f"{found['after_mb']:.1f}" if "after_mb" in found else ""
        size = figures["unzipped_mb"][target]
        yield _row(target, f"{found['first_mb']:.1f}", after, f"{size:.1f}")


def _warm(figures: Figures) -> Iterator[str]:
    if not figures.get("warm"):
        return
    kinds = (*CONSTANT, CALL, *HANDSHAKE)
    yield from _head("warm, µs: p50 (p99)", *kinds)
    for target, found in figures["warm"].items():
        cells = (
            f"{found[kind]['p50_us']:.0f} ({found[kind]['p99_us']:.0f})" if kind in found else ""
            for kind in kinds
        )
        yield _row(target, *cells)
    quiet = figures["warm"].get(QUIETED, {})
    match = {kind: f"{found['match_p50_us']:.0f}" for kind, found in quiet.items() if "match_p50_us" in found}
    if match:
        yield _row("of it the match", *(match.get(kind, "") for kind in kinds))


def _session(figures: Figures) -> Iterator[str]:
    ours = figures.get("warm", {}).get(QUIETED, {})
    stored = {kind: found for kind, found in ours.items() if "store_p50_us" in found}
    if not stored:
        return
    yield from _head("a request in a session, µs p50", "in the store (moto on loopback)", "the rest")
    for kind, found in stored.items():
        yield _row(kind, f"{found['store_p50_us']:.0f}", f"{found['less_store_p50_us']:.0f}")


def _growth(figures: Figures) -> Iterator[str]:
    if served := figures.get("growth"):
        yield from _head(f"{served['requests']:,} requests in one process", "beginning", "middle", "end")
        for told, name, digits in (
            ("resident, MB", "rss_mb", 1),
            ("of it no page of a file, MB", "own_mb", 1),
            ("blocks of Python's memory", "blocks", 0),
        ):
            found = (served.get(f"{when}_{name}") for when in ("begin", "middle", "end"))
            yield _row(told, *("" if each is None else f"{each:,.{digits}f}" for each in found))
        yield ""
    if tools := figures.get("tools"):
        yield from _head("one process", "p50 of a tool call, µs", "p99, µs", "resident, MB")
        for number, found in tools.items():
            times = (f"{found[each]:.0f}" for each in ("p50_us", "p99_us"))
            yield _row(f"{number} tools registered", *times, f"{found['rss_mb']:.1f}")


def draw(figures: Figures, folder: Path) -> None:
    """Cold start, warm path and memory as bars, one picture each."""
    import matplotlib

    matplotlib.use("agg")
    cold = {
        target: {kind: found["whole_ms"]["median"] for kind, found in kinds.items()}
        for target, kinds in figures.get("cold", {}).items()
    }
    _bars(cold, "Cold start, until the first answer", "milliseconds", folder / "cold.png")
    warm = {
        target: {kind: found["p50_us"] for kind, found in kinds.items() if kind in (CONSTANT[0], CALL)}
        for target, kinds in figures.get("warm", {}).items()
    }
    _bars(warm, "Warm path, p50", "microseconds", folder / "warm.png", log=True)
    memory = {
        target: {"peak memory": found["first_mb"], "unzipped": figures["unzipped_mb"][target]}
        for target, found in figures.get("rss", {}).items()
    }
    _bars(memory, "Memory and size", "megabytes", folder / "memory.png")


def _bars(
    found: Mapping[str, Mapping[str, float]], title: str, unit: str, file: Path, *, log: bool = False
) -> None:
    from matplotlib import pyplot

    bars = [(target, label, value) for target, each in found.items() for label, value in each.items()]
    if not bars:
        return
    figure, axes = pyplot.subplots(figsize=(8, 0.6 + 0.34 * len(bars)), layout="constrained")
    colours = [_COLOURS.get(target, _OTHERS) for target, _, _ in bars]
    drawn: Any = axes.barh(range(len(bars)), [value for _, _, value in bars], color=colours)
    axes.bar_label(drawn, fmt=lambda value: f"{value:.3g}", padding=3, fontsize=8)
    axes.set_yticks(range(len(bars)), [f"{target} · {label}" for target, label, _ in bars], fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set(title=title, xlabel=unit, xscale="log" if log else "linear")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
