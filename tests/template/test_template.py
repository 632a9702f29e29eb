"""What must hold of template.yaml, whoever edits it."""

import re
import tomllib
from typing import Final

import pytest

from tests.support.processes import ROOT
from tests.support.sam_template import Document, effective, load_template, of_type, transformed
from tests.support.settings import variables_read

TEMPLATE: Final = load_template()
PARAMETERS: Final[Document] = TEMPLATE["Parameters"]
FUNCTION: Final[Document] = TEMPLATE["Resources"]["McpFunction"]["Properties"]
VARIABLES_OF_FUNCTION: Final[Document] = FUNCTION["Environment"]["Variables"]
LAYERS: Final = of_type(TEMPLATE, "AWS::Serverless::LayerVersion")
LOG_GROUPS: Final = of_type(TEMPLATE, "AWS::Logs::LogGroup")
ALARMS: Final = of_type(TEMPLATE, "AWS::CloudWatch::Alarm")

# Read by libraries, each with its own documentation.
VARIABLES_OF_LIBRARIES: Final = {
    "POWERTOOLS_LOG_LEVEL",
    "POWERTOOLS_SERVICE_NAME",
    "POWERTOOLS_METRICS_NAMESPACE",
    "AWS_ENDPOINT_URL_DYNAMODB",
}

# Variables without a parameter of their own.
OF_THE_STACK: Final = {"SESSIONS_TABLE", "AUTH_API_KEYS_TABLE", "CLIENT_DIGEST_KEY"}


# The function


def test_the_makefile_builds_for_the_same_python_and_architecture() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert f"\nRUNTIME_PYTHON ?= {FUNCTION['Runtime'].removeprefix('python')}\n" in makefile
    assert f"\nARCH ?= {PARAMETERS['Architecture']['Default']}\n" in makefile


def test_the_function_ends_before_the_gateway_gives_up() -> None:
    waits = [event["Properties"]["TimeoutInMillis"] for event in FUNCTION["Events"].values()]
    assert FUNCTION["Timeout"] * 1000 < min(waits) <= max(waits) <= 30_000


def test_the_variables_are_those_that_the_settings_read() -> None:
    assert set(VARIABLES_OF_FUNCTION) - VARIABLES_OF_LIBRARIES == variables_read() - {"REGISTRY_DIR"}
    assert set(VARIABLES_OF_FUNCTION) >= VARIABLES_OF_LIBRARIES


def test_a_variable_has_the_parameter_of_the_same_name() -> None:
    named = {
        name: value["Ref"].upper()
        for name, value in VARIABLES_OF_FUNCTION.items()
        if name in variables_read() and name not in OF_THE_STACK
    }
    assert named == {name: name.replace("_", "") for name in named}


def test_snap_start_and_reserved_concurrency_are_off_unless_asked_for() -> None:
    assert FUNCTION["SnapStart"] == {"ApplyOn": {"Fn::If": ["SnapStartEnabled", "PublishedVersions", "None"]}}
    assert TEMPLATE["Conditions"]["SnapStartEnabled"] == {"Fn::Equals": [{"Ref": "SnapStart"}, "enabled"]}
    assert PARAMETERS["SnapStart"]["Default"] == "disabled"
    assert PARAMETERS["ReservedConcurrency"]["Default"] == -1


# What is published: the API calls the alias `live`, so nothing is served that is not in a new version.


@pytest.mark.parametrize("path", ["/mcp", "/mcp/{proxy+}"])
def test_the_api_calls_the_alias_with_and_without_a_slash_at_the_end(path: str) -> None:
    resources = transformed(TEMPLATE)["Resources"]
    called = resources["McpApi"]["Properties"]["Body"]["paths"][path]["x-amazon-apigateway-any-method"]
    integration = called["x-amazon-apigateway-integration"]
    assert integration["uri"]["Fn::Sub"].endswith("/${McpFunctionAliaslive}/invocations")
    assert integration["payloadFormatVersion"] == "2.0"
    assert resources["McpFunctionAliaslive"]["Properties"]["Name"] == "live"


