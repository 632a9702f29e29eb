"""The capabilities that a client lacks."""

from typing import Any

import pytest

from mcpcore.protocol.capabilities import missing_capabilities


@pytest.mark.parametrize(
    ("declared", "required", "expected"),
    [
        ({}, {}, {}),
        ({"sampling": {}}, {}, {}),
        ({"sampling": {}}, {"sampling": {}}, {}),
        ({"sampling": {"tools": {}}}, {"sampling": {}}, {}),
        ({"sampling": {"tools": {}, "context": {}}}, {"sampling": {"tools": {}}}, {}),
        ({}, {"sampling": {}}, {"sampling": {}}),
        ({"sampling": {}}, {"sampling": {"tools": {}}}, {"sampling": {"tools": {}}}),
        ({"sampling": {}}, {"sampling": {}, "roots": {}}, {"roots": {}}),
        ({"sampling": None}, {"sampling": {}}, {"sampling": {}}),
        ({"sampling": True}, {"sampling": {}}, {"sampling": {}}),
        ({"sampling": []}, {"sampling": {}}, {"sampling": {}}),
        ({"Sampling": {}}, {"sampling": {}}, {"sampling": {}}),
    ],
)
def test_the_missing_capabilities_are_those_required_and_not_declared(
    declared: dict[str, Any], required: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert missing_capabilities(declared, required) == expected
