"""The environment of each request: its time, its ids, its secrets, and how long a handler may run."""

import os
from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from mcpcore import RequestEnvironment, SessionId
from mcpcore_aws.invocation import ANSWER_SECONDS, LambdaInvocation
from mcpcore_aws.timeouts import run_within

if TYPE_CHECKING:
    from mcpcore_aws.state_secrets import StateSecrets

__all__ = ["RequestEnvironments"]

_SESSION_ID_BYTES: Final = 24  # 192 random bits


class RequestEnvironments:
    """Makes the environments of one function's requests. The arguments are those of `LambdaAdapter`."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        session_ttl_seconds: int,
        tool_timeout_seconds: float,
        state_keys: tuple[bytes, ...],
        state_secret_source: str,
    ) -> None:
        self._clock = clock
        self._session_ttl_seconds = session_ttl_seconds
        self._tool_timeout_seconds = tool_timeout_seconds
        self._state_keys = state_keys
        self._state_secret_source = state_secret_source
        self._may_ask = bool(state_keys or state_secret_source)

    def of(self, invocation: LambdaInvocation) -> RequestEnvironment:
        """The environment of the request that Lambda called the function with."""
        now = self._clock()
        remaining_seconds = invocation.context.get_remaining_time_in_millis() / 1000

        def run(work: Callable[[], Any], seconds: float) -> Any:
            # Asked again: loading the session may have taken time.
            return run_within(work, min(seconds, invocation.seconds_left()))

        environment = RequestEnvironment(
            now,
            _new_session_id,
            self._session_ttl_seconds,
            deadline=now + min(self._tool_timeout_seconds, remaining_seconds - ANSWER_SECONDS),
            ends_at=now + remaining_seconds,
            seconds_left=invocation.seconds_left,
            run=run,
            state_secrets=self._state_secrets(invocation.seconds_left) if self._may_ask else None,
            transport=invocation,
        )
        if invocation.principal is None:
            return environment
        return environment._replace(
            principal=invocation.principal, principal_digest=invocation.principal_digest
        )

    def for_dry_runs(self) -> "RequestEnvironments":
        """The same, but before a snapshot there is no network, and no secret may be in it."""
        dry_run = copy(self)
        if self._state_secret_source:
            dry_run._state_keys, dry_run._state_secret_source = (b"of dry runs",), ""
        return dry_run

    def _state_secrets(self, seconds_left: Callable[[], float]) -> Callable[[], Iterable[bytes]]:
        if self._state_secret_source:
            return lambda: self._kept_secrets.newest_first(seconds_left)
        return lambda: self._state_keys

    @cached_property
    def _kept_secrets(self) -> "StateSecrets":
        from mcpcore_aws.state_secrets import StateSecrets

        return StateSecrets(
            self._state_secret_source, self._state_keys, environment=os.environ, clock=self._clock
        )


def _new_session_id() -> SessionId:
    import secrets  # only `initialize` needs it

    return SessionId(secrets.token_urlsafe(_SESSION_ID_BYTES))
