"""The warm path: handlers called in processes of their own that take turns, without an emulator.

Targets are compared turn by turn, so a machine that is slower for a while is slower for all of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.environments import Environment
from bench.serving.events import INITIALIZE, LEGACY, request
from bench.serving.launcher import HandlerProcess, Launcher
from bench.serving.ratios import PAIRED, percentile
from bench.serving.targets import OURS, QUIET, QUIET_VARIABLES, Target

__all__ = ["Rounds", "Samples", "Subject", "measure_warm", "medians", "summary", "take_turn", "take_turns"]

Turn = Mapping[str, Mapping[str, Sequence[int]]]
"""Nanoseconds of each call, by kind of request and by part of the request."""

# Parts of a request to the product that are timed separately.
_PARTS: Final = {
    "store": {"of": "mcpcore_aws.sessions:DynamoDBSessions", "methods": ["load", "apply"]},
    "match": {"of": "sources.matching.lexical:LexicalStrategy", "methods": ["rank"]},
}
# A request in a session takes milliseconds, most of them in moto: fewer calls of it.
_LEGACY_SHARE: Final = 0.2
_NS_PER_US: Final = 1000


class Rounds(NamedTuple):
    """Repetitions for each subject: `processes` in succession, `turns` of each, `calls` in a turn."""

    processes: int
    turns: int
    calls: int


class Subject(NamedTuple):
    """A function that starts a process that takes turns, and the kinds of request of its job."""

    start: Callable[[], AbstractContextManager[HandlerProcess]]
    kinds: Sequence[str]


class Samples(NamedTuple):
    """The results by subject: all turns of all processes, and the memory of each process at its end."""

    turns: dict[str, list[Turn]]
    rss_mb: dict[str, list[float]]


def measure_warm(
    launcher: Launcher, environments: Mapping[Target, Environment], rounds: Rounds, say: Callable[[str], None]
) -> Samples:
    """The turns of each target, and of the product also without log lines and metrics."""
    subjects = {}
    for target, environment in environments.items():
        if not target.warm:
            continue
        start = partial(launcher.start, environment, _job(target, rounds.calls))
        subjects[target.name] = Subject(start, target.warm)
        if target.name == OURS:
            subjects[QUIET] = Subject(partial(start, **QUIET_VARIABLES), target.warm)
    return take_turns(subjects, rounds, say=lambda text: say(f"warm path, {text}"))


def _job(target: Target, calls: int) -> dict[str, Any]:
    job = {
        "handler": target.handler,
        "events": {kind: request(kind) for kind in target.warm},
        "repeat": calls,
    }
    if target.name != OURS:
        return job
    return job | {
        "opening": request(INITIALIZE),
        "in_session": LEGACY,
        "share": dict.fromkeys(LEGACY, _LEGACY_SHARE),
        "parts": _PARTS,
    }


def take_turns(subjects: Mapping[str, Subject], rounds: Rounds, *, say: Callable[[str], None]) -> Samples:
    """The results of new processes in each round, which take turns.

    What differs between processes by chance, such as memory layout, is averaged over the rounds.
    """
    found = Samples({name: [] for name in subjects}, {name: [] for name in subjects})
    for number in range(rounds.processes):
        say(f"round {number + 1} of {rounds.processes}")
        with ExitStack() as stack:
            processes = {name: stack.enter_context(each.start()) for name, each in subjects.items()}
            for (
                process
            ) in processes.values():  # a turn that is not counted, while later processes still start
                process.run()
            for turn in range(rounds.turns):
                take_turn(turn, processes, subjects, found)
            for name, process in processes.items():
                found.rss_mb[name].append(process.rss_mb())
    return found


def take_turn(
    number: int, processes: Mapping[str, HandlerProcess], subjects: Mapping[str, Subject], found: Samples
) -> None:
    """One turn: all calls of a kind by each process, then the next kind; odd turns in reverse order."""
    order = _paired_last(processes)[:: -1 if number % 2 else 1]
    turns: dict[str, dict[str, Any]] = {name: {} for name in order}
    for kind in dict.fromkeys(kind for each in subjects.values() for kind in each.kinds):
        for name in order:
            if kind in subjects[name].kinds:
                turns[name] |= processes[name].run(kind)
    for name, turn in turns.items():
        found.turns[name].append(turn)


def _paired_last(names: Iterable[str]) -> list[str]:
    """Puts the subjects that are compared with each other side by side: the machine's speed changes."""
    return sorted(names, key=lambda name: name in PAIRED)


def medians(turns: Sequence[Turn]) -> dict[str, dict[str, list[float]]]:
    """By kind and part, the median of each turn in microseconds."""
    return {
        kind: {part: [_us(median(turn[kind][part])) for turn in turns] for part in first}
        for kind, first in turns[0].items()
    }


def summary(turns: Sequence[Turn]) -> dict[str, dict[str, float]]:
    """By kind: p50 (the median of the turns' medians) of the whole and of each part, and p99 of all calls."""
    found = {}
    for kind, middle in medians(turns).items():
        whole = [nanoseconds for turn in turns for nanoseconds in turn[kind]["whole"]]
        parts = {
            f"{part}_p50_us": round(median(middle[part]), 2) for part in sorted(middle.keys() - {"whole"})
        }
        p50_us = round(median(middle["whole"]), 2)
        found[kind] = {"p50_us": p50_us, "p99_us": _us(percentile(whole, 0.99)), **parts}
    return found


def _us(nanoseconds: float) -> float:
    return round(nanoseconds / _NS_PER_US, 2)
