"""Puts another curator into the text of `registry.json`, and leaves the rest of it as it is written."""

import json
import re
from typing import Final

from threegood.trust.keys import PublicKey

# A curator has two texts and no objects within.
_CURATOR: Final = re.compile(r'("curator"\s*:\s*)(\{[^{}]*\})')


def with_curator(text: str, name: str | None, key: PublicKey) -> str:
    """`text` with that key as `curator.pubkey`, and with that name if there is one."""
    return _CURATOR.sub(lambda found: found[1] + _changed(found[2], name, key), text, count=1)


def _changed(curator: str, name: str | None, key: PublicKey) -> str:
    values = json.loads(curator)
    changed = {"pubkey": str(key)} if name is None else {"name": name, "pubkey": str(key)}
    written = [json.dumps(values[member], ensure_ascii=False) for member in changed]
    if not all(text in curator for text in written):  # with other escapes
        return json.dumps(values | changed, ensure_ascii=False)
    for member, value in changed.items():
        former, new = (json.dumps(each, ensure_ascii=False) for each in (values[member], value))
        curator = curator.replace(former, new, 1)
    return curator
