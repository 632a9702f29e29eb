"""The figures of `make bench` as JSON and as Markdown tables."""

import json
import re
from collections.abc import Iterator

from bench.markdown import head, row
from bench.serving.events import CALL, CONSTANT, LEGACY, LEGACY_CALL
from bench.serving.ratios import BOUNDS, Figures, paired_ratios, ratios
from bench.serving.targets import FLOOR, QUIET

__all__ = ["as_json", "as_markdown"]


def as_json(figures: Figures) -> str:
    """Indented JSON, with each list of numbers, such as the medians of all turns, on one line."""
    return re.sub(r"\[[\d.,\s]+\]", lambda row: "".join(row[0].split()), json.dumps(figures, indent=1))


def as_markdown(figures: Figures) -> str:
    """The conditions of the run, then tables of the ratios and of every part that was measured."""
    parts = (_conditions, _ratios, _cold, _memory, _warm, _session, _growth, _tools)
    tables = ("\n".join(part(figures)) for part in parts)
    return "\n\n".join(table for table in tables if table)


def _conditions(figures: Figures) -> Iterator[str]:
    found = figures["conditions"]
    wanted = found["runtime_python_wanted"]
    same = found["python"].startswith(f"{wanted}.")
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    yield (
        f"{found['cpu']}, {found['cores']} cores, {found['architecture']}; Python {found['python']}"
        f"{'' if same else f' (Lambda has {wanted}, which is not installed here)'}; "
        f"{'bytecode shipped' if found['bytecode'] else 'no bytecode shipped'}; {found['repeats']} cold "
        f"starts of each on one core, in turn; warm path: {found['processes']} processes of each, one after "
        f"another, with {found['turns']} turns each. {versions}."
    )


def _ratios(figures: Figures) -> Iterator[str]:
    yield from head("ratio", "bound", "found", "quartiles")
    spreads = paired_ratios(figures)
    for name, value in ratios(figures).items():
        bound = f"≤ {BOUNDS[name]:g}" if name in BOUNDS else ""
        quartiles = f"{spreads[name].low:.2f} to {spreads[name].high:.2f}" if name in spreads else ""
        yield row(f"`{name}`", bound, f"{value:.2f}", quartiles)


def _cold(figures: Figures) -> Iterator[str]:
    if not figures.get("cold"):
        return
    names = ("median", "quartiles", "extremes", "÷ floor")
    yield from head("cold start, ms", "first request", *names)
    floor = {kind: found["whole_ms"]["median"] for kind, found in figures["cold"].get(FLOOR, {}).items()}
    if CALL in floor:  # the floor was not asked the legacy call, which would cost it the same
        floor[LEGACY_CALL] = floor[CALL]
    for target, kinds in figures["cold"].items():
        for kind, found in kinds.items():
            whole = found["whole_ms"]
            yield row(
                target,
                kind,
                f"{whole['median']:.0f}",
                f"{whole['low']:.0f} to {whole['high']:.0f}",
                f"{whole['least']:.0f} to {whole['most']:.0f}",
                f"{whole['median'] / floor[kind]:.2f}" if kind in floor else "",
            )


def _memory(figures: Figures) -> Iterator[str]:
    if not figures.get("rss"):
        return
    requests = figures["conditions"]["requests"]
    yield from head("memory and size, MB", "peak after the first", f"after {requests:,}", "unzipped")
    for target, found in figures["rss"].items():
        after = f"{found['after_mb']:.1f}" if "after_mb" in found else ""
        yield row(target, f"{found['first_mb']:.1f}", after, f"{figures['unzipped_mb'][target]:.1f}")


def _warm(figures: Figures) -> Iterator[str]:
    if not figures.get("warm"):
        return
    kinds = (*CONSTANT, CALL, *LEGACY)
    yield from head("warm, µs: p50 (p99)", *kinds)
    for target, found in figures["warm"].items():
        cells = (
            f"{found[kind]['p50_us']:.0f} ({found[kind]['p99_us']:.0f})" if kind in found else ""
            for kind in kinds
        )
        yield row(target, *cells)
    quiet = figures["warm"].get(QUIET, {})
    match = {kind: f"{found['match_p50_us']:.0f}" for kind, found in quiet.items() if "match_p50_us" in found}
    if match:
        yield row("of it the match", *(match.get(kind, "") for kind in kinds))


def _session(figures: Figures) -> Iterator[str]:
    quiet = figures.get("warm", {}).get(QUIET, {})
    stored = {kind: found for kind, found in quiet.items() if "store_p50_us" in found}
    if not stored:
        return
    yield from head("a request in a session, µs p50", "in the store (moto on loopback)", "the rest")
    for kind, found in stored.items():
        yield row(kind, f"{found['store_p50_us']:.0f}", f"{found['less_store_p50_us']:.0f}")


def _growth(figures: Figures) -> Iterator[str]:
    served = figures.get("growth")
    if not served:
        return
    yield from head(f"{served['requests']:,} requests in one process", "beginning", "middle", "end")
    for label, name, digits in (
        ("resident, MB", "rss_mb", 1),
        ("of it not file pages, MB", "own_mb", 1),
        ("blocks allocated by Python", "blocks", 0),
    ):
        yield row(label, *(f"{served[f'{when}_{name}']:,.{digits}f}" for when in ("begin", "middle", "end")))


def _tools(figures: Figures) -> Iterator[str]:
    tools = figures.get("tools")
    if not tools:
        return
    yield from head("one process", "p50 of a tool call, µs", "p99, µs", "resident, MB")
    for number, found in tools.items():
        times = (f"{found[each]:.0f}" for each in ("p50_us", "p99_us"))
        yield row(f"{number} tools registered", *times, f"{found['rss_mb']:.1f}")
