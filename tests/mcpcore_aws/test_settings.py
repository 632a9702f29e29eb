"""Settings of any server: every variable, every fault, all faults at once; and the reader of settings."""

from typing import Any, Final

import pytest

from mcpcore.http import Policy
from mcpcore_aws.settings import (
    EnvironmentReader,
    RateLimits,
    ServerSettings,
    SettingsError,
    read_server_settings,
)
from tests.support.settings import server_settings

REQUIRED: Final = {"SESSIONS_TABLE": "sessions"}

DEFAULTS: Final = ServerSettings(
    sessions_table="sessions",
    session_ttl_seconds=3600,
    tool_timeout_seconds=20,
    state_keys=(),
    state_secret_source="",
    policy=Policy(frozenset(), frozenset(), 1_000_000),
    rate_limits=RateLimits(0, 0, 0, "sessions", b""),
    authorized=False,
)

SECRET_ARN: Final = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:state-AbCdEf"

EVERYTHING: Final = {
    "ALLOWED_HOSTS": "API.example.com, localhost:3000",
    "ALLOWED_ORIGINS": "https://a.example, http://localhost:6274,",
    "CLIENT_DIGEST_KEY": "stack",
    "MAX_BODY_BYTES": "2000",
    "REQUESTS_PER_MINUTE": "600",
    "SESSIONS_PER_MINUTE": "60",
    "SESSIONS_TABLE": "table",
    "SESSION_TTL_SECONDS": "600",
    "STATE_SECRET": "new" * 11,
    "STATE_SECRET_PREVIOUS": "old" * 11,
    "STATE_SECRET_SOURCE": SECRET_ARN,
    "TOOL_TIMEOUT_SECONDS": "5",
    "TRUSTED_PROXIES": "1",
}


def faults(environment: dict[str, str]) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        server_settings(environment)
    return caught.value.faults


def test_an_unset_variable_has_its_default() -> None:
    assert server_settings(REQUIRED) == DEFAULTS


@pytest.mark.parametrize("blank", ["", "  ", "\t\n"])
def test_an_empty_variable_has_its_default(blank: str) -> None:
    assert server_settings(dict.fromkeys(EVERYTHING, blank) | REQUIRED) == DEFAULTS


def test_every_variable_is_read() -> None:
    assert server_settings(EVERYTHING) == ServerSettings(
        sessions_table="table",
        session_ttl_seconds=600,
        tool_timeout_seconds=5,
        state_keys=(b"new" * 11, b"old" * 11),
        state_secret_source=SECRET_ARN,
        policy=Policy(
            frozenset({"https://a.example", "http://localhost:6274"}),
            frozenset({"api.example.com", "localhost:3000"}),
            2000,
        ),
        rate_limits=RateLimits(600, 60, 1, "table", b"stack"),
        authorized=False,
    )


def test_other_variables_are_ignored() -> None:
    assert server_settings(REQUIRED | {"PATH": "/bin", "AWS_REGION": ""}) == DEFAULTS


def test_white_space_around_a_value_does_not_count() -> None:
    assert server_settings({"SESSIONS_TABLE": " sessions ", "SESSION_TTL_SECONDS": " 3600\n"}) == DEFAULTS


@pytest.mark.parametrize("limit", ["REQUESTS_PER_MINUTE", "SESSIONS_PER_MINUTE"])
def test_limits_need_a_table_and_a_key_also_when_sessions_are_elsewhere(limit: str) -> None:
    reader = EnvironmentReader({limit: "1"})
    read_server_settings(reader, table_required=False)
    assert reader.faults == ["SESSIONS_TABLE must be set", "CLIENT_DIGEST_KEY must be set"]


@pytest.mark.parametrize("environment", [{}, {"SESSIONS_TABLE": ""}, {"SESSIONS_TABLE": " "}])
def test_the_table_must_be_set(environment: dict[str, str]) -> None:
    assert faults(environment) == ["SESSIONS_TABLE must be set"]


TTL: Final = "must be a whole number from 60 to 86400, and is"
TIMEOUT: Final = "must be a whole number from 1 to 28, and is"
BODY: Final = "must be a whole number from 1000 to 6000000, and is"


@pytest.mark.parametrize(
    ("name", "value", "range_"),
    [
        *(("SESSION_TTL_SECONDS", value, TTL) for value in ("59", "86401", "-60", "3600.0", "1e3", "1h")),
        *(("MAX_BODY_BYTES", value, BODY) for value in ("999", "6000001", "1MB", "-1", "inf")),
        *(("TOOL_TIMEOUT_SECONDS", value, TIMEOUT) for value in ("0", "29", "2.5", "forever")),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(name: str, value: str, range_: str) -> None:
    assert faults(REQUIRED | {name: value}) == [f"{name} {range_} {value!r}"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"SESSION_TTL_SECONDS": "60"}, {"session_ttl_seconds": 60}),
        ({"SESSION_TTL_SECONDS": "86400"}, {"session_ttl_seconds": 86_400}),
        ({"TOOL_TIMEOUT_SECONDS": "1"}, {"tool_timeout_seconds": 1}),
        ({"TOOL_TIMEOUT_SECONDS": "28"}, {"tool_timeout_seconds": 28}),
        ({"STATE_SECRET": "s" * 32}, {"state_keys": (b"s" * 32,)}),
        ({"MAX_BODY_BYTES": "1000"}, {"policy": DEFAULTS.policy._replace(max_body_bytes=1000)}),
        ({"MAX_BODY_BYTES": "6000000"}, {"policy": DEFAULTS.policy._replace(max_body_bytes=6_000_000)}),
        ({"ALLOWED_ORIGINS": "*"}, {"policy": DEFAULTS.policy._replace(allowed_origins=frozenset("*"))}),
    ],
)
def test_the_ends_of_a_range_belong_to_it(changed: dict[str, str], expected: dict[str, Any]) -> None:
    assert server_settings(REQUIRED | changed) == DEFAULTS._replace(**expected)


