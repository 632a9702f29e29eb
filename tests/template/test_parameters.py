"""The parameters of template.yaml: what an operator may set, within which limits, and what is secret."""

import re
from typing import Final

import pytest

from sources.matching import STRATEGIES, MatchSettings
from tests.support.sam_template import Document, effective, load_template, references
from tests.support.settings import server_settings

TEMPLATE: Final = load_template()
PARAMETERS: Final[Document] = TEMPLATE["Parameters"]
FUNCTION: Final[Document] = TEMPLATE["Resources"]["McpFunction"]["Properties"]

STATE_SECRETS: Final = {"StateSecret", "StateSecretPrevious"}
SECRETS: Final = STATE_SECRETS | {"AuthClientSecret"}


def defaults() -> dict[str, str]:
    return {name: str(parameter["Default"]) for name, parameter in PARAMETERS.items()}


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_has_a_sentence_limits_and_a_default(name: str) -> None:
    parameter = PARAMETERS[name]
    assert parameter["Description"].endswith(".")
    assert "Default" in parameter
    assert {"AllowedValues", "AllowedPattern"} & parameter.keys() or {
        "MinValue",
        "MaxValue",
    } <= parameter.keys()


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_default_is_within_its_own_limits(name: str) -> None:
    parameter = PARAMETERS[name]
    default = parameter["Default"]
    assert default in parameter.get("AllowedValues", [default])
    assert re.fullmatch(parameter.get("AllowedPattern", ".*"), str(default))
    assert parameter.get("MinValue", 0) <= (default if parameter["Type"] == "Number" else 0)
    assert parameter.get("MaxValue", 0) >= (default if "MaxValue" in parameter else 0)


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_is_used(name: str) -> None:
    used = references(TEMPLATE["Resources"]) | references(TEMPLATE["Conditions"])
    assert name in used


def test_secrets_are_shown_to_nobody_and_given_to_the_function_alone() -> None:
    assert {name for name, parameter in PARAMETERS.items() if parameter.get("NoEcho")} == SECRETS
    function = {**FUNCTION, "Environment": {}}
    others = {name: found for name, found in TEMPLATE["Resources"].items() if name != "McpFunction"}
    assert references([function, others, TEMPLATE["Outputs"]]) & SECRETS == set()


def test_the_defaults_are_settings_that_the_server_accepts() -> None:
    resolved = variables()
    settings = server_settings(resolved)
    assert (settings.session_ttl_seconds, settings.tool_timeout_seconds, settings.state_keys) == (
        3600,
        20,
        (),
    )


def test_matching_has_the_defaults_of_the_code() -> None:
    weights = (float(defaults()[name]) for name in ("MatchFuzzyWeight", "MatchKeywordWeight"))

    assert MatchSettings(MatchSettings().threshold, *weights) == MatchSettings()
    assert defaults()["MatchThreshold"] == ""  # the strategy's own


def test_a_secret_as_short_as_the_template_lets_through_is_one_that_the_server_accepts() -> None:
    secrets = {"STATE_SECRET": "s" * 32, "STATE_SECRET_PREVIOUS": "p" * 32}
    resolved = variables()
    assert server_settings(resolved | secrets).state_keys == (b"s" * 32, b"p" * 32)


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws:secretsmanager:eu-central-1:123456789012:secret:state-AbCdEf",
        "arn:aws-cn:ssm:cn-north-1:123456789012:parameter/three-good-sources/state",
    ],
)
def test_template_and_server_accept_the_same_sources_of_a_secret(arn: str) -> None:
    pattern = PARAMETERS["StateSecretSource"]["AllowedPattern"]
    refused = [arn + " ", arn.replace("123456789012", "1"), arn.replace("arn:aws", "arn:azure"), "s" * 32]

    assert re.fullmatch(pattern, arn)
    assert server_settings({"SESSIONS_TABLE": "t", "STATE_SECRET_SOURCE": arn}).state_secret_source == arn
    for other in refused:
        assert re.fullmatch(pattern, other) is None


def test_a_hundred_thousand_requests_a_second_can_be_let_through() -> None:
    largest = {
        name: PARAMETERS[name]["MaxValue"]
        for name in ("ThrottlingRateLimit", "ThrottlingBurstLimit", "ReservedConcurrency")
    }
    # API Gateway's burst is half of its rate by default, and Lambda gives a copy ten requests a second.
    assert largest["ThrottlingRateLimit"] >= 100_000
    assert largest["ThrottlingBurstLimit"] >= 50_000
    assert largest["ReservedConcurrency"] >= 10_000


