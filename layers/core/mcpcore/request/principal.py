"""Who a request is from, as what stands before the server has verified, and what it may do."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

__all__ = ["SCOPE_CHARACTERS", "Principal", "is_scope"]

SCOPE_CHARACTERS: Final = "a scope is visible ASCII without quotes and backslashes"
"""What a message says of a text that is no scope."""

# RFC 6749, section 3.3
_SCOPE: Final = re.compile(r"[!#-\[\]-~]+")


class Principal(NamedTuple):
    """The user or machine that a request is from.

    `subject` is unique among the subjects of `issuer`. `client_id` is the OAuth client that acts for it,
    empty if unknown. `claims` is what else the verifier has read, such as the claims of a token (RFC 9068,
    section 2.2); the token itself is not among them.
    """

    subject: str
    issuer: str = ""
    client_id: str = ""
    scopes: frozenset[str] = frozenset()
    claims: Mapping[str, Any] = {}


def is_scope(value: object) -> bool:
    """True for a text that can be an OAuth scope (RFC 6749, section 3.3)."""
    return isinstance(value, str) and _SCOPE.fullmatch(value) is not None