@pytest.mark.parametrize("name", ["STATE_SECRET", "STATE_SECRET_PREVIOUS"])
def test_a_secret_that_can_be_guessed_is_refused_and_not_repeated(name: str) -> None:
    assert faults(REQUIRED | {name: "s" * 31}) == [f"{name} must have at least 32 characters"]


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        (SECRET_ARN, True),
        ("arn:aws-cn:ssm:cn-north-1:123456789012:parameter/a/b", True),
        *((value, False) for value in ("h" * 32, SECRET_ARN + " b", "arn:aws:ssm:eu-central-1::parameter/a")),
        ("arn:aws:s3:::secret", False),
    ],
)
def test_the_source_of_secrets_is_an_arn_of_one_of_two_services_and_is_not_repeated(
    value: str, accepted: bool
) -> None:
    kinds = "a secret in Secrets Manager or of a parameter in Parameter Store"
    reader = EnvironmentReader({"STATE_SECRET_SOURCE": value})
    reader.secret_source("STATE_SECRET_SOURCE")

    assert reader.faults == ([] if accepted else [f"STATE_SECRET_SOURCE must be the ARN of {kinds}"])


def test_settings_do_not_show_their_secrets() -> None:
    settings = server_settings(EVERYTHING)

    assert "state_keys=(Secret(), Secret())" in repr(settings)
    assert str(settings.state_keys[0]) == "Secret()"


def test_the_present_secret_comes_before_the_previous_one() -> None:
    secrets = {"STATE_SECRET_PREVIOUS": "a" * 32, "STATE_SECRET": "ü\U0001f600 " * 20 + "."}
    assert server_settings(REQUIRED | secrets).state_keys == (secrets["STATE_SECRET"].encode(), b"a" * 32)


def test_all_faults_of_the_servers_own_settings_too_are_reported_at_once() -> None:
    reader = EnvironmentReader(
        {"SHARE": "nan", "SESSION_TTL_SECONDS": "soon", "POWERTOOLS_LOG_LEVEL": "loud"}
    )
    reader.fraction("SHARE", "0.5")
    read_server_settings(reader)
    with pytest.raises(SettingsError) as caught:
        reader.require_valid()
    assert caught.value.faults == [
        "POWERTOOLS_LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, and is 'loud'",
        "SHARE must be a number from 0.0 to 1.0, and is 'nan'",
        "SESSIONS_TABLE must be set",
        f"SESSION_TTL_SECONDS {TTL} 'soon'",
    ]
    assert str(caught.value) == "; ".join(caught.value.faults)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1.01", "-0.1", "high", "0,5", "1/2"])
def test_a_fraction_is_a_number_from_0_to_1(value: str) -> None:
    reader = EnvironmentReader({"LOW": "0", "HIGH": "1", "WRONG": value})
    assert [reader.fraction(name, "0.5") for name in ("LOW", "HIGH", "UNSET")] == [0, 1, 0.5]
    assert reader.faults == []
    reader.fraction("WRONG", "0.5")
    assert reader.faults == [f"WRONG must be a number from 0.0 to 1.0, and is {value!r}"]


@pytest.mark.parametrize(("a", "b"), [("0.1", "0.9"), ("0.3", "0.7"), ("0.58", "0.42"), ("1", "0")])
def test_weights_that_sum_to_1_as_people_write_them_are_accepted(a: str, b: str) -> None:
    reader = EnvironmentReader({"A": a, "B": b})
    assert (reader.weights(A="0.5", B="0.5"), reader.faults) == ([float(a), float(b)], [])


@pytest.mark.parametrize(
    ("environment", "fault"),
    [
        ({"A": "0.6"}, "A and B must sum to 1"),
        ({"A": "1", "B": "1"}, "A and B must sum to 1"),
        ({"A": "much"}, "A must be a number from 0.0 to 1.0, and is 'much'"),
    ],
)
def test_wrong_weights_are_one_fault(environment: dict[str, str], fault: str) -> None:
    reader = EnvironmentReader(environment)
    reader.weights(A="0.5", B="0.5")
    assert reader.faults == [fault]


@pytest.mark.parametrize("value", ["True", "1", "yes", "on"])
def test_a_switch_is_true_or_false(value: str) -> None:
    reader = EnvironmentReader({"ON": "true", "WRONG": value})
    assert (reader.switch("ON", "false"), reader.switch("UNSET", "false"), reader.faults) == (True, False, [])
    reader.switch("WRONG", "false")
    assert reader.faults == [f"WRONG must be true or false, and is {value!r}"]


def test_a_choice_is_one_of_those_allowed() -> None:
    reader = EnvironmentReader({"GOOD": "b", "WRONG": "c"})
    assert (reader.choice("GOOD", "a", ("a", "b")), reader.choice("UNSET", "a", ("a", "b"))) == ("b", "a")
    reader.choice("WRONG", "a", ("a", "b"))
    assert reader.faults == ["WRONG must be a or b, and is 'c'"]
