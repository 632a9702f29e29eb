"""Checks of a node that is served somewhere, from outside."""
