"""The results of matching at several sizes: medians and ratios."""

from bench.matching.results import Baked, Measured, Results, median_of_rounds, ratios


def measured(strategy: str, size: int, *, load: float, p50: float, worst: float) -> Measured:
    return Measured(
        size=size,
        strategy=strategy,
        load_us=load,
        touch_us=2 * load,
        first_us=9000.0,
        p50_us=p50,
        p99_us=2 * p50,
        worst_us={"common words": worst, "one long word": worst / 2},
        accuracy=0.9,
        queries=630,
        memory_mib={},
    )


def baked(size: int, bytes_: int) -> Baked:
    return Baked(size, size // 20, 1.0, 50.0, 80.0, {"a.bin": bytes_, "b.bin": bytes_})


RESULTS = Results(
    "lexicon",
    [baked(60, 1_000_000), baked(1000, 10_000_000)],
    [
        measured("lexicon", 60, load=100.0, p50=200.0, worst=1000.0),
        measured("lexicon", 1000, load=150.0, p50=800.0, worst=2000.0),
        measured("reference", 60, load=300.0, p50=400.0, worst=900.0),
        measured("reference", 1000, load=3000.0, p50=6000.0, worst=15000.0),
    ],
)


def test_ratios_compare_the_largest_size_with_the_smallest_and_the_smallest_with_the_reference() -> None:
    assert {ratio.name: ratio.value for ratio in ratios(RESULTS)} == {
        "p50_growth": 4.0,
        "p50_to_reference": 0.5,
        "load_growth": 1.5,
        "worst_to_p50": 2.5,
        "layer_mb": 20.0,
    }


def test_rounds_give_the_median_of_each_figure() -> None:
    rounds = [{"a": 1, "b": {"c": 5.0}, "d": "x"}, {"a": 9, "b": {"c": 3.0}, "d": "x"}]
    rounds.append({"a": 2, "b": {"c": 4.0}, "d": "x"})

    assert median_of_rounds(rounds) == {"a": 2, "b": {"c": 4.0}, "d": "x"}
