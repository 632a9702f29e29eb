"""`requestState` is untrusted input: it opens as it was sealed, for its own request, until it expires."""

import base64
import hashlib
import json
import string
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mcpcore.protocol import base64url
from mcpcore.protocol.errors import InvalidParams
from mcpcore.questions.request_state import Binding, open_state, seal_state
from mcpcore.questions.state_keys import key_id

PAGE: Final = Path("docs/request-state.md")

SECRET = b"the newest secret"
FORMER = b"the secret before it"
NOW = 1_800_000_000
EXPIRY = NOW + 60
CALL = {"name": "book", "arguments": {"seats": 2, "where": "ü"}}
BINDING = Binding("booking", "tools/call", CALL)
# Of a length that needs two padding characters: a lenient decoder ignores some bits before them.
CONTENT = {
    "answers": {"question-1": {"action": "accept", "content": {"name": "ü"}}},
    "saved": {"prices": [1.5, None]},
}
STATE = seal_state(CONTENT, binding=BINDING, expires_at=EXPIRY, secret=SECRET)

FORGED = "requestState is not one that this server gave out; send it back as it was"
MOVED = "requestState belongs to another request; retry with the same method and params"
UNKNOWN_KEY = "requestState is sealed with a key that is gone; begin again without it"
OTHER_VERSION = "requestState is of another version; begin again without it"
OTHER_SERVER = "requestState is of another server; begin again without it"
EXPIRED = "requestState has expired; begin again without it"


def opened(
    state: object, binding: Binding = BINDING, now: float = NOW, secrets: Iterable[bytes] = (SECRET,)
) -> Any:
    """What is in the state, or why it is refused."""
    try:
        return open_state(state, binding=binding, now=now, secrets=secrets)
    except InvalidParams as error:
        return error.message


@pytest.mark.parametrize("content", [CONTENT, {}])
def test_a_state_opens_as_what_was_sealed(content: dict[str, Any]) -> None:
    state = seal_state(content, binding=BINDING, expires_at=EXPIRY, secret=SECRET)

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
    ("secrets", "expected"),
    [
        ((SECRET,), CONTENT),
        ((b"newer", SECRET), CONTENT),
        ((SECRET, FORMER), CONTENT),
        ((FORMER,), UNKNOWN_KEY),
        ((b"",), UNKNOWN_KEY),
        ((), UNKNOWN_KEY),
    ],
)
def test_a_state_opens_with_any_of_the_secrets(secrets: tuple[bytes, ...], expected: object) -> None:
    assert opened(STATE, secrets=secrets) == expected


def test_no_more_secrets_are_taken_than_it_needs_to_find_the_states_own() -> None:
    secrets = iter((b"newer", SECRET, FORMER))

    assert opened(STATE, secrets=secrets) == CONTENT
    assert list(secrets) == [FORMER]


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
    assert opened(STATE, Binding("booking", "tools/call", params)) == CONTENT


@pytest.mark.requirement("state-bound")
@pytest.mark.parametrize(
    "binding",
    [
        Binding("booking", "prompts/get", CALL),
        Binding("booking", "tools/call", {**CALL, "name": "cancel"}),
        Binding("booking", "tools/call", {**CALL, "arguments": {"seats": 3, "where": "ü"}}),
        Binding("booking", "tools/call", {**CALL, "arguments": {"seats": "2", "where": "ü"}}),
        Binding("booking", "tools/call", {**CALL, "arguments": {}}),
        Binding("booking", "tools/call", {"name": "book"}),
        Binding("booking", "tools/call", {**CALL, "more": 1}),
        Binding("booking", "tools/call", CALL, principal="somebody else"),
    ],
)
def test_a_state_is_bound_to_one_method_with_one_set_of_params_and_one_principal(binding: Binding) -> None:
    assert opened(STATE, binding) == MOVED


def test_a_state_opens_only_on_the_server_that_sealed_it() -> None:
    assert opened(STATE, BINDING._replace(audience="another")) == OTHER_SERVER


ALPHABET = string.ascii_letters + string.digits + "-_+/="


def changed() -> list[str]:
    """The state with each character replaced by a few others."""
    return [
        STATE[:place] + other + STATE[place + 1 :]
        for place, letter in enumerate(STATE)
        for other in (*ALPHABET[place % 7 :: 7], "=", "+", "/", "-", "_")
        if other != letter
    ]


@pytest.mark.requirement("state-forged")
def test_a_state_that_differs_in_any_one_character_is_refused() -> None:
    assert {opened(state) for state in changed()} == {FORGED, UNKNOWN_KEY, OTHER_VERSION}


def test_another_version_or_key_id_under_a_seal_that_is_good_is_refused() -> None:
    head, seal, body = (
        base64url.decode(STATE)[:9],
        base64url.decode(STATE)[9:41],
        base64url.decode(STATE)[41:],
    )

    assert opened(base64url.encode(b"\2" + head[1:] + seal + body)) == OTHER_VERSION
    # A second secret with the key id of the first cannot be made; its key id under the first's seal can.
    relabelled = base64url.encode(head[:1] + key_id(FORMER) + seal + body)
    assert opened(relabelled, secrets=(SECRET, FORMER)) == FORGED


def test_a_state_of_the_layout_without_a_version_asks_to_begin_again() -> None:
    body = b'{"expires":9e9,"bound":"","content":{}}'
    former = [base64url.encode(bytes([first]) * 32 + body) for first in range(256)]

    assert {opened(state) for state in former} == {OTHER_VERSION, UNKNOWN_KEY}


@pytest.mark.parametrize(
    "state",
    [
        *("", "x", STATE + "-TAMPERED", STATE + "=", STATE + "\n", " " + STATE, STATE + STATE),
        *(STATE[:-1], STATE[:-4], STATE.rstrip("=")),
        *(base64url.encode(base64url.decode(STATE)[:length]) for length in (0, 1, 8, 9, 10, 40, 41, 42, 99)),
        *("é", "\ud800", "A", None, True, 1, [], {}),
    ],
)
def test_a_value_that_is_cut_or_that_the_server_did_not_seal_is_refused(state: object) -> None:
    assert opened(state) == FORGED


def test_the_state_in_the_documentation_is_what_an_independent_implementation_computes() -> None:
    vector = json.loads(PAGE.read_text().split("```json\n")[1].split("```")[0])
    secret = vector["secret"].encode()
    derived = {
        name: HKDF(SHA256(), length, b"mcpcore state secret", label).derive(secret).hex()
        for name, length, label in (
            ("seal_key", 32, b"mcpcore 1 requestState seal"),
            ("key_id", 8, b"mcpcore 1 key id"),
            ("exchange_key", 32, b"mcpcore 1 exchange id"),
        )
    }
    params = {"name": "book", "arguments": {"city": "Oslo"}}
    bound = b'["tools/call","",{"arguments":{"city":"Oslo"},"name":"book"}]'
    body = (
        f'{{"audience":"asking","bound":"{hashlib.sha256(bound).hexdigest()}","expires":1800003600,'
        '"content":{"answers":{},"saved":{"number":7}}}'
    ).encode()
    head = b"\1" + bytes.fromhex(derived["key_id"])
    mac = HMAC(bytes.fromhex(derived["seal_key"]), SHA256())
    mac.update(head + body)
    state = base64.urlsafe_b64encode(head + mac.finalize() + body).decode()

    assert vector == {"secret": vector["secret"], **derived, "body": body.decode(), "requestState": state}
    assert state == seal_state(
        {"answers": {}, "saved": {"number": 7}},
        binding=Binding("asking", "tools/call", params),
        expires_at=1_800_003_600,
        secret=secret,
    )
