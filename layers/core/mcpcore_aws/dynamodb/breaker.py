"""A circuit breaker: a service that has just failed several times is not called for a while."""

import math
import threading
from collections.abc import Callable
from typing import Final

from mcpcore_aws.errors import CircuitOpen, StoreFault

__all__ = ["Breaker"]

_FAILURES: Final = 3
_OPEN_SECONDS: Final = 5.0


class Breaker:
    """The state of one service, shared by all threads of a process.

    After three failures in a row it is open for five seconds; then one caller may try, and the next five
    seconds later unless that call succeeds. It keeps the text of the last failure, but no exception: its
    frames would hold what belongs to one request.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._reason = ""
        self._next_probe = 0.0

    def admit(self) -> bool:
        """True if the call that follows is a probe, False if the service works as far as is known.

        Raises:
            CircuitOpen: the service is not to be called now.
        """
        with self._lock:
            if self._failures < _FAILURES:
                return False
            now = self._clock()
            wait_seconds = self._next_probe - now
            # A longer wait than any that was set means that the clock was put back.
            if 0 < wait_seconds <= _OPEN_SECONDS:
                raise CircuitOpen(self._reason, math.ceil(wait_seconds))
            self._next_probe = now + _OPEN_SECONDS
            return True

    def succeeded(self) -> None:
        """The service has answered."""
        with self._lock:
            self._failures = 0

    def failed(self, fault: StoreFault) -> None:
        """The service has failed."""
        with self._lock:
            self._failures += 1
            self._reason = f"{type(fault).__name__}: {fault}"
            self._next_probe = self._clock() + _OPEN_SECONDS
