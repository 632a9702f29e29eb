"""What the runner makes of a driver's report, whatever the driver claims."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.matrix.judging import Cell
from tests.clients.matrix.page import renewed
from tests.clients.matrix.run import Failed, failures
from tests.clients.matrix.running import Outcome, run_driver
from tests.clients.matrix.table import STEPS, Client, read_table
from tests.clients.offered import CATEGORY, FOUND, PROMPT, RESOURCES, TOOLS, URI

RIGHT: Final[Mapping[str, Any]] = {
    "connect": "2025-11-25",
    "tools": TOOLS,
    "call": {"texts": [json.dumps(FOUND)], "structured": FOUND},
    "unknown": "ToolError: query must be a string",
    "resources": RESOURCES,
    "read": [json.dumps(CATEGORY)],
    "prompts": ["research_topic"],
    "prompt": PROMPT,
    "close": True,
}

# What a driver may claim that is not what the product offers, by step.
WRONG: Final[list[tuple[str, Any]]] = [
    ("connect", "2020-01-01"),
    ("tools", TOOLS[1:]),
    ("tools", True),
    ("call", "it works"),
    ("call", FOUND | {"sources": FOUND["sources"][:2]}),
    ("unknown", ""),
    ("unknown", [json.dumps(FOUND)]),
    ("resources", RESOURCES[:50]),
    ("read", [URI]),
    ("prompts", []),
    ("prompt", PROMPT[:1] if len(PROMPT) > 1 else ["Research this topic for me: rust"]),
    ("close", False),
]


def client(**known: str) -> Client:
    return Client(
        name="a-client",
        requirements=("a-client==1.0",),
        driver=Path("driver.py"),
        arguments=(),
        transports=("http",),
        python=None,
        in_ci=False,
        note=None,
        known=known,
    )


def run(folder: Path, found: Mapping[str, Any], then: str = "", **known: str) -> Outcome:
    """The outcome of a driver that prints these findings, then does something else."""
    lines = [json.dumps({"step": step, "found": each}) for step, each in found.items()]
    script = folder / "driver.py"
    script.write_text(f"import sys, time\nfor line in {lines!r}:\n    print(line, flush=True)\n{then}\n")
    command = [sys.executable, str(script)]
    limit = 2 if "sleep" in then else 30
    return run_driver(client(**known), "http", command=command, target=["http://unused"], limit_seconds=limit)


def test_a_client_that_finds_what_is_offered_works(tmp_path: Path) -> None:
    outcome = run(tmp_path, RIGHT)
    assert outcome.failures == {}
    assert outcome.protocol == "2025-11-25"
    assert failures([outcome]) == []


@pytest.mark.parametrize(("step", "claim"), WRONG)
def test_a_driver_is_not_believed(tmp_path: Path, step: str, claim: Any) -> None:
    assert list(run(tmp_path, {**RIGHT, step: claim}).failures) == [step]


def test_a_prefix_before_all_names_is_the_clients_own(tmp_path: Path) -> None:
    assert run(tmp_path, {**RIGHT, "tools": [f"sources_{name}" for name in TOOLS]}).failures == {}
    assert list(run(tmp_path, {**RIGHT, "tools": [f"sources_{TOOLS[0]}", *TOOLS[1:]]}).failures) == ["tools"]


def test_a_driver_that_hangs_is_ended_and_what_it_has_reported_counts(tmp_path: Path) -> None:
    reported = {step: RIGHT[step] for step in ("connect", "tools")}
    outcome = run(tmp_path, reported, "time.sleep(60)")
    assert outcome.failures == {step: "no end after 2 s" for step in STEPS if step not in reported}


def test_a_client_that_does_not_end_has_not_closed(tmp_path: Path) -> None:
    assert run(tmp_path, RIGHT, "time.sleep(60)").failures == {"close": "no end after 2 s"}


def test_a_driver_that_breaks_down_fails_with_the_last_line_of_its_error(tmp_path: Path) -> None:
    outcome = run(tmp_path, {}, "raise ImportError('no such name')")
    assert outcome.failures == {"connect": "exit status 1: ImportError: no such name"}


def test_a_failure_that_is_listed_with_its_reason_does_not_fail_the_run(tmp_path: Path) -> None:
    outcome = run(tmp_path, {**RIGHT, "prompt": []}, prompt="It drops them.")
    assert list(outcome.failures) == ["prompt"]
    assert failures([outcome]) == []


def test_a_listed_failure_that_is_gone_fails_the_run(tmp_path: Path) -> None:
    outcome = run(tmp_path, RIGHT, prompt="It drops them.")
    assert failures([outcome]) == ["a-client 1.0: prompt is listed as failing, and works"]


def test_a_client_that_cannot_be_installed_fails_the_run() -> None:
    assert failures([Failed(client(), "no such version")]) == ["a-client 1.0: not installed: no such version"]


def test_the_page_has_one_row_for_versions_with_equal_results(tmp_path: Path) -> None:
    works = run(tmp_path, RIGHT)
    later = works._replace(client=client()._replace(requirements=("a-client==1.1",)))
    fails = run(tmp_path, {**RIGHT, "prompt": []}, prompt="It drops them.")
    newest = fails._replace(client=fails.client._replace(requirements=("a-client==2.0",)))
    page = renewed(
        "before\n<!-- make clients: begin -->\nold\n<!-- make clients: end -->\nafter\n",
        [works, later, newest],
        date="2026-01-02",
    )
    assert page.splitlines()[2:] == [
        "Results of 2026-01-02. Clients: 1, versions: 3.",
        "",
        "| client | versions | protocol version | HTTP | stdio | has no |",
        "| --- | --- | --- | --- | --- | --- |",
        "| a-client | 1.0, 1.1 | 2025-11-25 | ✓ | not tested |  |",
        "| a-client | 2.0 | 2025-11-25 | ✗ prompt (1) | not tested |  |",
        "",
        "1. It drops them.",
        "<!-- make clients: end -->",
        "after",
    ]


def test_the_page_says_what_a_client_lacks_and_over_which_transport(tmp_path: Path) -> None:
    http = run(tmp_path, RIGHT)
    over = {"http": ("read", "prompts", "prompt"), "stdio": ("prompts", "prompt")}
    runs = [
        http._replace(transport=name, cells={**http.cells, **dict.fromkeys(steps, Cell("absent"))})
        for name, steps in over.items()
    ]
    assert "| ✓ | ✓ | prompts, reading of resources over HTTP |" in renewed("", runs, date="2026-01-02")


def test_the_lists_of_clients_are_in_order() -> None:
    assert {client.transports for client in read_table()} <= {("http", "stdio"), ("http",), ("stdio",)}
