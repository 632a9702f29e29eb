"""Application code runs to its end or to its deadline, whichever comes first."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from mcpcore.protocol.errors import DeadlineExceeded
from mcpcore.questions.replay import InputRequired
from mcpcore_aws.timeouts import run_within

FOREVER: Final = float("inf")
LONG: Final = 10.0
SOON: Final = 0.05


def in_this_thread(work: Callable[[], Any], seconds: float) -> Any:
    """As Lambda's runtime calls the handler: tests run in the main thread."""
    return run_within(work, seconds)


def in_another_thread(work: Callable[[], Any], seconds: float) -> Any:
    """As the local server calls it."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(run_within, work, seconds).result()


Run = Callable[[Callable[[], Any], float], Any]


@pytest.fixture(params=[in_this_thread, in_another_thread])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


@pytest.fixture(autouse=True)
def _no_timer_is_left_behind() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def sum_up() -> int:
    return 40 + 2


async def sum_up_later() -> int:
    await asyncio.sleep(0)
    return 40 + 2


def fail() -> None:
    raise LookupError("broken")


async def fail_later() -> None:
    await asyncio.sleep(0)
    raise LookupError("broken")


def ask() -> None:
    raise InputRequired({})


def sleep() -> None:
    time.sleep(LONG)


async def sleep_later() -> None:
    await asyncio.sleep(LONG)


def spin() -> None:
    """Work that never waits."""
    until = time.monotonic() + LONG
    while time.monotonic() < until and not GIVEN_UP.is_set():
        pass


GIVEN_UP: Final = threading.Event()
"""Ends the loop of a thread that was left behind."""


@pytest.mark.parametrize("seconds", [LONG, FOREVER])
@pytest.mark.parametrize("work", [sum_up, sum_up_later])
def test_the_result_of_the_work_is_returned(run: Run, work: Callable[[], Any], seconds: float) -> None:
    assert run(work, seconds) == 42


@pytest.mark.parametrize("seconds", [LONG, FOREVER])
@pytest.mark.parametrize(
    ("work", "error"), [(fail, LookupError), (fail_later, LookupError), (ask, InputRequired)]
)
def test_an_exception_of_the_work_is_raised(
    run: Run, work: Callable[[], Any], error: type[BaseException], seconds: float
) -> None:
    with pytest.raises(error):
        run(work, seconds)


@pytest.mark.parametrize("work", [sleep, sleep_later, spin])
def test_work_that_misses_its_deadline_is_interrupted(run: Run, work: Callable[[], Any]) -> None:
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded) as caught:
        run(work, SOON)
    GIVEN_UP.set()
    assert time.monotonic() - started < 5
    assert caught.value.message == "Not done within 0.05 seconds; try again, or ask for less"
    GIVEN_UP.clear()


@pytest.mark.parametrize("seconds", [0.0, -0.001, -1e9])
def test_work_is_not_started_after_its_deadline(run: Run, seconds: float) -> None:
    begun: list[bool] = []
    with pytest.raises(DeadlineExceeded):
        run(lambda: begun.append(True), seconds)
    assert begun == []


def test_an_immediate_deadline_always_raises_the_deadline_error() -> None:
    for _ in range(300):
        with pytest.raises(DeadlineExceeded):
            run_within(sleep, 1e-6)


def test_an_except_exception_in_the_work_does_not_stop_the_deadline() -> None:
    def stubborn() -> None:
        try:
            time.sleep(LONG)
        except Exception:
            time.sleep(LONG)

    with pytest.raises(DeadlineExceeded):
        run_within(stubborn, SOON)


def test_work_within_work_has_the_shorter_time_first_and_then_the_longer() -> None:
    def outer() -> None:
        with pytest.raises(DeadlineExceeded, match=r"0\.05"):
            run_within(sleep, SOON)
        time.sleep(LONG)

    with pytest.raises(DeadlineExceeded, match=r"0\.3"):
        run_within(outer, 0.3)


def test_work_that_catches_the_deadline_twice_is_interrupted_again() -> None:
    rung: list[bool] = []

    def stubborn() -> None:
        for _ in range(2):
            try:
                time.sleep(LONG)
            except BaseException:
                rung.append(True)
        time.sleep(LONG)

    started = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        run_within(stubborn, SOON)
    assert (rung, time.monotonic() - started < 5) == ([True, True], True)


def test_work_that_leaves_the_signal_blocked_takes_no_deadline_from_later_work() -> None:
    run_within(lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM}), LONG)
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        run_within(lambda: time.sleep(1), SOON)
    assert time.monotonic() - began < 0.9


def test_a_task_group_is_cancelled_at_the_deadline() -> None:
    async def spin_later() -> None:
        spin()

    async def grouped() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(spin_later())
            group.create_task(spin_later())

    with pytest.raises(DeadlineExceeded):
        run_within(grouped, SOON)


def test_an_exception_group_is_raised_unchanged() -> None:
    async def grouped() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail_later())

    with pytest.raises(ExceptionGroup):
        run_within(grouped, LONG)


@pytest.mark.parametrize(("timer_seconds", "work_seconds"), [(0.2, 0.0), (0.01, 0.05)])
def test_a_timer_of_the_caller_fires_once_at_its_time_or_right_after_the_work(
    timer_seconds: float, work_seconds: float
) -> None:
    rung: list[float] = []
    former = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        started = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, timer_seconds)
        run_within(lambda: time.sleep(work_seconds), LONG)
        time.sleep(2 * timer_seconds)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert [timer_seconds * 0.75 < each - started < 2 for each in rung] == [True]
