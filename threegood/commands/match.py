"""`python -m threegood match`: how a query is matched, and why."""

import argparse
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from sources.baked import BakedRegistry, BakedRegistryError, Lexicon, PhraseLine
from sources.baked.phrases import read_phrases
from sources.matching import STRATEGIES, Index, Settings, build_strategy
from sources.matching.lexical import Lexical
from threegood.baking.index import phrase_index
from threegood.baking.lexicon import lexicon
from threegood.commands.explaining import explained, ranked
from threegood.commands.output import faulty, remark, shown, unable
from threegood.registry.faults import FaultyRegistry
from threegood.registry.records import Registry
from threegood.registry.validate import validate


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Makes this one of the commands."""
    parser = commands.add_parser("match", help="show which categories match a query, and why")
    parser.add_argument("query", help="what somebody asks, in quotes")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--registry",
        type=Path,
        default=Path("registry.json"),
        metavar="FILE",
        help="default: %(default)s, baked in memory for this",
    )
    source.add_argument("--baked", type=Path, metavar="FOLDER", help="a baked registry, as it is")
    parser.add_argument(
        "--strategy", choices=sorted(STRATEGIES), default=Lexical.name, help="default: %(default)s"
    )
    parser.add_argument(
        "--threshold",
        type=_fraction,
        default=Settings().threshold,
        metavar="SCORE",
        help="the least score that is answered, from 0 to 1; default: %(default)s",
    )
    parser.add_argument(
        "--limit", type=_count, default=5, metavar="NUMBER", help="categories to show; default: %(default)s"
    )
    parser.set_defaults(run=_run)


class _Unbaked:
    """What a strategy reads of a registry, made from the registry when it is asked for."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._slugs = sorted(registry.categories)

    def phrases(self) -> Iterator[PhraseLine]:
        return read_phrases(phrase_index(self._registry))

    def lexicon(self) -> Lexicon:
        return self._lexicon

    def slug_at(self, topic: int) -> str:
        return self._slugs[topic]

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(lexicon(self._registry))


def _run(options: argparse.Namespace) -> int:
    try:
        index = _index(options)
    except OSError as error:
        return unable(f"{error.filename}: {error.strerror}.")
    except FaultyRegistry as refusal:
        return faulty(options.registry, refusal)
    except BakedRegistryError as refusal:
        return unable(refusal)
    strategy = build_strategy(options.strategy, index, Settings(threshold=options.threshold))
    ranking = strategy.rank(options.query, limit=options.limit)
    lines = list(ranked(ranking, options.threshold))
    if options.strategy == Lexical.name and ranking.terms:
        lines += explained(options.query, ranking, index)
    return shown(lines)


def _index(options: argparse.Namespace) -> Index:
    if options.baked is not None:
        return BakedRegistry.open(options.baked)
    registry = validate(options.registry.read_bytes())
    remark(f"{options.registry}: baking it in memory; what was baked for the function stays as it is")
    return _Unbaked(registry)


def _fraction(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:  # NaN is in no range
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return number


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 1 or more")
    return number
