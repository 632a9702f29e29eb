"""`python -m tests.eval.calibrate`: fits the weights of the score to the sets that it may see.

Those are tuning, development and development-wishes. All queries in scope count as much as all others; a
query that names its category does not count, since its score has a floor. Prints the weights for
`sources.matching.weights`, and what each threshold finds and falsely accepts, with and without vocabulary,
each query judged by weights that were fitted without its fold.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from sources.baked import Lexicon
from sources.matching.claims import Claim
from sources.matching.lexical import score_features, weigh_query
from sources.matching.parsed_query import parse_query
from tests.eval.queries import read_queries
from tests.eval.sets import SETS, set_file
from tests.support.processes import ROOT
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.subjects import general_words
from threegood.registry.records import Registry, Vocabulary
from threegood.registry.validate import read_registry

_NAMES: Final = ("tuning", "development", "development-wishes")
_FOLDS: Final = 8
_RIDGE: Final = 0.3
_ROUNDS: Final = 60
_THRESHOLDS: Final = (0.3, 0.4, 0.5, 0.6, 0.7)

Weights = np.ndarray[Any, Any]


class Sample(NamedTuple):
    """A query: the features of its best category's score, and whether that category is right.

    `features` is None if no category shares anything with the query, or if the query names one.
    """

    features: tuple[float, ...] | None
    in_scope: bool
    right: bool
    named: bool = False


def _samples(registry: Registry) -> Iterator[Sample]:
    lexicon, slugs = Lexicon(bake_lexicon(registry, general_words(registry))), sorted(registry.categories)
    for name in _NAMES:
        for query in read_queries(set_file(SETS, name), registry.categories):
            found = weigh_query(query.text, parse_query(query.text, lexicon), lexicon, limit=1)
            topic = next(iter(found.categories), None)
            if topic is None:
                yield Sample(None, bool(query.fair), right=False)
                continue
            right, named = slugs[topic] in query.fair, found.categories[topic].claim is not Claim.NONE
            strength, coverage, lead, _ = score_features(found, topic)
            features = None if named else (1.0, strength, coverage, lead)
            yield Sample(features, bool(query.fair), right, named)


def _fit(samples: Sequence[Sample]) -> Weights:
    """Logistic regression by Newton's method, with a ridge."""
    in_scope = sum(sample.in_scope for sample in samples)
    share = in_scope / (len(samples) - in_scope)
    known = [sample for sample in samples if sample.features is not None]
    seen = np.array([sample.features for sample in known])
    right = np.array([float(sample.right) for sample in known])
    counts = np.array([1.0 if sample.in_scope else share for sample in known])
    weights = np.zeros(seen.shape[1])
    for _ in range(_ROUNDS):
        guess = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (counts * (right - guess)) - _RIDGE * weights
        bend = (seen.T * (counts * guess * (1 - guess))) @ seen + _RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def _judged(samples: Sequence[Sample]) -> Iterator[tuple[Sample, float]]:
    """Each sample with its score, by weights fitted on the other folds."""
    for fold in range(_FOLDS):
        weights = _fit([sample for index, sample in enumerate(samples) if index % _FOLDS != fold])
        for sample in samples[fold::_FOLDS]:
            yield sample, _score(sample, weights)


def _score(sample: Sample, weights: Weights) -> float:
    if sample.features is None:
        return float(sample.named)
    return float(1 / (1 + np.exp(-np.dot(sample.features, weights))))


def _row(name: str, samples: Sequence[Sample]) -> str:
    judged, cells = list(_judged(samples)), []
    for threshold in _THRESHOLDS:
        found = [score >= threshold and sample.right for sample, score in judged if sample.in_scope]
        wrong = [score >= threshold for sample, score in judged if not sample.in_scope]
        cells.append(f"{sum(found) / len(found):6.1%} /{sum(wrong) / len(wrong):6.1%}")
    return f"{name:26}{'  '.join(cells)}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits, and prints; see the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.calibrate", description=__doc__)
    parser.add_argument("--registry", type=Path, default=ROOT / "registry.json")
    registry = read_registry(parser.parse_args(arguments).registry)
    samples = list(_samples(registry))
    bare = list(_samples(registry.model_copy(update={"vocabulary": Vocabulary()})))
    sys.stdout.write("BIAS {:.2f}  STRENGTH {:.2f}  COVERAGE {:.2f}  LEAD {:.2f}\n\n".format(*_fit(samples)))
    heads = "".join(f"{at:>14.1f}  " for at in _THRESHOLDS)
    sys.stdout.write(f"{'found / falsely accepted':26}{heads}\n")
    sys.stdout.write(_row("with vocabulary", samples) + _row("without", bare))
    return 0


if __name__ == "__main__":
    sys.exit(main())
