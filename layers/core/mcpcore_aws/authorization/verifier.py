"""Verifier: from the credentials of a request to its principal."""

from typing import Protocol

from mcpcore import Principal
from mcpcore.http import HttpRequest
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["Verifier"]


class Verifier(Protocol):
    """Finds out who a request is from. Threads may share one."""

    def verify(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal | None:
        """The principal; None if the request has no credentials of the kind that this verifier knows.

        `now` is in seconds since the epoch; `invocation.seconds_left()` is the time that may be taken.

        Raises:
            Unauthorized: the credentials are refused; its description, which the client sees, says why.
            MalformedAuthorization: they cannot be read.
            StoreUnavailable: what they are verified with is out of reach.
        """
        ...
