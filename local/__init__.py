"""Other doors to the same handler: an HTTP server and stdio on this machine, with DynamoDB embedded."""
