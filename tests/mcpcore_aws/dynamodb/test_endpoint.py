"""The DynamoDB endpoint, by the variables of the AWS SDKs."""

import pytest
from botocore.session import Session

from mcpcore_aws.connections import Origin
from mcpcore_aws.dynamodb.endpoint import Endpoint, read_endpoint
from mcpcore_aws.errors import NotConfigured


@pytest.mark.parametrize(
    "region", ["us-east-1", "eu-central-1", "us-gov-west-1", "cn-north-1", "cn-northwest-1"]
)
def test_a_region_has_the_endpoint_that_botocore_finds_for_it(region: str) -> None:
    theirs = Session().create_client("dynamodb", region, aws_access_key_id="a", aws_secret_access_key="b")
    found = read_endpoint({"AWS_REGION": region})
    assert f"https://{found.origin.name}" == theirs.meta.endpoint_url
    assert found.region == region


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"AWS_ENDPOINT_URL": "http://a"}, Endpoint(Origin(False, "a", 80), "r-1")),
        ({"AWS_ENDPOINT_URL": "https://a/"}, Endpoint(Origin(True, "a", 443), "r-1")),
        (
            {"AWS_ENDPOINT_URL": "https://a", "AWS_ENDPOINT_URL_DYNAMODB": "http://B:8000"},
            Endpoint(Origin(False, "b", 8000), "r-1"),
        ),
        (
            {"AWS_ENDPOINT_URL_DYNAMODB": "", "AWS_ENDPOINT_URL": "http://[::1]:9"},
            Endpoint(Origin(False, "::1", 9), "r-1"),
        ),
    ],
)
def test_a_configured_endpoint_takes_precedence(variables: dict[str, str], expected: Endpoint) -> None:
    assert read_endpoint({"AWS_REGION": "r-1", **variables}) == expected


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        (Origin(False, "a", 80), "a"),
        (Origin(True, "a", 443), "a"),
        (Origin(True, "a", 80), "a:80"),
        (Origin(False, "::1", 8000), "[::1]:8000"),
    ],
)
def test_the_header_host_has_the_port_if_it_is_not_the_schemes_own(origin: Origin, name: str) -> None:
    assert origin.name == name


def test_lambdas_region_takes_precedence_over_the_default_region() -> None:
    assert read_endpoint({"AWS_REGION": "a-1", "AWS_DEFAULT_REGION": "b-1"}).region == "a-1"
    assert read_endpoint({"AWS_REGION": "", "AWS_DEFAULT_REGION": "b-1"}).region == "b-1"


@pytest.mark.parametrize("region", ["", "us east", "us-east-1.evil.example/", "US-EAST-1", "a" * 41])
def test_an_invalid_region_is_refused(region: str) -> None:
    with pytest.raises(NotConfigured, match="AWS_REGION"):
        read_endpoint({"AWS_REGION": region, "AWS_ENDPOINT_URL": "http://a"})


@pytest.mark.parametrize(
    "url",
    [
        "a",
        "ftp://a",
        "http://",
        "http://a:b",
        "http://a:99999",
        "http://a/b",
        "http://a?b",
        "http://a#b",
        "http://u:hush@a",
        "http://a b",
        "http://[a",
        "http://a..b",
        "http://.a",
        f"http://{'a' * 64}.b",
    ],
)
def test_an_endpoint_that_is_not_a_host_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(NotConfigured) as caught:
        read_endpoint({"AWS_REGION": "r-1", "AWS_ENDPOINT_URL_DYNAMODB": url})
    assert "hush" not in str(caught.value)
    assert "endpoint's URL must" in str(caught.value)
