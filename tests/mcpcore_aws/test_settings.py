"""Settings from the environment: every variable, every fault, all faults at once."""

from typing import Any, Final

import pytest

from mcpcore.http import Policy
from mcpcore_aws.settings import VARIABLES, Settings, SettingsError, read_settings

REQUIRED: Final = {"SESSIONS_TABLE": "sessions"}

DEFAULTS: Final = Settings(
    registry_dir="/opt/registry",
    match_strategy="lexicon",
    match_threshold=0.4,
    match_fuzzy_weight=0.7,
    match_keyword_weight=0.3,
    log_no_matches=False,
    sessions_table="sessions",
    session_ttl_seconds=3600,
    tool_timeout_seconds=20,
    state_keys=(),
    policy=Policy(frozenset(), frozenset(), 1_000_000),
)

EVERYTHING: Final = {
    "ALLOWED_HOSTS": "API.example.com, localhost:3000",
    "ALLOWED_ORIGINS": "https://a.example, http://localhost:6274,",
    "LOG_NO_MATCHES": "true",
    "MATCH_FUZZY_WEIGHT": "0.25",
    "MATCH_KEYWORD_WEIGHT": "0.75",
    "MATCH_STRATEGY": "another",
    "MATCH_THRESHOLD": "0.5",
    "MAX_BODY_BYTES": "2000",
    "REGISTRY_DIR": "/srv/registry",
    "SESSIONS_TABLE": "table",
    "SESSION_TTL_SECONDS": "600",
    "STATE_SECRET": "new" * 11,
    "STATE_SECRET_PREVIOUS": "old" * 11,
    "TOOL_TIMEOUT_SECONDS": "5",
}


def faults(environment: dict[str, str]) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        read_settings(environment)
    return caught.value.faults


def test_what_is_not_set_takes_its_default() -> None:
    assert read_settings(REQUIRED) == DEFAULTS


@pytest.mark.parametrize("blank", ["", "  ", "\t\n"])
def test_what_is_empty_takes_its_default(blank: str) -> None:
    assert read_settings(dict.fromkeys(VARIABLES, blank) | REQUIRED) == DEFAULTS


def test_every_variable_is_read() -> None:
    assert EVERYTHING.keys() == VARIABLES
    assert read_settings(EVERYTHING) == Settings(
        registry_dir="/srv/registry",
        match_strategy="another",
        match_threshold=0.5,
        match_fuzzy_weight=0.25,
        match_keyword_weight=0.75,
        log_no_matches=True,
        sessions_table="table",
        session_ttl_seconds=600,
        tool_timeout_seconds=5,
        state_keys=(b"new" * 11, b"old" * 11),
        policy=Policy(
            frozenset({"https://a.example", "http://localhost:6274"}),
            frozenset({"api.example.com", "localhost:3000"}),
            2000,
        ),
    )


def test_other_variables_are_nobodys_business() -> None:
    assert read_settings(REQUIRED | {"PATH": "/bin", "AWS_REGION": ""}) == DEFAULTS


def test_white_space_around_a_value_does_not_count() -> None:
    assert read_settings({"SESSIONS_TABLE": " sessions ", "SESSION_TTL_SECONDS": " 3600\n"}) == DEFAULTS


@pytest.mark.parametrize("environment", [{}, {"SESSIONS_TABLE": ""}, {"SESSIONS_TABLE": " "}])
def test_the_table_must_be_set(environment: dict[str, str]) -> None:
    assert faults(environment) == ["SESSIONS_TABLE must be set"]


