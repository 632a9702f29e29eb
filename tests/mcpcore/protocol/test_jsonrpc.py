"""Values as JSON: one line of ASCII."""

import pytest

from mcpcore.protocol.jsonrpc import encode


@pytest.mark.requirement("one-line")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, b"{}"),
        ({"a": [1, None, True, "x"]}, b'{"a":[1,null,true,"x"]}'),
        ("ü€\U0001f600", rb'"\u00fc\u20ac\ud83d\ude00"'),
        ("\ud800", rb'"\ud800"'),
        ("line\nbreak\u2028", rb'"line\nbreak\u2028"'),
        (1.0, b"1.0"),
        (10**30, b"1" + b"0" * 30),
    ],
)
def test_json_is_written_as_one_line_of_ascii(value: object, expected: bytes) -> None:
    assert encode(value) == expected


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_json_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        encode({"x": number})
