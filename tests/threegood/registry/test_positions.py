"""Places of everything in a JSON text, and of what makes it no JSON."""

import json
from typing import Any

import pytest

from threegood.registry.positions import DEEPEST, NotJSON, Place, Places, find_places, place_of, pointer_to

TEXT = """{
  "a": [1, {"b": null}],
  "c/d~e": "text",
  "": {}
}
"""


def test_every_member_and_item_has_its_place() -> None:
    assert find_places(TEXT) == Places(
        values={
            "": Place(1, 1),
            "/a": Place(2, 8),
            "/a/0": Place(2, 9),
            "/a/1": Place(2, 12),
            "/a/1/b": Place(2, 18),
            "/c~1d~0e": Place(3, 12),
            "/": Place(4, 7),
        },
        names={
            "/a": Place(2, 3),
            "/a/1/b": Place(2, 13),
            "/c~1d~0e": Place(3, 3),
            "/": Place(4, 3),
        },
        repeated=[],
    )


def test_a_repeated_name_is_told_at_its_second_place_which_is_the_one_that_counts() -> None:
    found = find_places('{"a": 1, "b": 2, "a": 3}')

    assert found.repeated == [("/a", Place(1, 18))]
    assert found.values["/a"] == Place(1, 23)


def test_what_stands_in_a_repeated_member_is_not_repeated_itself() -> None:
    assert find_places('{"a": {"b": 1}, "a": {"b": 2}}').repeated == [("/a", Place(1, 17))]


def test_columns_count_characters_and_not_bytes() -> None:
    assert find_places('["é€😀", 1]').values["/1"] == Place(1, 9)


def test_lines_may_end_with_carriage_return_and_line_feed() -> None:
    assert find_places('{\r\n  "a": 1\r\n}').values["/a"] == Place(2, 8)


@pytest.mark.parametrize(
    ("text", "place", "rule"),
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
        ("[" * (DEEPEST + 1), (1, DEEPEST + 1), "nesting"),
        ('{"a":' * (DEEPEST + 1), (1, 5 * DEEPEST + 1), "nesting"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(text: str, place: tuple[int, int], rule: str) -> None:
    with pytest.raises(NotJSON) as refusal:
        find_places(text)

    assert (refusal.value.place, refusal.value.rule) == (place, rule)


def test_as_many_levels_as_allowed_are_read() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST

    assert len(find_places(text).values) == DEEPEST


def test_every_value_of_a_text_is_found_under_its_pointer() -> None:
    values = find_places(TEXT).values

    def value_at(pointer: str) -> Any:
        line, column = values[pointer]
        following = "\n".join(TEXT.split("\n")[line - 1 :])
        return json.JSONDecoder().raw_decode(following, column - 1)[0]

    assert [value_at(pointer) for pointer in ("", "/a/1", "/c~1d~0e")] == [
        json.loads(TEXT),
        {"b": None},
        "text",
    ]


def test_the_place_of_an_offset_counts_lines_and_columns_from_one() -> None:
    assert [place_of("ab\nc", offset) for offset in range(5)] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]


def test_a_pointer_escapes_tilde_and_slash() -> None:
    assert pointer_to("a", 0, "~/") == "/a/0/~0~1"