FRACTION: Final = "must be a number from 0.0 to 1.0, and is"
TTL: Final = "must be a whole number from 60 to 86400, and is"
TIMEOUT: Final = "must be a whole number from 1 to 28, and is"
BODY: Final = "must be a whole number from 1000 to 6000000, and is"


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        *(
            ("MATCH_THRESHOLD", value, f"MATCH_THRESHOLD {FRACTION} {value!r}")
            for value in ("nan", "NaN", "inf", "-inf", "1.01", "-0.1", "high", "0,5", "1/2")
        ),
        *(
            ("SESSION_TTL_SECONDS", value, f"SESSION_TTL_SECONDS {TTL} {value!r}")
            for value in ("59", "86401", "0", "-60", "3600.0", "1e3", "nan", "1h")
        ),
        *(
            ("MAX_BODY_BYTES", value, f"MAX_BODY_BYTES {BODY} {value!r}")
            for value in ("999", "6000001", "1MB", "-1", "inf")
        ),
        *(
            ("TOOL_TIMEOUT_SECONDS", value, f"TOOL_TIMEOUT_SECONDS {TIMEOUT} {value!r}")
            for value in ("0", "29", "2.5", "-1", "forever")
        ),
        *(
            ("LOG_NO_MATCHES", value, f"LOG_NO_MATCHES must be true or false, and is {value!r}")
            for value in ("True", "1", "yes", "on")
        ),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(name: str, value: str, fault: str) -> None:
    assert faults(REQUIRED | {name: value}) == [fault]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"MATCH_THRESHOLD": "0"}, {"match_threshold": 0.0}),
        ({"MATCH_THRESHOLD": "1"}, {"match_threshold": 1.0}),
        ({"SESSION_TTL_SECONDS": "60"}, {"session_ttl_seconds": 60}),
        ({"SESSION_TTL_SECONDS": "86400"}, {"session_ttl_seconds": 86_400}),
        ({"TOOL_TIMEOUT_SECONDS": "1"}, {"tool_timeout_seconds": 1}),
        ({"TOOL_TIMEOUT_SECONDS": "28"}, {"tool_timeout_seconds": 28}),
        ({"STATE_SECRET": "s" * 32}, {"state_keys": (b"s" * 32,)}),
        ({"MAX_BODY_BYTES": "1000"}, {"policy": DEFAULTS.policy._replace(max_body_bytes=1000)}),
        ({"MAX_BODY_BYTES": "6000000"}, {"policy": DEFAULTS.policy._replace(max_body_bytes=6_000_000)}),
        (
            {"MATCH_FUZZY_WEIGHT": "1", "MATCH_KEYWORD_WEIGHT": "0"},
            {"match_fuzzy_weight": 1.0, "match_keyword_weight": 0.0},
        ),
        ({"ALLOWED_ORIGINS": "*"}, {"policy": DEFAULTS.policy._replace(allowed_origins=frozenset("*"))}),
    ],
)
def test_the_ends_of_a_range_belong_to_it(changed: dict[str, str], expected: dict[str, Any]) -> None:
    assert read_settings(REQUIRED | changed) == DEFAULTS._replace(**expected)


@pytest.mark.parametrize(
    "weights",
    [
        {"MATCH_FUZZY_WEIGHT": "0.6"},
        {"MATCH_KEYWORD_WEIGHT": "0.4"},
        {"MATCH_FUZZY_WEIGHT": "0.5", "MATCH_KEYWORD_WEIGHT": "0.4"},
        {"MATCH_FUZZY_WEIGHT": "1", "MATCH_KEYWORD_WEIGHT": "1"},
    ],
)
def test_weights_that_do_not_sum_to_1_are_refused_together(weights: dict[str, str]) -> None:
    assert faults(REQUIRED | weights) == ["MATCH_FUZZY_WEIGHT and MATCH_KEYWORD_WEIGHT must sum to 1"]


@pytest.mark.parametrize(
    ("fuzzy", "keyword"), [("0.1", "0.9"), ("0.9", "0.1"), ("0.3", "0.7"), ("0.58", "0.42")]
)
def test_weights_are_summed_as_people_write_them(fuzzy: str, keyword: str) -> None:
    weights = {"MATCH_FUZZY_WEIGHT": fuzzy, "MATCH_KEYWORD_WEIGHT": keyword}
    assert read_settings(REQUIRED | weights).match_fuzzy_weight == float(fuzzy)


def test_a_weight_that_is_no_number_is_not_told_twice() -> None:
    assert faults(REQUIRED | {"MATCH_FUZZY_WEIGHT": "much"}) == [f"MATCH_FUZZY_WEIGHT {FRACTION} 'much'"]


@pytest.mark.parametrize("name", ["STATE_SECRET", "STATE_SECRET_PREVIOUS"])
def test_a_secret_that_can_be_guessed_is_refused_and_not_repeated(name: str) -> None:
    assert faults(REQUIRED | {name: "s" * 31}) == [f"{name} must have at least 32 characters"]


def test_the_present_secret_comes_before_the_previous_one() -> None:
    secrets = {"STATE_SECRET_PREVIOUS": "a" * 32, "STATE_SECRET": "b" * 32}
    assert read_settings(REQUIRED | secrets).state_keys == (b"b" * 32, b"a" * 32)


def test_a_secret_may_have_any_characters() -> None:
    secret = "ü\U0001f600 " * 20 + "."
    assert read_settings(REQUIRED | {"STATE_SECRET": secret}).state_keys == (secret.encode(),)


def test_all_faults_are_told_at_once() -> None:
    environment = {
        "MATCH_THRESHOLD": "nan",
        "SESSION_TTL_SECONDS": "soon",
        "MAX_BODY_BYTES": "1",
        "POWERTOOLS_LOG_LEVEL": "loud",
    }
    expected = [
        f"MATCH_THRESHOLD {FRACTION} 'nan'",
        "SESSIONS_TABLE must be set",
        f"SESSION_TTL_SECONDS {TTL} 'soon'",
        f"MAX_BODY_BYTES {BODY} '1'",
        "POWERTOOLS_LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, and is 'loud'",
    ]
    with pytest.raises(SettingsError) as caught:
        read_settings(environment)
    assert caught.value.faults == expected
    assert str(caught.value) == "; ".join(expected)
