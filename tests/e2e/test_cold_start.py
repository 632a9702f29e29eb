"""The composition root: what a cold start needs, what it refuses, and what it leaves for later."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.cold_path import FIRST_QUERY, answering, prepared_function
from tests.support.dynamodb import account_at, fresh_table, use_dynamodb
from tests.support.events import EVENT_SOURCES, captured, headers_of, with_body, with_headers
from tests.support.exchanges import Handler, LambdaContext, initialize, legacy
from tests.support.processes import ROOT

SETTINGS: Final = {"SESSIONS_TABLE": "sessions", "REGISTRY_DIR": str(ROOT / "layers/registry/baked")}
FROM_SOURCES: Final = ROOT / "functions/mcp"


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The function's folder as it is deployed, with what was prepared."""
    return prepared_function(tmp_path_factory.mktemp("built"))


def call(**arguments: Any) -> dict[str, Any]:
    """The captured event with other arguments of get_sources."""
    event = captured("http_api")
    body = json.loads(event["body"])
    body["params"]["arguments"] = arguments
    return {**event, "body": json.dumps(body)}


def asking(method: str) -> dict[str, Any]:
    """The captured event with another method, which takes no params."""
    event = captured("http_api")
    del event["headers"]["mcp-name"]
    event["headers"]["mcp-method"] = method
    return {**event, "body": event["body"].replace("tools/call", method)}


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_the_product_answers_behind_each_event_source(handler: Handler, source: str) -> None:
    reply = dict(handler(captured(source), LambdaContext()))
    assert (reply["statusCode"], headers_of(reply)) == (200, {"content-type": "application/json"})
    answer = json.loads(reply["body"])["result"]["structuredContent"]
    assert answer["category"]["slug"] == "rust-learning"
    assert [source["rank"] for source in answer["sources"]] == [1, 2, 3]


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list", "server/discover"])
def test_a_request_without_a_query_loads_nothing_that_costs(function: Path, method: str) -> None:
    assert answering(function, [asking(method)], **SETTINGS).record() == ([200], [])


def test_a_handler_that_nobody_has_called_has_loaded_nothing_that_costs(function: Path) -> None:
    assert answering(function, [], **SETTINGS).record() == ([], [])


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "learn rust"},
        {"query": "learn rust", "threshold": 0.25, "alternatives": 3},
        {"query": "how do I learn to cook?", "alternatives": 0},
    ],
)
def test_a_first_query_loads_no_more_than_its_words_need(function: Path, arguments: dict[str, Any]) -> None:
    """Not the client of the store, nor what makes schemas, nor what checks a value that fits beyond doubt."""
    assert answering(function, [call(**arguments)], **SETTINGS).record() == ([200], [*FIRST_QUERY])


def test_only_a_misspelt_word_loads_what_compares_spellings(function: Path) -> None:
    event = call(query="lern ruts progrmming")

    assert answering(function, [event], **SETTINGS).record() == ([200], [*FIRST_QUERY, "rapidfuzz"])


def test_only_arguments_that_may_not_fit_load_what_says_why(function: Path) -> None:
    statuses, loaded = answering(function, [call(query=5)], **SETTINGS).record()

    assert (statuses, loaded) == ([200], ["mcpcore.definitions.type_schemas", "pydantic", "pydantic_core"])


def test_a_session_is_opened_and_used_without_the_aws_sdk(function: Path, dynamodb: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_dynamodb(patch, dynamodb)
        table = fresh_table(dynamodb)
    ping = legacy("ping", session="nobody's")
    events = [
        with_body(with_headers(captured("http_api"), dict(sent.headers)), sent.body.decode())
        for sent in (initialize(), ping)
    ]
    settings = {**SETTINGS, "SESSIONS_TABLE": table, **account_at(dynamodb)}

    assert answering(function, events, **settings).record() == ([200, 404], [])


def test_from_its_sources_the_handler_answers_the_same_and_takes_longer() -> None:
    """Without what was prepared, the type hints are looked at while somebody waits."""
    statuses, loaded = answering(FROM_SOURCES, [call(query="learn rust")], **SETTINGS).record()

    assert (statuses, loaded) == (
        [200],
        [*FIRST_QUERY, "mcpcore.definitions.type_schemas", "pydantic", "pydantic_core"],
    )


@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        ({"SESSIONS_TABLE": ""}, "SESSIONS_TABLE must be set"),
        (
            {"MATCH_THRESHOLD": "nan", "MAX_BODY_BYTES": "1"},
            "MATCH_THRESHOLD must be a number from 0.0 to 1.0, and is 'nan'; "
            "MAX_BODY_BYTES must be a whole number from 1000 to 6000000, and is '1'",
        ),
        ({"MATCH_STRATEGY": "telepathy"}, "MATCH_STRATEGY must be lexicon or reference"),
    ],
)
def test_a_cold_start_refuses_wrong_settings_by_name(variables: dict[str, str], fault: str) -> None:
    ended = answering(FROM_SOURCES, [captured("http_api")], **(SETTINGS | variables))
    assert ended.returncode == 1
    assert f"SettingsError: {fault}" in ended.stderr


def test_a_cold_start_without_a_registry_says_where_it_looked(tmp_path: Path) -> None:
    ended = answering(FROM_SOURCES, [], **(SETTINGS | {"REGISTRY_DIR": str(tmp_path)}))
    assert ended.returncode == 1
    assert str(tmp_path) in ended.stderr
