"""Who a request is from, as what stands before the server has verified."""

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Principal"]


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
