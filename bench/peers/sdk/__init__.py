"""The official SDK behind Mangum."""
