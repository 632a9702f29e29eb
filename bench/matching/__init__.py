"""Measurements of matching as the registry grows, on synthetic registries."""
