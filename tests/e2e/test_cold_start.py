"""The composition root: what a cold start needs, what it refuses, and what it leaves for later."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.events import DOORS, captured, headers_of
from tests.support.exchanges import Handler, LambdaContext
from tests.support.processes import ROOT
from tests.support.serving import environment

SETTINGS: Final = {"SESSIONS_TABLE": "sessions", "REGISTRY_DIR": str(ROOT / "layers/registry/baked")}

ANSWER_ONE: Final = """
import json, sys
from handler import lambda_handler
from tests.support.exchanges import LambdaContext
reply = lambda_handler(json.loads(sys.stdin.read()), LambdaContext())
costly = {"boto3", "jsonschema", "asyncio", "Stemmer", "rapidfuzz", "numpy"}
print(reply["statusCode"], sorted(costly.intersection(sys.modules)), file=sys.stderr)
"""


def cold_start(event: dict[str, Any], **variables: str) -> subprocess.CompletedProcess[str]:
    """A process that makes the handler, answers one event, and says which costly packages were loaded."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", ANSWER_ONE],
        cwd=ROOT,
        env=environment(**variables),
        input=json.dumps(event),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize("door", DOORS)
def test_the_product_answers_behind_each_door(handler: Handler, door: str) -> None:
    reply = dict(handler(captured(door), LambdaContext()))
    assert (reply["statusCode"], headers_of(reply)) == (200, {"content-type": "application/json"})
    answer = json.loads(reply["body"])["result"]["structuredContent"]
    assert answer["category"]["slug"] == "rust-learning"
    assert [source["rank"] for source in answer["sources"]] == [1, 2, 3]


def test_a_request_without_a_query_loads_nothing_that_costs() -> None:
    event = captured("http_api")
    del event["headers"]["mcp-name"]
    event["headers"]["mcp-method"] = "tools/list"
    event["body"] = event["body"].replace("tools/call", "tools/list")

    assert cold_start(event, **SETTINGS).stderr == "200 []\n"


@pytest.mark.parametrize(
    ("query", "loaded"),
    [("learn rust", ["Stemmer"]), ("lern ruts progrmming", ["Stemmer", "rapidfuzz"])],
)
def test_a_query_of_2026_07_28_loads_no_more_than_its_words_need(query: str, loaded: list[str]) -> None:
    """Not the client of the store, nor what the layer of dependencies leaves out as no tool here needs it."""
    event = captured("http_api")
    event["body"] = event["body"].replace("learn rust", query)

    assert cold_start(event, **SETTINGS).stderr == f"200 {loaded}\n"


@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        ({"SESSIONS_TABLE": ""}, "SESSIONS_TABLE must be set"),
        (
            {"MATCH_THRESHOLD": "nan", "MAX_BODY_BYTES": "1"},
            "MATCH_THRESHOLD must be a number from 0.0 to 1.0, and is 'nan'; "
            "MAX_BODY_BYTES must be a whole number from 1000 to 6000000, and is '1'",
        ),
        ({"MATCH_STRATEGY": "telepathy"}, "MATCH_STRATEGY: "),
    ],
)
def test_a_cold_start_refuses_wrong_settings_by_name(variables: dict[str, str], fault: str) -> None:
    ended = cold_start(captured("http_api"), **(SETTINGS | variables))
    assert ended.returncode == 1
    assert f"SettingsError: {fault}" in ended.stderr


def test_a_cold_start_without_a_registry_says_where_it_looked(tmp_path: Path) -> None:
    ended = cold_start(captured("http_api"), **(SETTINGS | {"REGISTRY_DIR": str(tmp_path)}))
    assert ended.returncode == 1
    assert str(tmp_path) in ended.stderr
