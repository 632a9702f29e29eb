"""`make eval` over a small registry."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.eval.run import run
from tests.support.registries import a_category, a_registry, baked

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


class Bench:
    """Runs over a registry, with its files in one folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.queries, self.picture, self.recorded = (
            folder / name for name in ("queries.jsonl", "out/curve.png", "recorded.json")
        )
        self.environment = {"REGISTRY_DIR": str(folder / "registry"), "MATCH_STRATEGY": "reference"}
        self._capsys = capsys
        baked(folder, a_registry({slug: a_category(slug) for slug in SLUGS}))
        self.ask(*QUERIES)

    def ask(self, *queries: object) -> None:
        self.queries.write_text("\n".join(map(json.dumps, queries)))

    def record(self, accuracy: float, false_accept: float) -> None:
        self.recorded.write_text(json.dumps({"accuracy": accuracy, "false_accept": false_accept}))

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code, standard output and standard error."""
        files = (f"--{name}={getattr(self, name)}" for name in ("queries", "picture", "recorded"))
        code = run([*files, *arguments], self.environment)
        return code, *self._capsys.readouterr()


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def last_of(out: str) -> Any:
    return json.loads(out.splitlines()[-1])


def test_the_last_line_has_the_figures(bench: Bench) -> None:
    code, out, err = bench.run()

    assert (code, err) == (0, "")
    assert last_of(out) == {
        "accuracy": 0.6667,
        "false_accept": 0.3333,
        "styles": {"keywords": 1.0, "oos-far": 1.0, "oos-near": 0.0, "typo": 0.0},
        "queries": 6,
    }


def test_before_it_are_the_styles_the_confusions_and_the_curve(bench: Bench) -> None:
    _, out, _ = bench.run()

    title, table, missed, curve, drawn, last = out.removesuffix("\n").split("\n\n")
    assert title == "6 queries, strategy reference, threshold 0.4"
    assert len(table.splitlines()) == 5
    assert missed.startswith("2 of 6 queries went wrong:\n")
    assert len(curve.splitlines()) == 22
    assert drawn == f"The curve is drawn in {bench.picture}."
    assert last.startswith("{")


def test_strategy_and_number_of_confusions_are_options(bench: Bench) -> None:
    bench.environment["MATCH_STRATEGY"] = "none"

    code, out, _ = bench.run("--strategy", "reference", "--confusions", "0")

    assert code == 0
    assert "2 of 6 queries went wrong.\n" in out


def test_the_gate_passes_near_the_record(bench: Bench) -> None:
    bench.record(0.69, 0.31)

    assert bench.run("--gate")[::2] == (0, "")


@pytest.mark.parametrize("limit", ["-1", "some"])
def test_an_invalid_number_of_confusions_is_refused(bench: Bench, limit: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.run("--confusions", limit)


def test_the_settings_of_the_product_are_used(bench: Bench) -> None:
    bench.environment["MATCH_THRESHOLD"] = "0"

    _, out, _ = bench.run()

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

    code, out, err = bench.run()

    assert (code, out) == (2, "")
    assert err.startswith(reason)


def test_faulty_queries_are_reported_and_nothing_is_asked(bench: Bench) -> None:
    bench.ask({"query": "bread", "expect": "baking"}, {"query": "rust", "expect": "rust"}, 7)

    assert bench.run() == (
        2,
        "",
        f'{bench.queries}:1: the registry has no category "baking"\n'
        f"{bench.queries}:3: it is not a JSON object\n",
    )


def test_a_failure_of_the_product_is_reported_with_file_and_line(bench: Bench) -> None:
    answers = Path(bench.environment["REGISTRY_DIR"]) / "answers.bin"
    answers.write_bytes(answers.read_bytes().replace(b'"sources"', b'"Sources"'))

    code, out, err = bench.run()

    assert (code, out) == (2, "")
    assert err.startswith(f"{bench.queries}: line 1: the product failed on this query: ")


def test_the_gate_fails_far_behind_the_record(bench: Bench) -> None:
    bench.record(0.7, 0.3)

    code, out, err = bench.run("--gate")

    assert code == 1
    assert err == (
        "accuracy is 0.6667, 0.0333 worse than the 0.7 on record; 0.03 is allowed.\n"
        "false_accept is 0.3333, 0.0333 worse than the 0.3 on record; 0.03 is allowed.\n"
    )
    assert last_of(out)["queries"] == 6


def test_the_figures_are_recorded_on_request(bench: Bench) -> None:
    bench.run()
    assert not bench.recorded.exists()

    bench.run("--record")
    assert json.loads(bench.recorded.read_text()) == {"accuracy": 0.6667, "false_accept": 0.3333}
    assert bench.run("--gate")[0] == 0
