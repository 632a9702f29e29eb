"""The API keys of a node: made, listed and revoked in their table, as the curator's own AWS identity."""

import os
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from mcpcore_aws.authorization.api_key_items import (
    PREFIX,
    ApiKey,
    api_key_from_item,
    api_key_to_item,
    hash_of,
)
from mcpcore_aws.exchange_items import number_value

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["ApiKeyTable", "UnknownKey", "new_key", "outputs_of_stack"]

_KEY_BYTES: Final = 32


class UnknownKey(Exception):
    """No key in the table has this id."""


def new_key(
    name: str, scopes: frozenset[str], *, now: int, lifetime_seconds: int | None
) -> tuple[str, ApiKey]:
    """A key of 256 random bits, and what the table is to have of it."""
    key = PREFIX + secrets.token_urlsafe(_KEY_BYTES)
    expires_at = None if lifetime_seconds is None else now + lifetime_seconds
    return key, ApiKey(hash_of(key), name, scopes, created_at=now, expires_at=expires_at)


def outputs_of_stack(name: str) -> dict[str, str]:
    """The outputs of a stack in CloudFormation. Raises what botocore raises."""
    stack = _client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    return {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}


class ApiKeyTable:
    """The keys in the table `name`. Its methods raise what botocore raises: ClientError and BotoCoreError."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._client: DynamoDBClient = _client("dynamodb")

    def add(self, key: ApiKey) -> None:
        """Store a key that is new."""
        self._client.put_item(TableName=self.name, Item=api_key_to_item(key))

    def all(self) -> list[ApiKey]:
        """Every key, the newest first."""
        return sorted(self._scan(), key=lambda key: (-key.created_at, key.id))

    def revoke(self, key_id: str, *, now: int) -> tuple[ApiKey, bool]:
        """Revoke the key with this id; gives it as it is then, and whether it was not revoked before.

        Raises:
            UnknownKey: there is none.
        """
        for key in self._scan(key_id):
            if key.revoked_at is not None:
                return key, False
            self._client.update_item(
                TableName=self.name,
                Key={"key_hash": {"S": key.key_hash}},
                UpdateExpression="SET revoked_at = :now",
                # An update creates what it does not find, such as an expired key that TTL has deleted.
                ConditionExpression="attribute_exists(key_hash)",
                ExpressionAttributeValues={":now": number_value(now)},
            )
            return key._replace(revoked_at=now), True
        raise UnknownKey(key_id)

    def _scan(self, key_id: str = "") -> Iterator[ApiKey]:
        """The keys whose id begins so, in no order."""
        conditions: dict[str, Any] = {}
        if key_id:
            conditions = {
                "FilterExpression": "begins_with(key_hash, :id)",
                "ExpressionAttributeValues": {":id": {"S": key_id}},
            }
        pages = self._client.get_paginator("scan").paginate(
            TableName=self.name, ConsistentRead=True, **conditions
        )
        for page in pages:
            for item in page["Items"]:
                if (key := api_key_from_item(item)) is not None:
                    yield key


def _client(service: str) -> Any:
    """A client of AWS with the credentials, region and endpoint that the AWS CLI would use."""
    import boto3  # the other commands do not need it

    # As the SAM CLI does, and unlike boto3 by itself, which reads AWS_DEFAULT_REGION alone.
    session = boto3.Session(region_name=os.environ.get("AWS_REGION") or None)
    return session.client(service)  # type: ignore[call-overload]  # any service
