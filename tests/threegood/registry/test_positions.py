"""The positions of values and names in a JSON text, and of its syntax errors."""

import pytest

from threegood.registry.positions import (
    MAX_DEPTH,
    NotJSON,
    Position,
    Positions,
    find_positions,
    pointer_to,
    position_at,
)

TEXT = """{
  "a": [1, {"b": null}],
  "c/d~e": "text",
  "": {}
}
"""


def test_every_member_and_item_has_a_position() -> None:
    assert find_positions(TEXT) == Positions(
        values={
            "": Position(1, 1),
            "/a": Position(2, 8),
            "/a/0": Position(2, 9),
            "/a/1": Position(2, 12),
            "/a/1/b": Position(2, 18),
            "/c~1d~0e": Position(3, 12),
            "/": Position(4, 7),
        },
        names={
            "/a": Position(2, 3),
            "/a/1/b": Position(2, 13),
            "/c~1d~0e": Position(3, 3),
            "/": Position(4, 3),
        },
        repeated=[],
    )


def test_a_repeated_name_has_the_position_of_its_second_occurrence() -> None:
    found = find_positions('{"a": 1, "b": 2, "a": 3}')

    assert found.repeated == [("/a", Position(1, 18))]
    assert found.values["/a"] == Position(1, 23)


def test_columns_count_characters_and_not_bytes() -> None:
    assert find_positions('["é€😀", 1]').values["/1"] == Position(1, 9)


@pytest.mark.parametrize(
    ("text", "position", "rule"),
    [
        ("", (1, 1), "syntax"),
        ("   ", (1, 4), "syntax"),
        ("{", (1, 2), "syntax"),
        ('{"a"', (1, 5), "syntax"),
        ('{"a":', (1, 6), "syntax"),
        ('{"a": 1', (1, 8), "syntax"),
        ('{"a": 1,}', (1, 8), "syntax"),
        ("{'a': 1}", (1, 2), "syntax"),
        ("{a: 1}", (1, 2), "syntax"),
        ('{"a" 1}', (1, 6), "syntax"),
        ("[1, 2", (1, 6), "syntax"),
        ("[1, 2,]", (1, 6), "syntax"),
        ("[1 2]", (1, 4), "syntax"),
        ("[01]", (1, 3), "syntax"),
        ("[+1]", (1, 2), "syntax"),
        ("[1.]", (1, 3), "syntax"),
        ("[tru]", (1, 2), "syntax"),
        ('["a', (1, 2), "syntax"),
        ('["a\nb"]', (1, 4), "syntax"),
        ('["\\x"]', (1, 3), "syntax"),
        ('["\\u12"]', (1, 4), "syntax"),
        ("{} {}", (1, 4), "syntax"),
        ("[1] // one", (1, 5), "syntax"),
        ("[NaN]", (1, 2), "constant"),
        ("[1,\n -Infinity]", (2, 2), "constant"),
        ("[Infinity]", (1, 2), "constant"),
        ('["\\ud800"]', (1, 2), "surrogate"),
        ('{"\\udc00": 1}', (1, 2), "surrogate"),
        ("[" * (MAX_DEPTH + 1), (1, MAX_DEPTH + 1), "nesting"),
        ('{"a":' * (MAX_DEPTH + 1), (1, 5 * MAX_DEPTH + 1), "nesting"),
    ],
)
def test_an_error_has_a_position_and_a_rule(text: str, position: tuple[int, int], rule: str) -> None:
    with pytest.raises(NotJSON) as refusal:
        find_positions(text)

    assert (refusal.value.position, refusal.value.rule) == (position, rule)


def test_the_deepest_allowed_nesting_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH

    assert len(find_positions(text).values) == MAX_DEPTH


def test_lines_and_columns_count_from_one() -> None:
    assert [position_at("ab\nc", offset) for offset in range(5)] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]


def test_a_pointer_escapes_tilde_and_slash() -> None:
    assert pointer_to("a", 0, "~/") == "/a/0/~0~1"
