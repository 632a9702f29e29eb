"""The edge: Lambda's events, sessions in DynamoDB, settings, logs and metrics around `mcpcore`."""
