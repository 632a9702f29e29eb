"""The report: medians, ratios, tables, and the block in the page."""

from pathlib import Path

from bench.matching.report import (
    BEGIN,
    END,
    Baked,
    Measured,
    Scale,
    as_markdown,
    draw,
    middle,
    ratios,
    with_block,
)

MEMORY = {"all": 20.0, "own": 12.0, "files": 8.0}


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
        memory_mib={"before": MEMORY, "opened": MEMORY, "first": MEMORY, "settled": MEMORY},
    )


def baked(size: int, bytes_: int) -> Baked:
    return Baked(size, size // 20, 1.0, 50.0, 80.0, {"a.bin": bytes_, "b.bin": bytes_})


SCALE = Scale(
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
    assert {ratio.name: ratio.value for ratio in ratios(SCALE)} == {
        "p50_growth": 4.0,
        "p50_to_reference": 0.5,
        "load_growth": 1.5,
        "worst_to_p50": 2.5,
        "layer_mb": 20.0,
    }


def test_the_reference_can_be_measured_alone() -> None:
    alone = SCALE._replace(strategy="reference")

    assert next(ratio.value for ratio in ratios(alone) if ratio.name == "p50_to_reference") == 1.0


def test_rounds_give_the_median_of_each_figure() -> None:
    rounds = [{"a": 1, "b": {"c": 5.0}, "d": "x"}, {"a": 9, "b": {"c": 3.0}, "d": "x"}]
    rounds.append({"a": 2, "b": {"c": 4.0}, "d": "x"})

    assert middle(rounds) == {"a": 2, "b": {"c": 4.0}, "d": "x"}


def test_tables_tell_every_figure_in_a_cell_of_its_own() -> None:
    tables = as_markdown(SCALE).split("\n\n")
    widths = [{line.count("|") for line in table.splitlines()} for table in tables]

    assert (
        "| `lexicon` | 1,000 | 0.15 | 0.3 | 9 | 0.8 | 1.6 | 20.0 | 20.0 | 12.0 + 8.0 | 90.0% |" in tables[1]
    )
    assert "| common words | 1 | 2 | 0.9 | 15 |" in tables[2]
    assert "| 1,000 | 1.00 | 80 | 20.00 | 10.00 | 10.00 |" in tables[3]
    assert [len(each) for each in widths] == [1, 1, 1, 1]


def test_a_block_replaces_the_former_one_and_leaves_the_rest_of_the_page() -> None:
    page = f"# Matching\n\nBefore.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n"

    assert with_block(page, "new") == page.replace("old", "new")


def test_a_page_without_marks_gets_them_at_its_end() -> None:
    assert with_block("# Matching\n", "new") == f"# Matching\n\n{BEGIN}\nnew\n{END}\n"


def test_the_picture_is_a_png_and_always_the_same(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        draw(SCALE, tmp_path / name)

    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
