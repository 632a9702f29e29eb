"""`make eval`: how well the product matches labelled queries, and which ones it answers wrongly."""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from bench.markdown import with_block
from tests.eval.asking import Asked, ProductFailed
from tests.eval.figures import Shares, curve, shares, styles
from tests.eval.gate import BARE, BOUNDS, NONE, RecordUnreadable, failures, read_record, write_record
from tests.eval.picture import draw
from tests.eval.product import Product, ProductUnusable, open_bare_product, open_product
from tests.eval.queries import FaultyQueries
from tests.eval.report import (
    BANDS_NOTE,
    Rows,
    answered_words,
    as_json,
    as_markdown,
    as_text,
    band_rows,
    common_words,
    confusions,
    set_rows,
    style_table,
    threshold_table,
)
from tests.eval.sets import SEALED, SETS, Evaluation, ask_file, evaluate, set_file
from tests.support.processes import ROOT

__all__ = ["RECORD", "Files", "run"]

RECORD: Final = ROOT / "tests" / "eval" / "recorded.json"
"""The recorded figures of the sets, for the gate."""

_ROWS: Final = 10
_POINTS: Final = 100

_DONE: Final = 0
_MISSED: Final = 1
_UNABLE: Final = 2


class Files(NamedTuple):
    """The sets, the figures on record, and what the figures are written to."""

    sets: Path = SETS
    recorded: Path = RECORD
    page: Path = ROOT / "docs" / "matching.md"
    page_picture: Path = ROOT / "docs" / "matching-threshold.png"
    picture: Path = ROOT / ".eval" / "threshold.png"


_FILES: Final = Files()


def run(arguments: Sequence[str], environment: Mapping[str, str], files: Files = _FILES) -> int:
    """Ask the sets, or a file, and print the figures; 1 if the gate fails, 2 if nothing was measured.

    The settings of the product come from `environment`, as on Lambda.
    """
    options = _options(arguments, environment)
    if options.strategy:
        environment = {**environment, "MATCH_STRATEGY": options.strategy}
    try:
        measured = _measure_file if options.queries else _measure_sets
        return measured(options, environment, files)
    except (FaultyQueries, ProductUnusable, ProductFailed, RecordUnreadable, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return _UNABLE


def _measure_file(options: argparse.Namespace, environment: Mapping[str, str], files: Files) -> int:
    if options.queries.resolve() == set_file(files.sets, SEALED).resolve():
        raise FaultyQueries(f"{options.queries}: the gate alone asks this set, so that nobody tunes on it")
    with _opened(options, environment) as product:
        asked = ask_file(product, options.queries)
    _say_title(product, options)
    _say_details({options.queries.name: asked}, _ROWS if options.confusions is None else options.confusions)
    _say_curve(asked, product, files.picture)
    _say_last(asked, asked)
    return _DONE


def _measure_sets(options: argparse.Namespace, environment: Mapping[str, str], files: Files) -> int:
    record = read_record(files.recorded) if options.gate else {}
    with _opened(options, environment) as product, open_bare_product(options.registry, environment) as bare:
        found = evaluate(product, bare, files.sets, sealed=options.gate or options.record or options.write)
    bounds = {name: NONE if options.bare and name != BARE else bound for name, bound in BOUNDS.items()}
    tables = set_rows(found.figures, bounds), band_rows(found.bands)
    _say_title(product, options)
    _say(as_text(tables[0]), BANDS_NOTE, as_text(tables[1]), common_words(found.words))
    _say_details(found.shown, options.confusions or 0)
    _say_curve(found.main, product, files.page_picture if options.write else files.picture)
    if options.write:
        _write(tables, files.page)
    now = {name: measured.shares for name, measured in found.figures.items()}
    if options.record:
        write_record(files.recorded, now)
    _say_last(found.main, found.all_shown, **_figures(found))
    return _judge(now, record) if options.gate else _DONE


def _opened(options: argparse.Namespace, environment: Mapping[str, str]) -> AbstractContextManager[Product]:
    if options.bare:
        return open_bare_product(options.registry, environment)
    return nullcontext(open_product(environment))


def _judge(now: Mapping[str, Shares], record: Mapping[str, Shares]) -> int:
    sentences = failures(now, record)
    for sentence in sentences:
        sys.stderr.write(f"{sentence}\n")
    return _MISSED if sentences else _DONE


def _write(tables: Sequence[Rows], page: Path) -> None:
    block = "\n\n".join([as_markdown(tables[0]), BANDS_NOTE, as_markdown(tables[1])])
    page.write_text(with_block(page.read_text(encoding="utf-8"), "quality", block), encoding="utf-8")


def _say_title(product: Product, options: argparse.Namespace) -> None:
    registry = ", registry without vocabulary" if options.bare else ""
    _say(f"Strategy {product.strategy}, threshold {product.threshold:g}{registry}")


def _say_details(sets: Mapping[str, Sequence[Asked]], limit: int) -> None:
    asked = [each for part in sets.values() for each in part]
    _say(style_table(styles(asked)))
    _say(*(f"{name}: {confusions(part, limit=limit)}" for name, part in sets.items()))


def _say_curve(asked: Sequence[Asked], product: Product, picture: Path) -> None:
    title = f"{len(asked)} queries, strategy {product.strategy}"
    draw(curve(asked, steps=_POINTS), picture, threshold=product.threshold, title=title)
    _say(threshold_table(curve(asked, steps=_ROWS)), f"The curve is drawn in {picture}.")


def _say_last(asked: Sequence[Asked], styled: Sequence[Asked], **others: object) -> None:
    shown = {
        **shares(asked)._asdict(),
        "styles": {style.name: style.share for style in styles(styled)},
        "queries": len(asked),
        **others,
    }
    sys.stdout.write(f"{json.dumps(shown)}\n")


def _figures(found: Evaluation) -> dict[str, object]:
    """What the last line has of all sets."""
    figures = {name: as_json(measured) for name, measured in found.figures.items()}
    return {
        "sets": {name: figures[name] for name in found.sets},
        "bare": figures[BARE],
        "common_words": {
            "asked": len(found.words),
            "answered": sum(not each.right for each in found.words),
            "words": answered_words(found.words),
        },
        "reliability": [band._asdict() for band in found.bands],
    }


def _options(arguments: Sequence[str], environment: Mapping[str, str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.eval.run", description=run.__doc__)
    parser.add_argument("--queries", type=Path, metavar="FILE", help="ask these instead of the sets, JSONL")
    parser.add_argument("--bare", action="store_true", help="ask the registry without its vocabulary")
    parser.add_argument(
        "--registry",
        type=Path,
        default=Path(environment.get("REGISTRY") or ROOT / "registry.json"),
        help="whose vocabulary to leave out; what REGISTRY names if none",
    )
    parser.add_argument("--strategy", metavar="NAME", help="instead of MATCH_STRATEGY")
    parser.add_argument(
        "--confusions", type=_count, metavar="N", help="how many to list; of the sets none, of a file 10"
    )
    parser.add_argument("--write", action="store_true", help="store tables and picture in docs/matching.md")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--gate", action="store_true", help="fail beyond a bound, or far behind the record")
    either.add_argument("--record", action="store_true", help="put these figures on record")
    options = parser.parse_args(arguments)
    if (options.queries or options.bare) and (options.gate or options.record or options.write):
        parser.error("--gate, --record and --write need all sets and the vocabulary")
    return options


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("it must be a whole number from 0 on")
    return int(text)


def _say(*parts: str) -> None:
    for part in parts:
        sys.stdout.write(f"{part}\n\n")


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], os.environ))
