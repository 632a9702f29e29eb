"""Answers, refusals, and failures of the product."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpcore import BuiltServer, Server
from tests.eval.asking import Asked, ProductFailed, ask
from tests.eval.product import open_product
from tests.eval.queries import Query
from tests.support.registries import a_category, a_registry, baked

REGISTRY = a_registry({"bread": a_category("Bread"), "rust": a_category("Rust")})


def put(folder: Path, text: str) -> Asked:
    """What the product says to `text`, with the reference strategy over two categories."""
    baked(folder, REGISTRY)
    product = open_product({"REGISTRY_DIR": str(folder / "registry"), "MATCH_STRATEGY": "reference"})
    (asked,) = ask(product.server, [Query(1, text, (), "s")])
    return asked


def answering(tool: Callable[..., Any]) -> BuiltServer:
    """A server with `tool` in the place of the product's."""
    server = Server("fixture", version="1")
    anything = {"type": "object"}
    promised = {"type": "object", "required": ["category"]}
    server.tool("get_sources", description="A tool.", input_schema=anything, output_schema=promised)(tool)
    return server.build()


def failure_of(server: BuiltServer) -> str:
    """How it is told that `server` fails at the query on line 7."""
    with pytest.raises(ProductFailed) as failure:
        ask(server, [Query(7, "bread", (), "s")])
    return str(failure.value)


def test_an_answer_has_its_category_and_the_score_of_the_match(tmp_path: Path) -> None:
    assert put(tmp_path, "bread")[1:] == ("bread", "bread", 1.0)


def test_a_refusal_has_the_category_and_the_score_that_came_nearest(tmp_path: Path) -> None:
    asked = put(tmp_path, "broadcast television")
    assert (asked.answered, asked.nearest) == (None, "bread")
    assert asked.score is not None
    assert 0 < asked.score < 0.4


@pytest.mark.parametrize(
    "text",
    ["", "how do I do it?", "?!", "bread " * 200, "bread \ud800"],
    ids=["empty", "stop words", "punctuation", "too long", "no Unicode"],
)
def test_a_query_that_is_not_valid_or_has_nothing_to_match_is_refused(tmp_path: Path, text: str) -> None:
    assert put(tmp_path, text)[1:] == (None, None, None)


def test_an_answer_at_another_threshold_is_the_nearest_category_if_it_reaches_that() -> None:
    asked = Asked(Query(1, "loaf", ("bread",), "s"), None, "bread", 0.3)
    assert [asked.at(threshold).right for threshold in (0, 0.3, 0.31)] == [True, True, False]


def test_an_exception_in_the_tool_is_no_refusal() -> None:
    def breaks(**_arguments: Any) -> None:
        raise LookupError("no answer was baked")

    assert failure_of(answering(breaks)) == (
        "line 7: the product failed on this query: The tool failed (LookupError('no answer was baked'))"
    )


def test_an_error_of_the_protocol_is_no_refusal() -> None:
    assert failure_of(Server("empty", version="1").build()).startswith(
        "line 7: the product failed on this query: Method not found: tools/call"
    )
