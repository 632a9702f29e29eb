"""DynamoDB by signed requests: JSON in, JSON out, over connections that are kept.

Imported when the first session is touched and not before. It stands in place of boto3, whose import and
service model cost more than the rest of a cold start (docs/performance.md).
"""

from mcpcore_aws.dynamodb.client import DynamoDB, RetryPolicy
from mcpcore_aws.dynamodb.credentials import CredentialSource
from mcpcore_aws.dynamodb.signature import Credentials, signed_headers

__all__ = ["CredentialSource", "Credentials", "DynamoDB", "RetryPolicy", "signed_headers"]
