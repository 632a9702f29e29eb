"""Another curator in the text of a registry, however its names are escaped."""

import json

import pytest

from threegood.trust.keys import PublicKey
from threegood.trust.registry_edit import with_curator

KEY = PublicKey(bytes(32))


@pytest.mark.parametrize("name", ['"Ren\\u00e9"', '"René"', '"A \\/ B"'])
def test_the_curator_is_replaced_and_the_rest_stays_as_it_is_written(name: str) -> None:
    text = '{ "version":  "1.0.0", "curator": {"name": NAME, "pubkey": "ed25519:00"} }'.replace("NAME", name)

    changed = with_curator(text, "Bob", KEY)

    assert json.loads(changed)["curator"] == {"name": "Bob", "pubkey": str(KEY)}
    assert changed.startswith('{ "version":  "1.0.0", "curator": {')
