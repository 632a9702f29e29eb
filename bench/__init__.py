"""Benchmarks: what the promises about speed and size are measured with."""
