"""The product: finds the three sources for a query in a baked registry. No HTTP, no AWS."""
