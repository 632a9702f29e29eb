"""Values as JSON: one line of ASCII."""

import subprocess
import sys

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


IN_A_THREAD_WITH_A_SMALL_STACK = """
import threading
from mcpcore.protocol.jsonrpc import DecodeError, decode

def read():
    try:
        decode(b"[" * 900_000)
    except DecodeError as error:
        print(error)

threading.stack_size(65_536)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""


def test_deep_nesting_crashes_no_thread_with_a_small_stack() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_THREAD_WITH_A_SMALL_STACK], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "Parse error: nested deeper than 64 levels\n")
