"""A client of DynamoDB, and of services like it, without an SDK: signed JSON over kept-alive connections.

Imported by the first request that uses a session. It replaces boto3, whose import and service model take
longer than the rest of a cold start (docs/performance.md).
"""

from mcpcore_aws.dynamodb.client import DynamoDB, JsonClient, RetryPolicy
from mcpcore_aws.dynamodb.credentials import CredentialSource
from mcpcore_aws.dynamodb.service import Service
from mcpcore_aws.dynamodb.signature import Credentials, signed_headers

__all__ = [
    "CredentialSource",
    "Credentials",
    "DynamoDB",
    "JsonClient",
    "RetryPolicy",
    "Service",
    "signed_headers",
]
