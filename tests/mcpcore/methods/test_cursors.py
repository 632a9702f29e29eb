"""Cursors: they come back as the position that they were made of, or not at all."""

import base64
import string

import pytest

from mcpcore.methods.cursors import mint_cursor, open_cursor
from mcpcore.protocol.errors import InvalidParams

SEAL = b"tools/list 9 2"
TEXT = "Invalid cursor: it was not given out for this list; ask again without a cursor"


@pytest.mark.parametrize("position", [0, 1, 50, 65_536, 2**32 - 1])
def test_a_cursor_stands_for_its_position(position: int) -> None:
    assert open_cursor(mint_cursor(position, seal=SEAL), seal=SEAL) == position


@pytest.mark.requirement("cursor-stateless")
def test_the_same_position_has_the_same_cursor_on_every_instance() -> None:
    assert mint_cursor(2, seal=SEAL) == "AAAAAoMNmI0u07iRePIuYQ=="


CURSOR = mint_cursor(2, seal=SEAL)
ALPHABET = string.ascii_letters + string.digits + "-_+/="


def tampered() -> list[str]:
    """The cursor with each of its characters replaced by each other one."""
    return [
        CURSOR[:place] + other + CURSOR[place + 1 :]
        for place, letter in enumerate(CURSOR)
        for other in ALPHABET
        if other != letter
    ]


def opens(cursor: object) -> bool:
    """True when the cursor is taken."""
    try:
        open_cursor(cursor, seal=SEAL)
    except InvalidParams:
        return False
    return True


@pytest.mark.requirement("cursor-invalid")
def test_a_cursor_that_differs_in_any_one_character_is_refused() -> None:
    assert [cursor for cursor in tampered() if opens(cursor)] == []


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "0",
        " ",
        CURSOR + "x",
        CURSOR + "\n",
        CURSOR + "-TAMPERED",
        " " + CURSOR,
        CURSOR[:-1],
        CURSOR.rstrip("="),
        CURSOR[:8],
        CURSOR.upper(),
        CURSOR + CURSOR,
        base64.urlsafe_b64encode(b"").decode(),
        base64.urlsafe_b64encode(b"\0\0\0\2").decode(),
        "é",
        "\ud800",
        "\0",
        "A" * 100_000,
        None,
        True,
        0,
        2.0,
        [],
        {},
        CURSOR.encode(),
    ],
)
def test_what_was_never_given_out_is_refused(cursor: object) -> None:
    with pytest.raises(InvalidParams) as refused:
        open_cursor(cursor, seal=SEAL)

    assert refused.value.message == TEXT


def test_a_cursor_is_refused_by_another_list() -> None:
    with pytest.raises(InvalidParams):
        open_cursor(CURSOR, seal=b"prompts/list 9 2")
