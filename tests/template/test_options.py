"""What a stack with the default parameters has, and what each option adds to it."""

import json
from typing import Final

import pytest

from tests.support.sam_template import Document, effective, load_template, of_type, transformed

TEMPLATE: Final = load_template()
STACK: Final = "three-good-sources"
KEY: Final = "arn:aws:kms:eu-west-1:123456789012:key/1f"
TOPIC: Final = "arn:aws:sns:eu-west-1:123456789012:pager"
PROFILE: Final = "arn:aws:signer:eu-west-1:123456789012:/signing-profiles/ours/v1"

# Each costs nothing while nobody calls, but the alarms.
ALWAYS: Final = {
    "McpApi", "McpFunction", "McpFunctionRole", "CoreLayer", "RegistryLayer", "DependenciesLayer",
    "SessionsTable", "McpLogGroup", "AccessLogGroup", "ApiThrottlesFilter",
}  # fmt: skip


def resources(**parameters: str) -> Document:
    return effective(TEMPLATE, parameters, stack=STACK)


def properties(name: str, **parameters: str) -> Document:
    found: Document = resources(**parameters)[name]["Properties"]
    return found


def test_a_stack_of_defaults_has_nothing_that_costs_while_it_is_idle_but_alarms() -> None:
    made = resources()
    assert set(made) - set(of_type({"Resources": made}, "AWS::CloudWatch::Alarm")) == ALWAYS


@pytest.mark.parametrize(
    ("parameters", "added"),
    [
        ({"Tracing": "on"}, {"McpFunctionTracesPolicy"}),
        ({"Dashboard": "enabled"}, {"OperationsDashboard"}),
        ({"MonthlyBudget": "20", "BudgetEmail": "a@b.example"}, {"Budget"}),
        ({"KmsKeyArn": KEY}, {"McpFunctionKeyPolicy"}),
        ({"SigningProfileArn": PROFILE}, {"SignedCode"}),
        ({"CanaryDeployment": "true"}, {"PreTrafficHook", "PreTrafficHookRole", "PreTrafficHookLogGroup"}),
        ({"TableMaxReadUnits": "100"}, set()),
    ],
)
def test_an_option_adds_its_own_resources(parameters: dict[str, str], added: set[str]) -> None:
    assert set(resources(**parameters)) - set(resources()) == added


def test_the_table_has_a_maximum_of_throughput_only_if_one_is_given() -> None:
    assert "OnDemandThroughput" not in properties("SessionsTable")
    limited = properties("SessionsTable", TableMaxWriteUnits="50")
    assert limited["OnDemandThroughput"] == {"MaxReadRequestUnits": "-1", "MaxWriteRequestUnits": "50"}


def test_a_key_of_ones_own_encrypts_the_table_and_every_log() -> None:
    assert properties("SessionsTable")["SSESpecification"] == {"SSEEnabled": True}
    own = {"KmsKeyArn": KEY, "CanaryDeployment": "true"}
    table = properties("SessionsTable", **own)["SSESpecification"]
    assert table == {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY}
    for name in of_type(TEMPLATE, "AWS::Logs::LogGroup"):
        assert properties(name, **own)["KmsKeyId"] == KEY
    (statement,) = properties("McpFunctionKeyPolicy", **own)["PolicyDocument"]["Statement"]
    assert statement["Resource"] == KEY
    assert set(statement["Condition"]["StringEquals"]) == {"kms:ViaService"}


def test_the_budget_tells_the_address_and_the_topic() -> None:
    given = {"MonthlyBudget": "20", "BudgetEmail": "a@b.example", "AlarmTopicArn": TOPIC}
    notifications = properties("Budget", **given)["NotificationsWithSubscribers"]
    assert [[each["Address"] for each in notification["Subscribers"]] for notification in notifications] == [
        ["a@b.example", TOPIC]
    ] * 2


def test_unsigned_code_is_refused_once_a_profile_is_given() -> None:
    assert properties("McpFunction", SigningProfileArn=PROFILE)["CodeSigningConfigArn"] == "SignedCode"
    assert "CodeSigningConfigArn" not in properties("McpFunction")
    signed = properties("SignedCode", SigningProfileArn=PROFILE)
    assert signed["AllowedPublishers"] == {"SigningProfileVersionArns": [PROFILE]}


def test_the_dashboard_is_json() -> None:
    body = json.loads(properties("OperationsDashboard", Dashboard="enabled")["DashboardBody"])
    assert [widget["properties"]["title"] for widget in body["widgets"]] == [
        "Requests",
        "Errors by outcome",
        "Latency in the function, ms",
        "Matches",
    ]


# Canary deployments: SAM makes CodeDeploy's resources.


def test_without_the_option_the_alias_moves_at_once() -> None:
    made = transformed(TEMPLATE)["Resources"]
    assert "UpdatePolicy" not in made["McpFunctionAliaslive"]
    assert of_type({"Resources": made}, "AWS::CodeDeploy::DeploymentGroup") == {}


def test_a_canary_is_tested_before_it_gets_traffic_and_rolled_back_by_alarms() -> None:
    made = transformed(TEMPLATE, {"CanaryDeployment": "true"})["Resources"]
    update = made["McpFunctionAliaslive"]["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
    assert update["BeforeAllowTrafficHook"]["Fn::If"][:2] == ["CanaryEnabled", {"Ref": "PreTrafficHook"}]
    alarms = made["McpFunctionDeploymentGroup"]["Properties"]["AlarmConfiguration"]["Alarms"]
    assert {alarm["Name"]["Ref"] for alarm in alarms} == {
        "FunctionErrorsAlarm", "CrashAlarm", "DeadlineAlarm", "InternalErrorAlarm", "LatencyAlarm",
    }  # fmt: skip


def test_the_hook_may_call_the_new_version_and_tell_codedeploy_and_nothing_else() -> None:
    made = transformed(TEMPLATE, {"CanaryDeployment": "true"})["Resources"]
    (version,) = of_type({"Resources": made}, "AWS::Lambda::Version")
    statements = made["PreTrafficHookRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]
    assert [statement["Action"] for statement in statements] == [
        ["lambda:InvokeFunction"],
        ["codedeploy:PutLifecycleEventHookExecutionStatus"],
        ["logs:CreateLogStream", "logs:PutLogEvents"],
    ]
    assert statements[0]["Resource"] == {"Ref": version}
    assert made["PreTrafficHook"]["Properties"]["Environment"]["Variables"]["VERSION"] == {"Ref": version}
    # What AWS's policy for CodeDeploy's role lets it invoke.
    assert made["PreTrafficHook"]["Properties"]["FunctionName"]["Fn::Sub"].startswith("CodeDeployHook_")