@pytest.mark.parametrize("part", ["McpFunction", *LAYERS])
def test_new_code_is_published_wherever_it_is(part: str) -> None:
    place = "CodeUri" if part == "McpFunction" else "ContentUri"
    changed = load_template()
    changed["Resources"][part]["Properties"][place] = "s3://artifacts/newer"
    parameters = {"AuthIssuer": "https://issuer.example"}
    assert published(changed, parameters).isdisjoint(published(TEMPLATE, parameters))


def test_the_same_code_is_not_published_again() -> None:
    assert published(load_template()) == published(TEMPLATE)


def test_a_changed_revision_is_published_with_authorization_and_without() -> None:
    for parameters in ({}, {"AuthIssuer": "https://issuer.example"}):
        changed = published(TEMPLATE, {**parameters, "Revision": "2"})
        assert changed.isdisjoint(published(TEMPLATE, parameters))


def test_a_version_that_is_replaced_stays_for_a_roll_back() -> None:
    (version,) = of_type(transformed(TEMPLATE), "AWS::Lambda::Version").values()
    assert (version["UpdateReplacePolicy"], version["DeletionPolicy"]) == ("Retain", "Retain")


def published(template: Document, parameters: dict[str, str] | None = None) -> set[tuple[str, str]]:
    """The version, by its name and its description: CloudFormation replaces it if either changes."""
    stack = effective(transformed(template, parameters), parameters, stack="any")
    versions = of_type({"Resources": stack}, "AWS::Lambda::Version")
    return {(name, version["Properties"]["Description"]) for name, version in versions.items()}


# Permissions


def test_tracing_is_off_with_its_permission_unless_asked_for() -> None:
    assert PARAMETERS["Tracing"]["Default"] == "off"
    assert TEMPLATE["Conditions"]["TracingEnabled"] == {"Fn::Equals": [{"Ref": "Tracing"}, "on"]}
    function = transformed(TEMPLATE)["Resources"]["McpFunction"]
    mode = {"Fn::If": ["TracingEnabled", "Active", "PassThrough"]}
    assert function["Properties"]["TracingConfig"] == {"Mode": mode}
    policy = TEMPLATE["Resources"]["McpFunctionTracesPolicy"]
    write = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"]
    statement = {"Effect": "Allow", "Action": write, "Resource": "*"}
    assert (policy["Condition"], policy["Properties"]["Roles"]) == (
        "TracingEnabled",
        [{"Ref": "McpFunctionRole"}],
    )
    assert policy["Properties"]["PolicyDocument"]["Statement"] == [statement]


def test_a_function_with_a_source_of_secrets_may_read_it_alone_and_decrypt_with_its_key() -> None:
    policy = TEMPLATE["Resources"]["McpFunctionSecretPolicy"]
    read, decrypt = policy["Properties"]["PolicyDocument"]["Statement"]
    with_own_key, otherwise = decrypt["Fn::If"][1:]

    assert (policy["Condition"], policy["Properties"]["Roles"]) == (
        "SecretIsKept",
        [{"Ref": "McpFunctionRole"}],
    )
    assert read == {
        "Effect": "Allow",
        "Action": ["secretsmanager:GetSecretValue", "ssm:GetParameter"],
        "Resource": {"Ref": "StateSecretSource"},
    }
    assert (decrypt["Fn::If"][0], otherwise) == ("SecretHasOwnKey", {"Ref": "AWS::NoValue"})
    assert (with_own_key["Action"], with_own_key["Resource"]) == (
        "kms:Decrypt",
        {"Ref": "StateSecretKeyArn"},
    )
    assert "kms:ViaService" in with_own_key["Condition"]["StringEquals"]


def test_nothing_else_gives_the_function_permissions() -> None:
    role = TEMPLATE["Resources"]["McpFunctionRole"]["Properties"]
    assert "ManagedPolicyArns" not in role
    assert FUNCTION["Role"] == {"Fn::GetAtt": ["McpFunctionRole", "Arn"]}
    policies = of_type(transformed(TEMPLATE), "AWS::IAM::Policy")
    assert set(policies) == {
        "McpFunctionSecretPolicy",
        "McpFunctionApiKeysPolicy",
        "McpFunctionTracesPolicy",
        "McpFunctionKeyPolicy",
    }


