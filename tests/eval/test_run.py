"""`make eval` over a small registry."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from sources.baked import PHRASES
from tests.eval.run import Files, run
from tests.support.registries import a_category, a_registry, write_registry
from threegood.baking.bake import bake

SLUGS: Final = ("bread", "rust")

QUERIES: Final = (
    {"query": "bread", "expect": "bread", "style": "keywords"},
    {"query": "rust one", "expect": ["bread", "rust"], "style": "keywords"},
    {"query": "zzz", "expect": "rust", "style": "typo"},
    {"query": "bread", "expect": None, "style": "oos-near"},
    {"query": "how do I do it?", "expect": None, "style": "oos-far"},
    {"query": "bread " * 200, "expect": None, "style": "oos-far"},
)
"""Two answered right, one refused wrongly, one answered wrongly, two refused rightly."""


SETS: Final[dict[str, list[dict[str, Any]]]] = {
    "unseen": [{"query": "bread one", "expect": "bread"}],
    "outside": [{"query": "zzz", "expect": None}],
    "wishes": [{"query": "rust", "expect": "rust"}, {"query": "zzzz", "expect": None}],
    "second": [{"query": "rust two", "expect": "rust"}, {"query": "zzzzzz", "expect": None}],
    "sealed": [{"query": "bread three", "expect": "bread"}, {"query": "zzzzz", "expect": None}],
}
"""Answered and refused as the bounds demand, without vocabulary too."""


class Bench:
    """Runs over a registry, with its files in one folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.files = Files(
            folder, folder / "recorded.json", folder / "page.md", folder / "page.png", folder / "curve.png"
        )
        self.queries = folder / "queries.jsonl"
        self.environment = {"REGISTRY_DIR": str(folder / "registry"), "MATCH_STRATEGY": "reference"}
        self._capsys = capsys
        self.serve({slug: a_category(slug) for slug in SLUGS})
        write_queries(self.queries, *QUERIES)

    def serve(self, categories: dict[str, Any]) -> None:
        """Serve a registry of these categories from now on."""
        bake(a_registry(categories), Path(self.environment["REGISTRY_DIR"]))
        self._registry = write_registry(self.files.sets, categories)

    def measure(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code, standard output and standard error of a run over a file of queries."""
        return self._run(f"--queries={self.queries}", *arguments)

    def measure_sets(self, *arguments: str, **changed: list[dict[str, Any]]) -> tuple[int, str, str]:
        """The same of a run over the sets, some of which may be changed."""
        self.environment["MATCH_STRATEGY"] = "lexicon"
        for name, queries in (SETS | changed).items():
            write_queries(self.files.sets / f"{name}.jsonl", *queries)
        return self._run(*arguments)

    def _run(self, *arguments: str) -> tuple[int, str, str]:
        code = run([f"--registry={self._registry}", *arguments], self.environment, self.files)
        out, err = self._capsys.readouterr()
        return code, out, err


def write_queries(file: Path, *queries: object) -> None:
    file.write_text("\n".join(map(json.dumps, queries)))


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def last_of(out: str) -> Any:
    return json.loads(out.splitlines()[-1])


def test_the_last_line_has_the_figures(bench: Bench) -> None:
    code, out, err = bench.measure()

    assert (code, err) == (0, "")
    assert last_of(out) == {
        "accuracy": 0.6667,
        "false_accept": 0.3333,
        "styles": {"keywords": 1.0, "oos-far": 1.0, "oos-near": 0.0, "typo": 0.0},
        "queries": 6,
    }


def test_before_it_are_the_styles_the_confusions_and_the_curve(bench: Bench) -> None:
    _, out, _ = bench.measure()

    title, table, missed, curve, drawn, last = out.removesuffix("\n").split("\n\n")
    assert title == "Strategy reference, threshold 0.4"
    assert len(table.splitlines()) == 5
    assert missed.startswith("queries.jsonl: 2 of 6 queries went wrong:\n")
    assert len(curve.splitlines()) == 12
    assert drawn == f"The curve is drawn in {bench.files.picture}."
    assert last.startswith("{")


def test_strategy_and_number_of_confusions_are_options(bench: Bench) -> None:
    bench.environment["MATCH_STRATEGY"] = "none"

    code, out, _ = bench.measure("--strategy", "reference", "--confusions", "0")

    assert code == 0
    assert "2 of 6 queries went wrong.\n" in out


@pytest.mark.parametrize("limit", ["-1", "some"])
def test_an_invalid_number_of_confusions_is_refused(bench: Bench, limit: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.measure("--confusions", limit)


def test_the_settings_of_the_product_are_used(bench: Bench) -> None:
    bench.environment["MATCH_THRESHOLD"] = "0"

    _, out, _ = bench.measure()

    assert "threshold 0\n" in out
    assert last_of(out)["styles"]["typo"] == 0.0
    assert "refused" not in out.split("went wrong")[1].split("threshold")[0]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("MATCH_STRATEGY", "none", "MATCH_STRATEGY must be lexicon or reference"),
        ("MATCH_THRESHOLD", "2", "MATCH_THRESHOLD must be a number from 0.0 to 1.0"),
        ("REGISTRY_DIR", "/nowhere", "/nowhere: there is no baked registry here"),
    ],
)
def test_a_product_that_cannot_be_opened_is_reported(
    bench: Bench, name: str, value: str, reason: str
) -> None:
    bench.environment[name] = value

    code, out, err = bench.measure()

    assert (code, out) == (2, "")
    assert err.startswith(reason)


def test_faulty_queries_are_reported_and_nothing_is_asked(bench: Bench) -> None:
    write_queries(
        bench.queries, {"query": "bread", "expect": "baking"}, {"query": "rust", "expect": "rust"}, 7
    )

    assert bench.measure() == (
        2,
        "",
        f'{bench.queries}:1: the registry has no category "baking"\n'
        f"{bench.queries}:3: it is not a JSON object\n",
    )


def test_a_failure_of_the_product_is_reported_with_file_and_line(bench: Bench) -> None:
    words = Path(bench.environment["REGISTRY_DIR"]) / PHRASES
    words.write_bytes(bytes(255 - byte for byte in words.read_bytes()))

    code, out, err = bench.measure()

    assert (code, out) == (2, "")
    assert err.startswith(f"{bench.queries}: line 1: the product failed on this query: ")


def test_sets_that_meet_their_bounds_are_recorded_written_and_pass_the_gate(bench: Bench) -> None:
    bench.files.page.write_text("# Page\n")

    code, out, err = bench.measure_sets("--record", "--write")

    assert (code, err) == (0, "")
    last = last_of(out)
    assert last["sets"].keys() == SETS.keys()
    assert (last["accuracy"], last["false_accept"], last["queries"]) == (1.0, 0.0, 2)
    assert last["bare"] == {"queries": 2, "accuracy": 1.0, "false_accept": 0.0}
    assert last["common_words"] == {"asked": 5000, "answered": 1, "words": ["bread"]}
    assert last["reliability"] == [{"low": 0.9, "answers": 3, "right": 3, "share": 1.0}]
    assert "| score from 0.9 | 3 | 100.0% of 3 | 90.0% | - | - | yes |" in bench.files.page.read_text()
    assert bench.files.page_picture.exists()
    assert bench.measure_sets("--gate")[::2] == (0, "")


def test_the_gate_tells_bounds_that_are_not_met_and_no_query_of_the_sealed_set(bench: Bench) -> None:
    bench.files.recorded.write_text('{"sealed": {"accuracy": 0.5, "false_accept": null}}')

    code, out, err = bench.measure_sets(
        "--gate",
        "--confusions=40",
        unseen=[{"query": "zzz", "expect": "rust"}],
        sealed=[{"query": "secret", "expect": "rust"}],
    )

    assert code == 1
    assert err == (
        "unseen: accuracy is 0.0, its bound is 0.95.\n"
        "sealed: accuracy is 0.0, its bound is 0.92.\n"
        "sealed: false_accept is None, its bound is 0.03.\n"
        "bare: accuracy is 0.0, its bound is 0.8.\n"
        "sealed: accuracy is 0.0, more than 0.03 worse than the 0.5 on record.\n"
    )
    assert "unseen: 1 of 1 queries went wrong:" in out
    assert "secret" not in out


def test_without_the_gate_the_sealed_set_is_not_asked(bench: Bench) -> None:
    bench.queries = bench.files.sets / "sealed.jsonl"

    assert re.search(r"\nsealed .* not asked\n", bench.measure_sets()[1])
    assert bench.measure()[0] == 2


def test_a_bare_registry_is_asked_without_its_vocabulary(bench: Bench) -> None:
    bench.environment["MATCH_STRATEGY"] = "lexicon"
    bench.serve({"bread": a_category("Bread", keywords=["zorbing"]), "rust": a_category("Rust")})
    write_queries(bench.queries, {"query": "zorbing", "expect": "bread"}, {"query": "rust", "expect": "rust"})

    whole, bare = (last_of(bench.measure(*bare)[1])["accuracy"] for bare in ([], ["--bare"]))

    assert (whole, bare) == (1.0, 0.5)


@pytest.mark.parametrize("option", ["--gate", "--record", "--write"])
def test_neither_a_file_of_queries_nor_a_bare_registry_is_for_the_gate(bench: Bench, option: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.measure(option)
    with pytest.raises(SystemExit, match="2"):
        bench.measure_sets("--bare", option)
