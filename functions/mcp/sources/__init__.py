"""The product: finds the three sources for a query in a baked registry. It knows neither HTTP nor AWS."""