def test_a_tool_is_given_up_before_the_function_ends() -> None:
    assert PARAMETERS["ToolTimeoutSeconds"]["MaxValue"] < FUNCTION["Timeout"]


def variables() -> dict[str, str]:
    """The environment of the function in a stack with the default parameters."""
    function = effective(TEMPLATE, stack="any")["McpFunction"]["Properties"]
    found: dict[str, str] = function["Environment"]["Variables"]
    return found


@pytest.mark.parametrize(
    ("name", "accepted", "refused"),
    [
        (
            "AllowedOrigins",
            ["", "*", "https://a.example", "https://a.example,http://localhost:6274", "vscode-webview://x"],
            [
                "a.example",
                "https://a.example/",
                "https://a.example, https://b.example",
                "*,https://a.example",
            ],
        ),
        (
            "AllowedHosts",
            ["", "mcp.example.com", "a.example,b.example:8443"],
            ["https://a.example", "a.example,"],
        ),
        *(
            (
                name,
                ["", "0123456789abcdef" * 2, "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~xyz", "x" * 128],
                ["x" * 31, "x" * 129, "x" * 31 + " ", "ü" * 32],
            )
            for name in sorted(STATE_SECRETS)
        ),
        ("Revision", ["initial", "2026-11-21", "ebfb8af9", "v1.2_a"], ["", "a b", "x" * 41, "ü"]),
        *(
            (
                name,
                [
                    "",
                    "https://issuer.example",
                    "https://login.example/tenant/v2.0",
                    "https://issuer.example/",
                ],
                [
                    "issuer.example",
                    "http://issuer.example",
                    "https://a.example,https://b.example",
                    "https://a b",
                ],
            )
            for name in ("AuthIssuer", "AuthJwksUri", "AuthResource", "AuthIntrospectionUri")
        ),
        ("AuthJwksUri", ["https://issuer.example/keys?p=sign_in"], ["https://issuer.example/keys#1"]),
        ("AuthIssuer", [], ["https://issuer.example?a=b", "https://issuer.example#1"]),
        (
            "AuthAudience",
            ["", "https://mcp.example/mcp", "api://1f,https://mcp.example/mcp"],
            ["a, b", "a,", ",a"],
        ),
        (
            "AuthScopes",
            ["", "mcp:read", "mcp:read,mcp:write", "mcp:read mcp:write", "api://1f/.default"],
            ['mcp:"read"', "a\\b", "a,,b", "ü", "a, b"],
        ),
        ("AuthScopesSupported", ["", "api://1f/use,api://1f/all"], ["a,,b", "ü"]),
        ("AuthAlgorithms", ["ES256", "EdDSA,Ed25519,RS256,PS256"], ["", "none", "HS256", "ES256,", "es256"]),
        (
            "AuthClientSecret",
            ["", "a" * 512, "!#$%~"],
            ["a b", "ü", "a" * 513],
        ),
        (
            "AlarmTopicArn",
            ["", "arn:aws:sns:eu-west-1:123456789012:pager", "arn:aws-cn:sns:cn-north-1:123456789012:p_1"],
            ["pager", "arn:aws:sqs:eu-west-1:123456789012:pager"],
        ),
    ],
)
def test_a_pattern_lets_through_what_it_should(name: str, accepted: list[str], refused: list[str]) -> None:
    pattern = re.compile(PARAMETERS[name]["AllowedPattern"])
    assert [value for value in accepted if not pattern.search(value)] == []
    assert [value for value in refused if pattern.search(value)] == []


def test_the_strategies_are_those_that_exist() -> None:
    assert set(PARAMETERS["MatchStrategy"]["AllowedValues"]) == set(STRATEGIES)


def test_the_log_levels_have_a_name_for_lambda_and_one_for_its_own_lines() -> None:
    levels = TEMPLATE["Mappings"]["LambdaLogLevel"]
    # Metrics have no level, and Lambda would drop them at a stricter one than INFO.
    quiet = {"Name": "INFO", "System": "WARN"}
    others = dict.fromkeys(("INFO", "WARNING", "ERROR", "CRITICAL"), quiet)
    assert levels == {"DEBUG": {"Name": "DEBUG", "System": "INFO"}, **others}
    assert PARAMETERS["LogLevel"]["AllowedValues"] == list(levels)
