"""`make eval`: how well the product matches labelled queries, and which ones it answers wrongly."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.eval.asking import ProductFailed, ask
from tests.eval.figures import Shares, curve, shares, styles
from tests.eval.gate import RecordUnreadable, fallen, read_record, write_record
from tests.eval.picture import draw
from tests.eval.product import ProductUnusable, open_product
from tests.eval.queries import FaultyQueries, read_queries
from tests.eval.report import confusions, last_line, style_table, threshold_table
from tests.support.processes import ROOT

__all__ = ["RECORD", "UNSEEN", "run"]

UNSEEN: Final = ROOT / "tests" / "eval" / "sets" / "unseen.jsonl"
"""The half of the project's own queries that nothing is tuned on."""

RECORD: Final = ROOT / "tests" / "eval" / "recorded.json"
"""The recorded figures of that half, for the gate."""

_PICTURE: Final = ROOT / ".eval" / "threshold.png"
_ROWS: Final = 20
_POINTS: Final = 100

_DONE: Final = 0
_FALLEN: Final = 1
_UNABLE: Final = 2


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Ask every query and print the figures; 1 if the gate fails, 2 if nothing was measured.

    The settings of the product come from `environment`, as on Lambda.
    """
    options = _parser().parse_args(arguments)
    if options.strategy:
        environment = {**environment, "MATCH_STRATEGY": options.strategy}
    try:
        return _evaluate(options, environment)
    except (FaultyQueries, ProductUnusable, RecordUnreadable, OSError) as error:
        return _unable(str(error))
    except ProductFailed as error:
        return _unable(f"{options.queries}: {error}")


def _evaluate(options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    record = read_record(options.recorded) if options.gate else None
    product = open_product(environment)
    asked = ask(product.server, read_queries(options.queries, product.slugs))
    total, rows = shares(asked), styles(asked)
    title = f"{len(asked)} queries, strategy {product.strategy}"
    draw(curve(asked, steps=_POINTS), options.picture, threshold=product.threshold, title=title)
    _say(
        f"{title}, threshold {product.threshold:g}",
        style_table(rows),
        confusions(asked, limit=options.confusions),
        threshold_table(curve(asked, steps=_ROWS)),
        f"The curve is drawn in {options.picture}.",
    )
    if options.record:
        write_record(options.recorded, total)
    code = _DONE if record is None else _judge(total, record)
    sys.stdout.write(f"{last_line(total, rows, queries=len(asked))}\n")
    return code


def _judge(total: Shares, record: Shares) -> int:
    sentences = fallen(total, record)
    for sentence in sentences:
        sys.stderr.write(f"{sentence}\n")
    return _FALLEN if sentences else _DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.eval.run", description=run.__doc__)
    parser.add_argument(
        "--queries", type=Path, default=UNSEEN, metavar="FILE", help="labelled queries, JSONL"
    )
    parser.add_argument(
        "--picture", type=Path, default=_PICTURE, metavar="FILE", help="where to draw the curve"
    )
    parser.add_argument("--strategy", metavar="NAME", help="instead of MATCH_STRATEGY")
    parser.add_argument("--confusions", type=_count, default=40, metavar="N", help="how many to list")
    parser.add_argument("--recorded", type=Path, default=RECORD, metavar="FILE", help="the figures on record")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--gate", action="store_true", help="fail when far behind the figures on record")
    either.add_argument("--record", action="store_true", help="put these figures on record")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("it must be a whole number from 0 on")
    return int(text)


def _say(*parts: str) -> None:
    for part in parts:
        sys.stdout.write(f"{part}\n\n")


def _unable(reason: str) -> int:
    sys.stderr.write(f"{reason}\n")
    return _UNABLE


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], os.environ))
