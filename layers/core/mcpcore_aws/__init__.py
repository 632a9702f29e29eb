"""MCP servers on AWS Lambda: event sources, DynamoDB sessions, settings, log and metrics around `mcpcore`."""

from mcpcore_aws.adapter import LambdaAdapter, Pages
from mcpcore_aws.event_sources import Event
from mcpcore_aws.invocation import LambdaContext, LambdaInvocation
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import EnvironmentReader, SettingsError
from mcpcore_aws.snapstart import DryRequest

__all__ = [
    "DryRequest",
    "DynamoDBSessions",
    "EnvironmentReader",
    "Event",
    "LambdaAdapter",
    "LambdaContext",
    "LambdaInvocation",
    "Pages",
    "SettingsError",
]
