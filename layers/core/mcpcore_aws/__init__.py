"""MCP servers on AWS Lambda: event sources, DynamoDB sessions, settings, log and metrics around `mcpcore`."""

from mcpcore_aws.adapter import LambdaAdapter, LambdaContext, LambdaInvocation
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import EnvironmentReader, SettingsError
from mcpcore_aws.snapstart import DryRequest

__all__ = [
    "DryRequest",
    "DynamoDBSessions",
    "EnvironmentReader",
    "LambdaAdapter",
    "LambdaContext",
    "LambdaInvocation",
    "SettingsError",
]
