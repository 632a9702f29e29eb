"""Tokens that a tool's result costs a model, with each kind of text."""