# The table


def test_the_table_is_encrypted_and_deletes_expired_items() -> None:
    table = TEMPLATE["Resources"]["SessionsTable"]["Properties"]
    assert table["SSESpecification"]["SSEEnabled"] is True
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_nothing_with_personal_data_stays_behind_when_the_stack_goes() -> None:
    kept = {
        name: (resource.get("DeletionPolicy"), resource.get("UpdateReplacePolicy"))
        for kind in ("AWS::DynamoDB::Table", "AWS::Logs::LogGroup")
        for name, resource in of_type(TEMPLATE, kind).items()
    }
    assert kept == dict.fromkeys(("SessionsTable", "ApiKeysTable", *LOG_GROUPS), ("Delete", "Delete"))


# The API, the logs, the alarms


def test_a_line_of_the_access_log_is_json_without_headers_or_queries() -> None:
    line, address = access_log()
    assert re.fullmatch(r'\{("\w+":"\$context\.[\w.]+",? ?)+\}', line.replace("${Address}", address))
    assert "authorizer" not in line


def test_an_address_is_logged_only_as_the_parameter_says() -> None:
    line, address = access_log()
    assert ("sourceIp" in line, "sourceIp" in address) == (False, True)
    assert line.count("${Address}") == 1
    assert TEMPLATE["Conditions"]["AddressesAreLogged"] == {"Fn::Equals": [{"Ref": "AccessLog"}, "addresses"]}
    logged = transformed(TEMPLATE)["Resources"]["McpApiApiGatewayDefaultStage"]["Properties"]
    assert logged["AccessLogSettings"]["Fn::If"][::2] == ["AccessIsLogged", {"Ref": "AWS::NoValue"}]


def access_log() -> tuple[str, str]:
    """The format of the access log, and the member that replaces its variable when addresses are logged."""
    settings = TEMPLATE["Resources"]["McpApi"]["Properties"]["AccessLogSettings"]["Fn::If"][1]
    line, variables = settings["Format"]["Fn::Sub"]
    condition, address, otherwise = variables["Address"]["Fn::If"]
    assert (condition, otherwise) == ("AddressesAreLogged", "")
    return line, address


def test_every_log_group_has_a_retention() -> None:
    kept = {group["Properties"]["RetentionInDays"]["Ref"] for group in LOG_GROUPS.values()}
    assert kept == {"LogRetentionDays"}


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_tells_the_topic_if_there_is_one_and_no_traffic_is_no_alarm(name: str) -> None:
    alarm = ALARMS[name]["Properties"]
    told = {"Fn::If": ["AlarmsAreSent", [{"Ref": "AlarmTopicArn"}], {"Ref": "AWS::NoValue"}]}
    assert (alarm["AlarmActions"], alarm["OKActions"], alarm["TreatMissingData"]) == (
        told,
        told,
        "notBreaching",
    )


# Layers, outputs, configuration


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_built_by_its_own_makefile(name: str) -> None:
    layer = LAYERS[name]
    makefile = ROOT / layer["Properties"]["ContentUri"] / "Makefile"
    assert layer["Metadata"]["BuildMethod"] == "makefile"
    assert f"\nbuild-{name}:" in makefile.read_text()
    assert layer["Properties"]["CompatibleRuntimes"] == [FUNCTION["Runtime"]]


def test_the_command_that_connects_a_client_names_the_endpoint() -> None:
    outputs = {name: output["Value"] for name, output in TEMPLATE["Outputs"].items()}
    url = outputs["Endpoint"]["Fn::Sub"]
    assert url.endswith(FUNCTION["Events"]["Mcp"]["Properties"]["Path"])
    assert outputs["Connect"]["Fn::Sub"] == f"claude mcp add --transport http three-good-sources {url}"


def test_the_configuration_names_no_account() -> None:
    text = (ROOT / "samconfig.toml").read_text()
    assert tomllib.loads(text)["default"]["global"]["parameters"] == {"stack_name": "three-good-sources"}
    assert re.search(r"\d{12}|arn:|region *=|profile *=|s3_bucket *=", text) is None
