"""The composition root: what a cold start needs, what it refuses, and what it leaves for later."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.cold_path import AUTHORIZATION, FIRST_QUERY, JWT, answering, prepared_function
from tests.support.dynamodb import account_at, fresh_table, use_dynamodb
from tests.support.events import EVENT_SOURCES, captured, headers_of, with_body, with_headers
from tests.support.exchanges import Handler, LambdaContext, initialize, legacy
from tests.support.processes import ROOT
from tests.support.published import baked_folder

SETTINGS: Final = {"SESSIONS_TABLE": "sessions", "REGISTRY_DIR": str(baked_folder())}
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
    event = captured(source)
    sent = {name: value for name, value in headers_of(event).items() if name != "accept-encoding"}
    reply = dict(handler(with_headers(event, sent), LambdaContext()))
    assert (reply["statusCode"], headers_of(reply)) == (200, {"content-type": "application/json"})
    answer = json.loads(reply["body"])["result"]["structuredContent"]
    assert answer["category"]["slug"] == "rust-learning"
    assert [source["rank"] for source in answer["sources"]] == [1, 2, 3]


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list", "server/discover"])
def test_a_request_without_a_query_imports_no_expensive_module(function: Path, method: str) -> None:
    assert answering(function, [asking(method)], **SETTINGS).record() == ([200], [])


def test_a_handler_before_its_first_call_has_imported_no_expensive_module(function: Path) -> None:
    assert answering(function, [], **SETTINGS).record() == ([], [])


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "learn rust"},
        {"query": "learn rust", "threshold": 0.25, "alternatives": 3},
        {"query": "how do I learn to cook?", "alternatives": 0},
    ],
)
def test_a_first_query_imports_only_the_modules_that_it_needs(
    function: Path, arguments: dict[str, Any]
) -> None:
    """It imports neither the store's client nor the modules that make schemas and full validators."""
    assert answering(function, [call(**arguments)], **SETTINGS).record() == ([200], [*FIRST_QUERY])


@pytest.mark.parametrize(
    ("variables", "needed"),
    [
        ({"AUTH_GATEWAY": "iam"}, AUTHORIZATION),
        ({"AUTH_API_KEYS_TABLE": "keys"}, AUTHORIZATION),
        ({"AUTH_ISSUER": "https://issuer.example"}, AUTHORIZATION | JWT),
    ],
)
def test_a_request_that_is_refused_imports_only_what_verifies_its_kind_of_credentials(
    function: Path, variables: dict[str, str], needed: set[str]
) -> None:
    settings = SETTINGS | variables | {"CLIENT_DIGEST_KEY": "k" * 16}
    assert answering(function, [asking("tools/list")], **settings).record() == ([401], sorted(needed))


def test_only_a_misspelt_word_imports_the_spelling_correction(function: Path) -> None:
    event = call(query="lern ruts progrmming")

    assert answering(function, [event], **SETTINGS).record() == ([200], [*FIRST_QUERY, "rapidfuzz"])


def test_only_possibly_invalid_arguments_import_the_full_validation(function: Path) -> None:
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


def test_without_the_prebuilt_file_the_handler_answers_and_imports_pydantic() -> None:
    """Without the prebuilt file, the type hints are read during the first request."""
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


def test_the_error_of_a_cold_start_without_a_registry_has_the_path(tmp_path: Path) -> None:
    ended = answering(FROM_SOURCES, [], **(SETTINGS | {"REGISTRY_DIR": str(tmp_path)}))
    assert ended.returncode == 1
    assert str(tmp_path) in ended.stderr
