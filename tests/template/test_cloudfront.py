"""What CloudFront in front of the API may keep."""

from typing import Any, Final

from tests.support.processes import ROOT
from tests.support.sam_template import load_template

TEMPLATE: Final = load_template(ROOT / "deployments/cloudfront.yaml")
DISTRIBUTION: Final[dict[str, Any]] = TEMPLATE["Resources"]["Distribution"]["Properties"][
    "DistributionConfig"
]

# A policy of AWS (CloudFront developer guide, "Use managed cache policies").
CACHING_DISABLED: Final = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"


def test_only_the_registry_is_cached() -> None:
    assert DISTRIBUTION["DefaultCacheBehavior"]["CachePolicyId"] == CACHING_DISABLED
    others = {each["PathPattern"]: each["CachePolicyId"] for each in DISTRIBUTION["CacheBehaviors"]}
    assert others == {"/registry": {"Ref": "AsTheServerSays"}}


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
