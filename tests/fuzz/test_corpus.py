"""Every kept input keeps the rules: among them is the smallest one of each fault that fuzzing found."""

import importlib
from pathlib import Path

import pytest

from tests.fuzz.mutation import Pool, changed
from tests.fuzz.run import TARGETS

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(CORPUS.rglob("*/*"))


@pytest.mark.parametrize("file", KEPT, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_kept_input_breaks_no_rule(file: Path) -> None:
    importlib.import_module(f"tests.fuzz.{file.parent.name}").check(file.read_bytes())


def test_every_target_has_kept_inputs_and_together_they_are_small() -> None:
    assert {file.parent.name for file in KEPT} == set(TARGETS)
    assert sum(file.stat().st_size for file in KEPT) < 200_000


@pytest.mark.parametrize("seed", range(50))
def test_a_changed_document_is_json_again_and_the_pool_stays_as_it_is(seed: int) -> None:
    pool = Pool([{"a": ["b", 1]}])
    before = repr(pool.values)
    found = changed(b'{"c": {"d": "e"}}', pool=pool, seed=seed, mutate_bytes=lambda text: text + b"\xff")
    assert changed(found, pool=pool, seed=0, mutate_bytes=bytes).isascii()
    assert repr(pool.values) == before
