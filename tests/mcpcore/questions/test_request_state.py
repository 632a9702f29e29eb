"""`requestState` is untrusted input: it opens as it was sealed, for its own request, until it expires."""

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
# Of a length that needs two padding characters: a lenient decoder ignores some bits before them.
CONTENT = {
    "answers": {"question-1": {"action": "accept", "content": {"name": "ü"}}},
    "saved": {"prices": [1.5, None]},
}
STATE = seal_state(CONTENT, binding=BINDING, expires_at=EXPIRY, key=KEY)

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


@pytest.mark.parametrize("content", [CONTENT, {}])
def test_a_state_opens_as_what_was_sealed(content: dict[str, Any]) -> None:
    state = seal_state(content, binding=BINDING, expires_at=EXPIRY, key=KEY)

    assert opened(state) == content
    assert set(state) <= {*string.ascii_letters, *string.digits, "-", "_", "="}


@pytest.mark.requirement("state-expires")
@pytest.mark.parametrize(
    ("now", "expected"),
    [(EXPIRY - 1, CONTENT), (EXPIRY - 0.001, CONTENT), (EXPIRY, EXPIRED), (EXPIRY + 1e9, EXPIRED)],
)
def test_a_state_opens_until_its_expiry_and_not_at_it(now: float, expected: object) -> None:
    assert opened(STATE, now=now) == expected


@pytest.mark.requirement("state-keys")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((KEY,), CONTENT),
        ((b"newer", KEY), CONTENT),
        ((KEY, FORMER), CONTENT),
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
        {**CALL, "inputResponses": {"question-1": {}}, "requestState": STATE},
        {"arguments": {"where": "ü", "seats": 2}, "name": "book"},
    ],
)
def test_a_retry_may_differ_in_its_metadata_and_its_answers(params: dict[str, Any]) -> None:
    assert opened(STATE, Binding("tools/call", params)) == CONTENT


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
def test_a_state_is_bound_to_one_method_with_one_set_of_params_and_one_principal(binding: Binding) -> None:
    assert opened(STATE, binding) == MOVED


ALPHABET = string.ascii_letters + string.digits + "-_+/="


def tampered() -> list[str]:
    """The state with each character replaced by a few others."""
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
        *("", "x", STATE + "-TAMPERED", STATE + "=", STATE + "\n", " " + STATE, STATE + STATE),
        *(STATE[:-1], STATE[:-4], STATE[4:], STATE.rstrip("="), STATE.swapcase()),
        base64.urlsafe_b64encode(b"\0" * 32).decode(),
        base64.urlsafe_b64encode(b"\0" * 32 + b'{"expires":9e9,"bound":"","remembered":{}}').decode(),
        *("é", "\ud800", "A" * 100_000, None, True, 1, [], {}),
    ],
)
def test_a_value_that_the_server_did_not_seal_is_refused(state: object) -> None:
    assert opened(state) == FORGED
