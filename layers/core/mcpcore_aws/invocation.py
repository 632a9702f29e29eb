"""What Lambda calls a function with."""

from typing import Final, NamedTuple, Protocol

from mcpcore import Principal
from mcpcore_aws.event_sources import Event

__all__ = ["ANSWER_SECONDS", "LambdaContext", "LambdaInvocation"]

ANSWER_SECONDS: Final = 1.0  # left for the answer when a handler or the store is stopped


class LambdaContext(Protocol):
    """The members of Lambda's context object that the adapter uses."""

    @property
    def aws_request_id(self) -> str:
        """The invocation's id, as CloudWatch shows it."""
        ...

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda ends the invocation."""
        ...


class LambdaInvocation(NamedTuple):
    """What Lambda called the function with; handlers get it as `context.transport`.

    `principal` is who the request is from, once that is verified, and `principal_digest` a keyed digest.
    """

    event: Event
    context: LambdaContext
    principal: Principal | None = None
    principal_digest: str = ""

    def seconds_left(self) -> float:
        """Seconds until the answer must be ready, a moment before Lambda ends the invocation."""
        return self.context.get_remaining_time_in_millis() / 1000 - ANSWER_SECONDS
