"""What differs between AWS services whose operations are JSON posted to `/`."""

from typing import Final, NamedTuple

__all__ = ["DYNAMODB", "Service"]


class Service(NamedTuple):
    """An AWS service: `name` as in its host name and in signatures, `api` as in the header X-Amz-Target.

    `url_variable` is the environment variable that names another endpoint, as the AWS SDKs read it.
    """

    name: str
    api: str
    content_type: str
    url_variable: str


DYNAMODB: Final = Service(
    "dynamodb", "DynamoDB_20120810", "application/x-amz-json-1.0", "AWS_ENDPOINT_URL_DYNAMODB"
)
