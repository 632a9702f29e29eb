"""API keys as they are handed out, and as items of their table, whose hash key is `key_hash`.

The table never holds a key, only its SHA-256: of 256 random bits, that is enough to keep them secret.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcpcore_aws.exchange_items import number_value

__all__ = ["PREFIX", "ApiKey", "api_key_from_item", "api_key_to_item", "hash_of", "is_well_formed"]

PREFIX: Final = "3gs_"
"""How every key begins, so that people and scanners of secrets recognize one."""

# 32 bytes in Base64 without padding: the last character carries four bits, the other two of it are zero.
_KEY: Final = re.compile(PREFIX + "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
_ID_CHARACTERS: Final = 16  # 64 bits


class ApiKey(NamedTuple):
    """What is known of a key. Times are in seconds since 1970, and None for what has not happened.

    `expires_at` is None if the key never expires. `last_used_at` may be an hour old.
    """

    key_hash: str
    name: str
    scopes: frozenset[str]
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None
    revoked_at: int | None = None

    @property
    def id(self) -> str:
        """The public id, the beginning of the hash: who finds a lost key can compute which to revoke."""
        return self.key_hash[:_ID_CHARACTERS]


def is_well_formed(key: str) -> bool:
    """Whether `key` could have been handed out."""
    return _KEY.fullmatch(key) is not None


def hash_of(key: str) -> str:
    """The hash under which the table has `key`, in hexadecimal digits."""
    return hashlib.sha256(key.encode()).hexdigest()


def api_key_to_item(key: ApiKey) -> dict[str, Any]:
    """The item for `key`."""
    times = {name: getattr(key, name) for name in ("created_at", *_OPTIONAL_TIMES)}
    return {
        "key_hash": {"S": key.key_hash},
        "name": {"S": key.name},
        "scopes": {"S": " ".join(sorted(key.scopes))},
        **{name: number_value(time) for name, time in times.items() if time is not None},
    }


def api_key_from_item(item: Mapping[str, Any]) -> ApiKey | None:
    """The key in `item`; None if `item` is empty or has another shape."""
    try:
        times = {name: int(item[name]["N"]) for name in _OPTIONAL_TIMES if name in item}
        return ApiKey(
            key_hash=item["key_hash"]["S"],
            name=item["name"]["S"],
            scopes=frozenset(item["scopes"]["S"].split()),
            created_at=int(item["created_at"]["N"]),
            **times,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


_OPTIONAL_TIMES: Final = ("expires_at", "last_used_at", "revoked_at")
