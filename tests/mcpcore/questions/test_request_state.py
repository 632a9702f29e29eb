"""`requestState` is hostile when it comes back: it opens as it was sealed, for its own request, in time."""

import base64
import string
from typing import Any

import pytest

from mcpcore.protocol.errors import InvalidParams
from mcpcore.questions.request_state import Binding, open_state, seal_state

KEY = b"the newest key"
FORMER = b"the key before it"
NOW = 1_800_000_000
EXPIRY = NOW + 60
CALL = {"name": "book", "arguments": {"seats": 2, "where": "ü"}}
BINDING = Binding("tools/call", CALL)
# As long as it must be for two signs of padding, before which a careless decoder lets some bits vary.
REMEMBERED = {
    "answers": {"ask-1": {"action": "accept", "content": {"name": "ü"}}},
    "kept": {"prices": [1.5, None]},
}
STATE = seal_state(REMEMBERED, binding=BINDING, expires_at=EXPIRY, key=KEY)

FORGED = "requestState is not one that this server gave out; send it back as it was"
MOVED = "requestState belongs to another request; retry with the same method and params"
EXPIRED = "requestState has expired; begin again without it"


def opened(
    state: object, binding: Binding = BINDING, now: float = NOW, keys: tuple[bytes, ...] = (KEY,)
) -> Any:
    """What is in the state, or why it is refused."""
    try:
        return open_state(state, binding=binding, now=now, keys=keys)
    except InvalidParams as error:
        return error.message


@pytest.mark.parametrize("remembered", [REMEMBERED, {}, {"answers": {}, "kept": {}}])
def test_a_state_opens_as_what_was_sealed(remembered: dict[str, Any]) -> None:
    state = seal_state(remembered, binding=BINDING, expires_at=EXPIRY, key=KEY)

    assert opened(state) == remembered


@pytest.mark.requirement("state-expires")
@pytest.mark.parametrize(
    ("now", "expected"),
    [(EXPIRY - 1, REMEMBERED), (EXPIRY - 0.001, REMEMBERED), (EXPIRY, EXPIRED), (EXPIRY + 1e9, EXPIRED)],
)
def test_a_state_opens_until_its_expiry_and_not_at_it(now: float, expected: object) -> None:
    assert opened(STATE, now=now) == expected


@pytest.mark.requirement("state-keys")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((KEY,), REMEMBERED),
        ((b"newer", KEY), REMEMBERED),
        ((KEY, FORMER), REMEMBERED),
        ((FORMER,), FORGED),
        ((b"",), FORGED),
        ((), FORGED),
    ],
)
def test_a_state_opens_with_any_of_the_keys(keys: tuple[bytes, ...], expected: object) -> None:
    assert opened(STATE, keys=keys) == expected


@pytest.mark.parametrize(
    "params",
    [
        CALL,
        {**CALL, "_meta": {"progressToken": 1}},
        {**CALL, "inputResponses": {"ask-1": {}}, "requestState": STATE},
        {"arguments": {"where": "ü", "seats": 2}, "name": "book"},
    ],
)
def test_a_retry_may_differ_in_its_metadata_and_its_answers(params: dict[str, Any]) -> None:
    assert opened(STATE, Binding("tools/call", params)) == REMEMBERED


@pytest.mark.requirement("state-bound")
@pytest.mark.parametrize(
    "binding",
    [
        Binding("prompts/get", CALL),
        Binding("tools/call", {**CALL, "name": "cancel"}),
        Binding("tools/call", {**CALL, "arguments": {"seats": 3, "where": "ü"}}),
        Binding("tools/call", {**CALL, "arguments": {"seats": "2", "where": "ü"}}),
        Binding("tools/call", {**CALL, "arguments": {}}),
        Binding("tools/call", {"name": "book"}),
        Binding("tools/call", {**CALL, "more": 1}),
        Binding("tools/call", CALL, principal="somebody else"),
    ],
)
def test_a_state_belongs_to_one_method_with_one_set_of_params_by_one_principal(binding: Binding) -> None:
    assert opened(STATE, binding) == MOVED


def test_a_state_is_refused_in_any_order_of_its_faults_without_telling_more_than_one() -> None:
    assert opened(STATE, Binding("prompts/get", CALL), now=EXPIRY) == MOVED


ALPHABET = string.ascii_letters + string.digits + "-_+/="


def tampered() -> list[str]:
    """The state with each of its characters replaced by a few others."""
    return [
        STATE[:place] + other + STATE[place + 1 :]
        for place, letter in enumerate(STATE)
        for other in (*ALPHABET[place % 7 :: 7], "=", "+", "/", "-", "_")
        if other != letter
    ]


@pytest.mark.requirement("state-forged")
def test_a_state_that_differs_in_any_one_character_is_refused() -> None:
    assert {opened(state) for state in tampered()} == {FORGED}


@pytest.mark.parametrize(
    "state",
    [
        "",
        "x",
        STATE + "-TAMPERED",
        STATE + "=",
        STATE + "\n",
        " " + STATE,
        STATE[:-1],
        STATE[:-4],
        STATE[4:],
        STATE.rstrip("="),
        STATE + STATE,
        STATE.swapcase(),
        base64.urlsafe_b64encode(b"\0" * 32).decode(),
        base64.urlsafe_b64encode(b"\0" * 32 + b'{"expires":9e9,"bound":"","remembered":{}}').decode(),
        "é",
        "\ud800",
        "A" * 100_000,
        None,
        True,
        1,
        [],
        {},
    ],
)
def test_what_was_never_given_out_is_refused(state: object) -> None:
    assert opened(state) == FORGED


def test_a_state_is_text_that_fits_in_json_and_in_a_url() -> None:
    assert set(STATE) <= {*string.ascii_letters, *string.digits, "-", "_", "="}


def test_the_digest_tells_bindings_apart_and_not_the_order_of_their_members() -> None:
    assert BINDING.digest() == Binding("tools/call", dict(reversed(CALL.items()))).digest()
    assert BINDING.digest() != Binding("tools/call", {}).digest()
