"""What authorization adds to the stack, and which of its parameters fit together."""

from typing import Any, Final

import pytest

from tests.support.sam_template import Document, effective, load_template, of_type, transformed

TEMPLATE: Final = load_template()
STACK: Final = "three-good-sources"
ISSUER: Final = "https://issuer.example"
INTROSPECTION: Final = {
    "AuthIntrospectionUri": "https://issuer.example/introspect",
    "AuthClientId": "us",
    "AuthClientSecret": "s",
}
WAYS: Final = {
    "off": {},
    "jwt": {"AuthIssuer": ISSUER},
    "introspection": INTROSPECTION,
    "api-keys": {"ApiKeys": "enabled"},
    "gateway": {"AuthGateway": "iam"},
    "gateway-jwt": {"AuthGateway": "jwt", "AuthIssuer": ISSUER},
}
PACKAGES: Final = "AuthorizationLayer"


def resources(**parameters: str) -> Document:
    return effective(TEMPLATE, parameters, stack=STACK)


def function(**parameters: str) -> Document:
    found: Document = resources(**parameters)["McpFunction"]["Properties"]
    return found


# What is there


@pytest.mark.parametrize(
    ("way", "added"),
    [
        ("jwt", {PACKAGES}),
        ("introspection", set()),
        ("api-keys", {"ApiKeysTable", "McpFunctionApiKeysPolicy"}),
        ("gateway", set()),
        ("gateway-jwt", set()),
    ],
)
def test_a_way_to_get_in_adds_its_own_resources(way: str, added: set[str]) -> None:
    assert set(resources(**WAYS[way])) - set(resources()) == added


@pytest.mark.parametrize("way", WAYS)
def test_the_packages_that_verify_json_web_tokens_are_attached_only_where_the_function_verifies_them(
    way: str,
) -> None:
    layers = ["CoreLayer", "RegistryLayer", "DependenciesLayer"]
    assert function(**WAYS[way])["Layers"] == [*layers, *([PACKAGES] if way == "jwt" else [])]


@pytest.mark.parametrize("way", ["off", "jwt"])
def test_sam_attaches_the_layer_under_the_condition_that_it_makes_it(way: str) -> None:
    made = effective(transformed(TEMPLATE, WAYS[way]), WAYS[way], stack=STACK)
    attached = made["McpFunction"]["Properties"]["Layers"]
    assert set(attached) == set(of_type({"Resources": made}, "AWS::Lambda::LayerVersion"))
    assert any(name.startswith(PACKAGES) for name in attached) == (way == "jwt")


def test_a_key_is_read_and_its_use_recorded_and_nothing_else() -> None:
    policy = resources(ApiKeys="enabled")["McpFunctionApiKeysPolicy"]["Properties"]
    assert policy["Roles"] == ["McpFunctionRole"]
    # An update may create an item, so without the condition it could make a key.
    attributes = {"dynamodb:Attributes": ["key_hash", "last_used_at"]}
    assert policy["PolicyDocument"]["Statement"] == [
        {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "ApiKeysTable"},
        {
            "Effect": "Allow",
            "Action": "dynamodb:UpdateItem",
            "Resource": "ApiKeysTable",
            "Condition": {"ForAllValues:StringEquals": attributes},
        },
    ]


def test_the_function_has_the_name_of_the_table_of_keys_only_if_there_is_one() -> None:
    names = [
        function(ApiKeys=value)["Environment"]["Variables"]["AUTH_API_KEYS_TABLE"]
        for value in ("enabled", "disabled")
    ]
    assert names == ["ApiKeysTable", ""]


def test_keys_can_be_had_back_after_their_table_was_deleted() -> None:
    table = resources(ApiKeys="enabled")["ApiKeysTable"]["Properties"]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


@pytest.mark.parametrize("place", ["", "/mcp"])
def test_the_metadata_of_the_resource_can_be_read_at_both_of_its_places(place: str) -> None:
    paths: Document = transformed(TEMPLATE)["Resources"]["McpApi"]["Properties"]["Body"]["paths"]
    methods = paths[f"/.well-known/oauth-protected-resource{place}"]
    assert set(methods) == {"x-amazon-apigateway-any-method"}  # web pages also send OPTIONS
    assert "security" not in methods["x-amazon-apigateway-any-method"]


@pytest.mark.parametrize("way", WAYS)
def test_the_hook_of_a_deployment_knows_whether_it_will_be_refused(way: str) -> None:
    hook = resources(CanaryDeployment="true", **WAYS[way])["PreTrafficHook"]["Properties"]
    assert hook["Environment"]["Variables"]["AUTHORIZATION"] == ("off" if way == "off" else "on")


# What is refused before anything is deployed


@pytest.mark.parametrize(
    ("parameters", "broken"),
    [
        *((parameters, set()) for parameters in WAYS.values()),
        ({"AuthIssuer": ISSUER, "AuthJwksUri": f"{ISSUER}/keys", "AuthScopes": "mcp"}, set()),
        ({**INTROSPECTION, "AuthClientSecret": ""}, {"IntrospectionHasAClient"}),
        ({**INTROSPECTION, "AuthClientId": ""}, {"IntrospectionHasAClient"}),
        ({"AuthJwksUri": f"{ISSUER}/keys"}, {"KeysHaveAnIssuer"}),
        ({"AuthScopes": "mcp"}, {"AuthorizationIsOn"}),
        ({"AuthAudience": "mcp"}, {"AuthorizationIsOn"}),
        ({"AuthResource": "https://mcp.example/mcp"}, {"AuthorizationIsOn"}),
        ({"AuthClientId": "us"}, {"AuthorizationIsOn"}),
        ({"MonthlyBudget": "5"}, {"BudgetsAreSent"}),
        ({"MonthlyBudget": "5", "BudgetEmail": "a@b.example"}, set()),
    ],
)
def test_parameters_that_do_not_fit_together_are_refused(
    parameters: dict[str, str], broken: set[str]
) -> None:
    assert {name for name, rule in TEMPLATE["Rules"].items() if not kept(rule, parameters)} == broken


def kept(rule: dict[str, Any], parameters: dict[str, str]) -> bool:
    """Whether a stack with these parameters keeps a rule of the template."""
    conditions = [rule["RuleCondition"], *(each["Assert"] for each in rule["Assertions"])]
    rules = {
        "Parameters": TEMPLATE["Parameters"],
        "Conditions": {},
        "Resources": {"rule": {"values": conditions}},
    }
    applies, *asserted = effective(rules, parameters, stack=STACK)["rule"]["values"]
    return not applies or all(asserted)
