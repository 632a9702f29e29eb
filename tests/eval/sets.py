"""What `make eval` asks: sets of labelled queries, and the commonest English words.

Of the files in `sets`, tuning, development and development-wishes are what the scoring may be fitted on;
`make eval` asks the others. Nobody reads those when the scoring is changed, and of the sealed one not even
the figures, which the gate alone asks for.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.eval.asking import Asked, ProductFailed, ask
from tests.eval.figures import Band, Measured, Shares, measure, reliability
from tests.eval.gate import BARE, COMMON_WORDS, SCORED_HIGH
from tests.eval.product import Product
from tests.eval.queries import Query, read_queries
from tests.support.processes import ROOT
from threegood.baking.common_words import ENGLISH, commonest_words

__all__ = ["SEALED", "SETS", "Evaluation", "ask_file", "evaluate", "set_file"]

SETS: Final = ROOT / "tests" / "eval" / "sets"
SEALED: Final = "sealed"
"""The set that only the gate asks, and whose queries nothing prints."""

_COMMON_WORDS: Final = 5_000
_LETTERS: Final = 3
_CANDIDATES: Final = 10_000  # of which 5,000 are words of three letters or more
_HIGH: Final = 0.9


class Evaluation(NamedTuple):
    """The answers of one run.

    `sets` are the answers by set, those of the sealed set only if it was asked; `bare` those of the unseen
    and the outside set without vocabulary; `words` those of single common words, none of which is a topic.
    """

    sets: dict[str, list[Asked]]
    bare: list[Asked]
    words: list[Asked]

    @property
    def shown(self) -> dict[str, list[Asked]]:
        """The sets whose figures by style are shown."""
        return {name: asked for name, asked in self.sets.items() if name != SEALED}

    @property
    def all_shown(self) -> list[Asked]:
        """The answers of these sets together."""
        return [each for asked in self.shown.values() for each in asked]

    @property
    def main(self) -> list[Asked]:
        """The answers of the unseen and the outside set together."""
        return [*self.sets["unseen"], *self.sets["outside"]]

    @property
    def bands(self) -> list[Band]:
        """How reliable the scores are."""
        return reliability(self.all_shown)

    @property
    def figures(self) -> dict[str, Measured]:
        """The figures that have bounds, by their name in `gate.BOUNDS`."""
        measured = {**self.sets, BARE: self.bare, COMMON_WORDS: self.words}
        figures = {name: measure(asked) for name, asked in measured.items()}
        for band in self.bands:
            if band.low == _HIGH:
                figures[SCORED_HIGH] = Measured(band.answers, 0, Shares(band.share, None))
        return figures


def evaluate(product: Product, bare: Product, folder: Path, *, sealed: bool) -> Evaluation:
    """Ask `product` everything, and `bare` what it is judged by; the sealed set only with `sealed`.

    Raises:
        FaultyQueries: a set cannot be read.
        ProductFailed: the product broke on a query.
    """
    names = ("unseen", "outside", "wishes", "second", *([SEALED] if sealed else []))
    return Evaluation(
        {name: ask_file(product, set_file(folder, name)) for name in names},
        [each for name in ("unseen", "outside") for each in ask_file(bare, set_file(folder, name))],
        ask(product.server, _common_words()),
    )


def set_file(folder: Path, name: str) -> Path:
    """The file of a set."""
    return folder / f"{name}.jsonl"


def ask_file(product: Product, file: Path) -> list[Asked]:
    """The answers to the queries of a file.

    Raises:
        FaultyQueries: the file cannot be read.
        ProductFailed: the product broke on a query.
    """
    try:
        return ask(product.server, read_queries(file, product.slugs))
    except ProductFailed as error:
        if file.stem == SEALED:  # an exception may quote the query
            raise ProductFailed(f"{file}: the product failed on a query") from None
        raise ProductFailed(f"{file}: {error}") from error


def _common_words() -> Iterator[Query]:
    candidates = commonest_words(ENGLISH, _CANDIDATES)
    words = [word for word in candidates if word.isalpha() and len(word) >= _LETTERS]
    for line, word in enumerate(words[:_COMMON_WORDS], start=1):
        yield Query(line, word, (), "common word")
