"""Runs application code, synchronous or a coroutine, with a time limit."""

import signal
import threading
import time
from collections.abc import Callable, Coroutine
from types import CoroutineType, FrameType
from typing import Any, Final

from mcpcore.protocol.errors import DeadlineExceeded

__all__ = ["run_within"]

# Restores a timer of the caller that has expired in the meantime; zero would disable it.
_IMMEDIATELY_SECONDS: Final = 1e-6

# A bare `except:` may swallow the first signal; the pause leaves the code time for its cleanup.
_REPEAT_SECONDS: Final = 0.1


class _Interrupted(BaseException):
    """Raised inside the interrupted code. Not an Exception, so that `except Exception` lets it through."""


def run_within(work: Callable[[], Any], seconds: float) -> Any:
    """The result of `work()`; a coroutine is run to its end.

    In the main thread, where Lambda's runtime calls the handler, a timer signal interrupts the work. In
    another thread, as in the local server, the work runs in a thread of its own, which is left behind.

    Raises:
        DeadlineExceeded: the work did not end within `seconds`.
    """
    if seconds == float("inf"):
        return _run(work)
    if seconds <= 0:
        raise DeadlineExceeded(0)
    if threading.current_thread() is threading.main_thread():
        return _run_with_timer(work, seconds)
    return _run_in_thread(work, seconds)


def _run(work: Callable[[], Any]) -> Any:
    result = work()
    return _run_coroutine(result) if isinstance(result, CoroutineType) else result


def _run_coroutine(coroutine: Coroutine[Any, Any, Any]) -> Any:
    import asyncio

    return asyncio.run(coroutine)


def _run_with_timer(work: Callable[[], Any], seconds: float) -> Any:
    ended = False

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if not ended:  # a late signal must not interrupt the code below
            raise _Interrupted

    started, (outer_seconds, outer_interval) = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)
    outer_handler = signal.signal(signal.SIGALRM, interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT_SECONDS)
            return _run(work)
        finally:
            ended = True
            # Work that left the signal blocked would leave all later work of the process without a deadline.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    except _Interrupted:
        raise DeadlineExceeded(round(seconds, 2)) from None
    except BaseExceptionGroup as group:  # asyncio.TaskGroup wraps what one of its tasks raised
        if group.subgroup(_Interrupted) is None:
            raise
        raise DeadlineExceeded(round(seconds, 2)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler)
        if outer_seconds:
            left = outer_seconds - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, _IMMEDIATELY_SECONDS), outer_interval)


def _run_in_thread(work: Callable[[], Any], seconds: float) -> Any:
    results: list[tuple[Any, BaseException | None]] = []

    def run() -> None:
        try:
            results.append((_run(work), None))
        except BaseException as raised:
            results.append((None, raised))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not results:
        raise DeadlineExceeded(round(seconds, 2))
    result, raised = results[0]
    if raised is not None:
        raise raised
    return result
