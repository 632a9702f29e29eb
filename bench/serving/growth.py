"""Growth of time and memory: over many requests in one process, and with the number of tools."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from statistics import median
from typing import Any, Final

from bench.serving.environments import Environment
from bench.serving.events import CALL, INITIALIZE, LEGACY, MODERN, queries, request
from bench.serving.launcher import Launcher
from bench.serving.ratios import AGED, FEW_TOOLS, FRESH, MANY_TOOLS
from bench.serving.targets import QUIET_VARIABLES
from bench.serving.warm import Rounds, Samples, Subject, medians, summary, take_turn, take_turns

__all__ = ["measure_growth"]

_REQUESTS: Final = {FRESH: 2_000, AGED: 200_000}
_MANY_TOOLS_HANDLER: Final = "peers.many_tools.lambda_handler"


def measure_growth(
    launcher: Launcher, floor: Environment, ours: Environment, rounds: Rounds, say: Callable[[str], None]
) -> dict[str, Any]:
    """The figures `growth` and `tools`, and under `turns` the medians of the turns of both."""
    few_and_many = _measure_tools(launcher, Environment(floor.task, ours.opt), rounds, say)
    say("growth")
    growth, aged_and_fresh = _measure_requests(launcher, ours, rounds)
    return {
        "growth": growth,
        "tools": {
            name: summary(turns)[CALL] | {"rss_mb": median(few_and_many.rss_mb[name])}
            for name, turns in few_and_many.turns.items()
        },
        "turns": {
            "growth": {name: medians(turns) for name, turns in aged_and_fresh.turns.items()},
            "tools": {name: medians(turns) for name, turns in few_and_many.turns.items()},
        },
    }


def _measure_requests(
    launcher: Launcher, ours: Environment, rounds: Rounds
) -> tuple[dict[str, float], Samples]:
    """Memory of the product over many requests, and its turns afterwards beside those of a fresh process."""
    subjects = {
        name: Subject(partial(launcher.start, ours, _growth_job(requests, rounds.calls)), MODERN)
        for name, requests in _REQUESTS.items()
    }
    found = Samples({name: [] for name in subjects}, {})
    with ExitStack() as stack:
        processes = {name: stack.enter_context(each.start()) for name, each in subjects.items()}
        memory = {name: process.run("growth") for name, process in processes.items()}
        for turn in range(rounds.processes * rounds.turns):
            take_turn(turn, processes, subjects, found)
    return memory[AGED], found


def _growth_job(requests: int, calls: int) -> dict[str, Any]:
    """One request in four is a tool call, and one in forty is in a session."""
    modern = (MODERN * 10)[:39]
    return {
        "handler": "handler.lambda_handler",
        "events": {kind: request(kind) for kind in (*MODERN, *LEGACY)},
        "opening": request(INITIALIZE),
        "in_session": LEGACY,
        "repeat": calls,
        "growth": {
            "mix": [*modern, LEGACY[0], *modern, LEGACY[1]],
            "queries": queries(),
            "requests": requests,
            "warm_up": min(_REQUESTS[FRESH], requests // 4),
        },
    }


def _measure_tools(
    launcher: Launcher, environment: Environment, rounds: Rounds, say: Callable[[str], None]
) -> Samples:
    """The turns of the same tool call to servers over the core with few and with many tools."""
    job = {"handler": _MANY_TOOLS_HANDLER, "events": {CALL: request(CALL)}, "repeat": rounds.calls}
    subjects = {
        tools: Subject(partial(launcher.start, environment, job, TOOLS=tools, **QUIET_VARIABLES), [CALL])
        for tools in (FEW_TOOLS, MANY_TOOLS)
    }
    return take_turns(subjects, rounds, say=lambda text: say(f"tools, {text}"))
