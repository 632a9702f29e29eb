"""What CloudFront in front of the API may keep, and the header that it gives its name back."""

from typing import Any, Final

import pytest

from mcpcore.http.authorization import CHALLENGE_COPY
from tests.support.processes import ROOT
from tests.support.sam_template import effective, load_template

TEMPLATE: Final = load_template(ROOT / "deployments/cloudfront.yaml")
DISTRIBUTION: Final[dict[str, Any]] = TEMPLATE["Resources"]["Distribution"]["Properties"][
    "DistributionConfig"
]

# A policy of AWS (CloudFront developer guide, "Use managed cache policies").
CACHING_DISABLED: Final = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"


def test_only_the_registry_and_the_log_are_cached() -> None:
    assert DISTRIBUTION["DefaultCacheBehavior"]["CachePolicyId"] == CACHING_DISABLED
    others = {each["PathPattern"]: each["CachePolicyId"] for each in DISTRIBUTION["CacheBehaviors"]}
    assert others == {path: {"Ref": "AsTheServerSays"} for path in ("/registry*", "/log/*")}


def test_the_registry_is_kept_as_long_as_its_answer_says_and_asked_for_without_the_viewers_host() -> None:
    policy = TEMPLATE["Resources"]["AsTheServerSays"]["Properties"]["CachePolicyConfig"]
    assert (policy["MinTTL"], policy["DefaultTTL"]) == (0, 0)
    assert policy["MaxTTL"] >= 300  # `Cache-Control` of the page
    # What is in the key is sent on, and the API serves no Host but its own.
    key = policy["ParametersInCacheKeyAndForwardedToOrigin"]
    assert key["HeadersConfig"] == {"HeaderBehavior": "none"}


def test_one_clients_error_is_not_kept_for_the_others() -> None:
    """A GET of MCP names its session in a header: for CloudFront all of them ask for the same."""
    kept = {each["ErrorCode"]: each["ErrorCachingMinTTL"] for each in DISTRIBUTION["CustomErrorResponses"]}
    assert kept == dict.fromkeys((403, 404, 405, 500, 502, 503, 504), 0)


def headers_of(**values: str) -> dict[str, list[dict[str, str]]]:
    """Headers as Lambda@Edge has them, `_` for `-`."""
    names = {name.replace("_", "-"): value for name, value in values.items()}
    return {name: [{"key": name, "value": value}] for name, value in names.items()}


@pytest.mark.parametrize("renamed", [{}, {"x_amzn_remapped_www_authenticate": "Bearer a=b"}])
def test_a_challenge_has_its_name_back_whatever_a_gateway_has_called_it(renamed: dict[str, str]) -> None:
    copy = {CHALLENGE_COPY.replace("-", "_"): "Bearer a=b"}
    response = {"status": "401", "headers": headers_of(**copy, **renamed)}

    headers = restored(response)["headers"]

    assert headers["www-authenticate"] == [{"key": "WWW-Authenticate", "value": "Bearer a=b"}]
    assert CHALLENGE_COPY not in headers


def test_a_response_without_a_challenge_is_left_alone() -> None:
    response = {"status": "200", "headers": headers_of(content_type="application/json")}
    assert restored(response) == {"status": "200", "headers": headers_of(content_type="application/json")}


def restored(response: dict[str, Any]) -> dict[str, Any]:
    """What the function makes of a response of the origin."""
    names: dict[str, Any] = {}
    exec(TEMPLATE["Resources"]["ChallengeFunction"]["Properties"]["Code"]["ZipFile"], names)
    changed: dict[str, Any] = names["lambda_handler"]({"Records": [{"cf": {"response": response}}]}, None)
    return changed


@pytest.mark.parametrize(("value", "runs"), [("disabled", False), ("enabled", True)])
def test_the_function_is_there_and_runs_only_if_it_is_asked_for(value: str, runs: bool) -> None:
    made = effective(TEMPLATE, {"RestoreChallenge": value, "ApiDomain": "a.example"}, stack="edge")
    behavior = made["Distribution"]["Properties"]["DistributionConfig"]["DefaultCacheBehavior"]
    associated = behavior.get("LambdaFunctionAssociations", [])

    assert ("ChallengeFunction" in made, bool(associated)) == (runs, runs)
    assert {each["EventType"] for each in associated} <= {"origin-response"}
