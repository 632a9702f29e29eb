"""Signatures: whatever is signed, botocore signs it alike."""

import datetime
from unittest import mock

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as TheirCredentials
from hypothesis import given
from hypothesis import strategies as st

from mcpcore_aws.dynamodb import Credentials, Service, signed_headers

_VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=60)
_HOSTS = st.from_regex(r"[a-z0-9.-]{1,30}(:[1-9][0-9]{3})?", fullmatch=True)
_TIMES = st.datetimes(
    datetime.datetime(2000, 1, 1), datetime.datetime(2099, 1, 1), timezones=st.just(datetime.UTC)
)


def signed_by_botocore(
    credentials: Credentials,
    service: Service,
    *,
    host: str,
    region: str,
    target: str,
    body: bytes,
    now: datetime.datetime,
) -> dict[str, str]:
    request = AWSRequest(
        "POST",
        "https://elsewhere/",
        {"content-type": service.content_type, "x-amz-target": target, "host": host},
        body,
    )
    theirs = TheirCredentials(credentials.access_key, credentials.secret_key, credentials.token or None)
    # It has no other way to be told the time.
    with mock.patch.object(botocore.auth, "get_current_datetime", return_value=now):
        botocore.auth.SigV4Auth(theirs, service.name, region).add_auth(request)
    return {name.lower(): value for name, value in request.headers.items()}


@given(
    st.builds(Credentials, _VISIBLE, _VISIBLE, st.one_of(st.just(""), _VISIBLE)),
    _HOSTS,
    st.sampled_from(["us-east-1", "cn-north-1", "eu-central-2"]),
    st.sampled_from([("dynamodb", "application/x-amz-json-1.0"), ("ssm", "application/x-amz-json-1.1")]),
    st.sampled_from(["DynamoDB_20120810.GetItem", "DynamoDB_20120810.PutItem"]),
    st.binary(max_size=200),
    _TIMES,
)
def test_botocore_signs_the_same_request_alike(
    credentials: Credentials,
    host: str,
    region: str,
    of: tuple[str, str],
    target: str,
    body: bytes,
    now: datetime.datetime,
) -> None:
    service = Service(of[0], "", of[1], "")
    ours = signed_headers(
        credentials,
        host=host,
        region=region,
        target=target,
        body=body,
        now=now.timestamp(),
        service=service,
    )
    assert ours == signed_by_botocore(
        credentials, service, host=host, region=region, target=target, body=body, now=now
    )


def test_the_representation_of_credentials_has_no_secrets() -> None:
    assert repr(Credentials("AKID", "hush", "hush")) == "Credentials('AKID', and secrets)"
    assert "hush" not in f"{Credentials('AKID', 'hush', 'hush')}"
