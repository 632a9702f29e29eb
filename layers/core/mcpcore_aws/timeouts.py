"""Running an engineer's code: coroutines in a loop, everything within a deadline."""

import signal
import threading
import time
from collections.abc import Callable, Coroutine
from types import CoroutineType, FrameType
from typing import Any, Final

from mcpcore.protocol.errors import DeadlineExceeded

__all__ = ["run_within"]

# A timer that should have rung already rings at once; zero would switch it off.
_AT_ONCE_SECONDS: Final = 1e-6


def run_within(work: Callable[[], Any], seconds: float) -> Any:
    """What `work()` gives, awaited if it can be.

    In the main thread, where Lambda's runtime calls the handler, a timer interrupts it. In any other, as in
    the local server, it is left running in a thread of its own and given up.

    Raises:
        DeadlineExceeded: it was not done within `seconds`.
    """
    if seconds == float("inf"):
        return _finished(work)
    if seconds <= 0:
        raise DeadlineExceeded(0)
    if threading.current_thread() is threading.main_thread():
        return _interrupted(work, seconds)
    return _abandoned(work, seconds)


def _finished(work: Callable[[], Any]) -> Any:
    found = work()
    return _awaited(found) if isinstance(found, CoroutineType) else found


def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    import asyncio

    return asyncio.run(coroutine)


# A bare `except:` may swallow the first ring; later ones leave the work some time to tidy up in between.
_RING_AGAIN_SECONDS: Final = 0.1


class _TimeUp(BaseException):
    """Raised in the midst of the work; not an Exception, so that the work does not swallow it."""


def _interrupted(work: Callable[[], Any], seconds: float) -> Any:
    over = False

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if not over:  # else it would be raised where nobody expects it
            raise _TimeUp

    began, (outer, outer_again) = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)
    former = signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, _RING_AGAIN_SECONDS)
            return _finished(work)
        finally:
            over = True
    except _TimeUp:
        raise DeadlineExceeded(round(seconds, 2)) from None
    except BaseExceptionGroup as group:  # as asyncio.TaskGroup raises what one of its tasks has raised
        if group.subgroup(_TimeUp) is None:
            raise
        raise DeadlineExceeded(round(seconds, 2)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        if outer:
            left = outer - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left, _AT_ONCE_SECONDS), outer_again)


def _abandoned(work: Callable[[], Any], seconds: float) -> Any:
    ended: list[tuple[Any, BaseException | None]] = []

    def keep() -> None:
        try:
            ended.append((_finished(work), None))
        except BaseException as raised:
            ended.append((None, raised))

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    thread.join(seconds)
    if not ended:
        raise DeadlineExceeded(round(seconds, 2))
    value, raised = ended[0]
    if raised is not None:
        raise raised
    return value
