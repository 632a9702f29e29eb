"""Every requirement has a test, and every test names requirements that exist.

The test files are parsed, not run, so a partial run finds all of them.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.requirements import BY_SOURCE, REQUIREMENTS
from tests.support.processes import ROOT

TESTS: Final = ROOT / "tests"


def named_in(source: str) -> Iterator[str]:
    """Every id in a `pytest.mark.requirement(...)` of `source`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
            yield from (ast.literal_eval(argument) for argument in node.args)


def files() -> list[Path]:
    return [path for path in sorted(TESTS.rglob("test_*.py")) if "node_modules" not in path.parts]


NAMED: Final = {name: path for path in files() for name in named_in(path.read_text())}


@pytest.mark.parametrize("behaviour", REQUIREMENTS)
def test_every_requirement_has_a_test(behaviour: str) -> None:
    assert behaviour in NAMED, REQUIREMENTS[behaviour]


@pytest.mark.parametrize("behaviour", NAMED)
def test_every_named_requirement_exists(behaviour: str) -> None:
    assert behaviour in REQUIREMENTS, NAMED[behaviour]


def test_no_id_stands_twice() -> None:
    assert len(REQUIREMENTS) == sum(map(len, BY_SOURCE.values()))


@pytest.mark.parametrize("behaviour", REQUIREMENTS)
def test_a_requirement_is_a_sentence_of_a_page(behaviour: str) -> None:
    source, sentence = REQUIREMENTS[behaviour]
    assert source.startswith(("20", "JSON-RPC 2.0, "))
    assert sentence.endswith(".")


def test_marks_are_read_wherever_they_stand() -> None:
    source = 'A = pytest.mark.requirement("a")(B)\n@pytest.mark.requirement("b", "c")\ndef test_d(): ...\n'
    assert set(named_in(source)) == {"a", "b", "c"}
