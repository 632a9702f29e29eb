"""`python -m tests.eval.calibrate`: fits the numbers of the score, and judges them on what they did not see.

They are fitted on the tuning half of the project's own queries, and on the registry itself: a pattern that
was held out of the vocabulary should be found, an out-of-scope topic that was held out should be refused.
Prints the numbers for `sources.matching.lexical`, and accuracy and false accepts at several thresholds, each
query judged by numbers that were fitted without its fold.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from sources.baked import Lexicon
from sources.matching.lexical import score_features, weigh_query
from sources.matching.parsed_query import parse_query
from tests.eval.queries import Query, read_queries
from threegood.baking.lexicon import bake_lexicon
from threegood.registry.records import Registry
from threegood.registry.validate import read_registry
from threegood.reports.held_out import folds

_ROOT: Final = Path(__file__).parents[2]
_FOLDS: Final = 5
_HELD_OUT_WEIGHT: Final = 0.15  # a query of the tuning half has 1
_RIDGE: Final = 0.5
_ROUNDS: Final = 60
_THRESHOLDS: Final = (0.2, 0.3, 0.4, 0.5, 0.6)

_PATTERNS: Final = "held-out patterns"
_TOPICS: Final = "held-out topics"


class Sample(NamedTuple):
    """A query: the features of its best category's score, and whether that category is right.

    `features` is None if no category shares anything with the query.
    """

    group: str
    features: tuple[float, ...] | None
    in_scope: bool
    right: bool


def _sample(group: str, text: str, fair: Sequence[str], lexicon: Lexicon, slugs: Sequence[str]) -> Sample:
    found = weigh_query(text, parse_query(text, lexicon), lexicon, limit=1)
    for topic in found.evidence:  # one at most
        return Sample(group, (1.0, *score_features(found, topic)), bool(fair), slugs[topic] in fair)
    return Sample(group, None, bool(fair), right=False)


def _asked(group: str, queries: Iterable[Query], registry: Registry) -> Iterator[Sample]:
    lexicon, slugs = Lexicon(bake_lexicon(registry)), sorted(registry.categories)
    for query in queries:
        yield _sample(group, query.text, query.fair, lexicon, slugs)


def _held_out(registry: Registry) -> Iterator[Sample]:
    """The registry's own texts as queries to a vocabulary without them."""
    slugs = sorted(registry.categories)
    for fold in folds(registry, hold_out_topics=True):
        lexicon = Lexicon(bake_lexicon(fold.registry))
        for slug, pattern in fold.patterns:
            yield _sample(_PATTERNS, pattern, (slug,), lexicon, slugs)
        for topic in fold.out_of_scope:
            for text in (topic.name, " ".join(topic.keywords[:2])):
                yield _sample(_TOPICS, text, (), lexicon, slugs)


def _fit(samples: Sequence[Sample]) -> np.ndarray[Any, Any]:
    """Logistic regression by Newton's method, with a ridge."""
    known = [sample for sample in samples if sample.features is not None]
    seen = np.array([sample.features for sample in known])
    right = np.array([float(sample.right) for sample in known])
    counts = np.array([_HELD_OUT_WEIGHT if sample.group in (_PATTERNS, _TOPICS) else 1.0 for sample in known])
    numbers = np.zeros(seen.shape[1])
    for _ in range(_ROUNDS):
        guess = 1 / (1 + np.exp(-seen @ numbers))
        slope = seen.T @ (counts * (right - guess)) - _RIDGE * numbers
        bend = (seen.T * (counts * guess * (1 - guess))) @ seen + _RIDGE * np.eye(len(numbers))
        numbers += np.linalg.solve(bend, slope)
    return numbers


def _judged(samples: Sequence[Sample], others: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """Each sample with its score, by numbers fitted on `others` and the other folds of the samples."""
    judged = []
    for fold in range(_FOLDS):
        rest = [sample for index, sample in enumerate(samples) if index % _FOLDS != fold]
        numbers = _fit([*rest, *others])
        judged += [(sample, _score(sample, numbers)) for sample in samples[fold::_FOLDS]]
    return judged


def _score(sample: Sample, numbers: np.ndarray[Any, Any]) -> float:
    if sample.features is None:
        return 0.0
    return float(1 / (1 + np.exp(-np.dot(sample.features, numbers))))


def _row(name: str, judged: Sequence[tuple[Sample, float]]) -> str:
    cells = []
    for threshold in _THRESHOLDS:
        found = [score >= threshold and sample.right for sample, score in judged if sample.in_scope]
        wrong = [score >= threshold for sample, score in judged if not sample.in_scope]
        cells.append(f"{_share(found)} /{_share(wrong)}")
    return f"{name:26}" + "  ".join(cells)


def _share(judged: Sequence[bool]) -> str:
    return f"{sum(judged) / len(judged):6.1%}" if judged else "     -"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits, and prints; see the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.calibrate", description=__doc__)
    parser.add_argument("--registry", type=Path, default=_ROOT / "registry.json")
    parser.add_argument("--tuning", type=Path, default=_ROOT / "tests/eval/sets/tuning.jsonl")
    parser.add_argument("--queries", type=Path, help="other queries, to be judged and not to be fitted on")
    options = parser.parse_args(arguments)
    registry = read_registry(options.registry)
    samples = list(_asked("tuning", read_queries(options.tuning, registry.categories), registry))
    held_out = list(_held_out(registry))
    numbers = _fit([*samples, *held_out])
    sys.stdout.write("BIAS {:.2f}  STRENGTH {:.2f}  COVERAGE {:.2f}  LEAD {:.2f}\n\n".format(*numbers))
    sys.stdout.write(
        f"{'found / falsely accepted':26}" + "".join(f"{at:>14.1f}  " for at in _THRESHOLDS) + "\n"
    )
    sys.stdout.write(_row("tuning, cross-validated", _judged(samples, held_out)) + "\n")
    for group in (_PATTERNS, _TOPICS):
        own = [sample for sample in held_out if sample.group == group]
        others = [*samples, *(sample for sample in held_out if sample.group != group)]
        sys.stdout.write(_row(group, _judged(own, others)) + "\n")
    if options.queries:
        asked = _asked("others", read_queries(options.queries, registry.categories), registry)
        sys.stdout.write(
            _row(options.queries.stem, [(sample, _score(sample, numbers)) for sample in asked]) + "\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
