"""The warm path: each target's handler called in a process of its own, without an emulator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.environments import Environment
from bench.serving.events import CALL, HANDSHAKE, INITIALIZE, LEGACY_CALL, MODERN, queries, request
from bench.serving.figures import PAIRED, percentile
from bench.serving.lab import Child, Lab
from bench.serving.targets import AGED, FEW_TOOLS, FRESH, MANY_TOOLS, OURS, QUIET, QUIETED, Target

__all__ = ["Candidate", "Rounds", "Taken", "grown", "measured", "medians", "summary", "taken", "with_tools"]

Turn = Mapping[str, Mapping[str, Sequence[int]]]
"""Nanoseconds of each call, by kind of request and by what of it was timed."""

# What is told apart of a request to the product.
_PARTS: Final = {
    "store": {"of": "mcpcore_aws.sessions:DynamoDBSessions", "methods": ["load", "apply"]},
    "match": {"of": "sources.matching.lexical:Lexical", "methods": ["rank"]},
}
# A request that goes to the store takes some milliseconds, most of them moto's.
_SHARE_OF_HANDSHAKE: Final = 0.2
_REGISTERED: Final = "peers.registered.app.lambda_handler"
_NS_PER_US: Final = 1000

# So many requests make an environment warm, in time and in memory.
_FRESH_REQUESTS: Final = 2_000


class Rounds(NamedTuple):
    """How often each is measured: in so many processes, one after another, in so many turns of each process.

    `calls` is how many of each kind a turn has.
    """

    processes: int
    turns: int
    calls: int


class Taken(NamedTuple):
    """What was found, by child: all turns of all rounds, and the memory of its process after each round."""

    turns: dict[str, list[Turn]]
    rss_mb: dict[str, list[float]]


class Candidate(NamedTuple):
    """What starts a child that takes turns, and the kinds of request that its job has."""

    start: Callable[[], AbstractContextManager[Child]]
    kinds: Sequence[str]


def measured(
    lab: Lab, targets: Mapping[Target, Environment], rounds: Rounds, *, say: Callable[[str], None]
) -> Taken:
    """The turns of each target, with the requests that it is asked.

    The product is measured with everything on and, as `ours, quiet`, with nothing logged or counted.
    """
    candidates = {
        name: Candidate(
            partial(lab.started, environment, _job(target, rounds.calls), **variables), target.warm
        )
        for name, target, environment, variables in _variants(targets)
    }
    return taken(candidates, rounds, say=lambda text: say(f"warm path, {text}"))


def _variants(
    targets: Mapping[Target, Environment],
) -> Iterator[tuple[str, Target, Environment, Mapping[str, str]]]:
    for target, environment in targets.items():
        yield target.name, target, environment, {}
        if target.name == OURS:
            yield QUIETED, target, environment, QUIET


def taken(candidates: Mapping[str, Candidate], rounds: Rounds, *, say: Callable[[str], None]) -> Taken:
    """What fresh children of every round find, which take turns.

    A machine that is slower for a while is so for all of them, and what a process has by chance, such as
    where its memory lies, is another in the next round.
    """
    found = Taken({name: [] for name in candidates}, {name: [] for name in candidates})
    for number in range(rounds.processes):
        say(f"round {number + 1} of {rounds.processes}")
        with ExitStack() as stack:
            children = {name: stack.enter_context(each.start()) for name, each in candidates.items()}
            # A turn that is not counted: while it lasts, those that come later are still starting.
            for child in children.values():
                child.turn()
            for turn in range(rounds.turns):
                # Every other turn goes the other way, so that nobody always follows the same one.
                order = _order(children)[:: -1 if turn % 2 else 1]
                _take({name: children[name] for name in order}, candidates, found)
            for name, child in children.items():
                found.rss_mb[name].append(child.rss_mb())
    return found


def _order(names: Iterable[str]) -> list[str]:
    """Those side by side that are held against each other: the machine's speed may change at any moment."""
    return sorted(names, key=lambda name: name in PAIRED)


def _take(children: Mapping[str, Child], candidates: Mapping[str, Candidate], found: Taken) -> None:
    """One more turn: of each kind every child's calls, before it is the next kind's turn."""
    turns: dict[str, dict[str, Any]] = {name: {} for name in children}
    for kind in dict.fromkeys(kind for each in candidates.values() for kind in each.kinds):
        for name, child in children.items():
            if kind in candidates[name].kinds:
                turns[name] |= child.turn(kind)
    for name, turn in turns.items():
        found.turns[name].append(turn)


def medians(turns: Sequence[Turn]) -> dict[str, dict[str, list[float]]]:
    """By kind and part the median of each turn in microseconds, in the order of the turns."""
    return {
        kind: {part: [_us(median(turn[kind][part])) for turn in turns] for part in first}
        for kind, first in turns[0].items()
    }


def summary(turns: Sequence[Turn]) -> dict[str, dict[str, float]]:
    """By kind: p50 is that of the middle turn, p99 that of all calls; the parts of a request as p50."""
    return {kind: _figures([turn[kind] for turn in turns]) for kind in turns[0]}


def _figures(turns: Sequence[Mapping[str, Sequence[int]]]) -> dict[str, float]:
    whole = [each for turn in turns for each in turn["whole"]]
    found = {"p50_us": _middle(turns, "whole"), "p99_us": _us(percentile(whole, 0.99))}
    parts = turns[0].keys() - {"whole"}
    return found | {f"{part}_p50_us": _middle(turns, part) for part in sorted(parts)}


def _middle(turns: Sequence[Mapping[str, Sequence[int]]], part: str) -> float:
    return _us(median(median(turn[part]) for turn in turns))


def _us(nanoseconds: float) -> float:
    return round(nanoseconds / _NS_PER_US, 2)


def _job(target: Target, calls: int) -> dict[str, Any]:
    ours = target.name == OURS
    return {
        "job": "warm",
        "handler": target.handler,
        "events": {kind: request(kind) for kind in target.warm},
        "opening": request(INITIALIZE) if ours else None,
        "in_session": HANDSHAKE,
        "repeat": calls,
        "share": dict.fromkeys(HANDSHAKE, _SHARE_OF_HANDSHAKE) if ours else {},
        "parts": _PARTS if ours else {},
    }


def grown(lab: Lab, ours: Environment, total: int, rounds: Rounds) -> tuple[dict[str, float], Taken]:
    """Memory of the product while it serves `total` requests, and its turns then beside a fresh process's.

    One request in four is a tool call, each with a query of its own, and one in forty is in a session.
    """
    counts = {AGED: total, FRESH: min(total, _FRESH_REQUESTS)}
    candidates = {
        name: Candidate(partial(lab.started, ours, _growing(count, rounds.calls)), MODERN)
        for name, count in counts.items()
    }
    found = Taken({name: [] for name in candidates}, {})
    with ExitStack() as stack:
        children = {name: stack.enter_context(each.start()) for name, each in candidates.items()}
        memory = {name: child.turn() for name, child in children.items()}[AGED]
        for turn in range(rounds.processes * rounds.turns):
            order = list(children)[:: -1 if turn % 2 else 1]
            _take({name: children[name] for name in order}, candidates, found)
    return memory, found


def _growing(total: int, calls: int) -> dict[str, Any]:
    kinds = (*MODERN, *HANDSHAKE)
    return {
        "job": "grown",
        "handler": "handler.lambda_handler",
        "events": {kind: request(kind) for kind in kinds},
        "opening": request(INITIALIZE),
        "in_session": HANDSHAKE,
        "mix": [*(MODERN * 10)[:39], HANDSHAKE[0], *(MODERN * 10)[:39], HANDSHAKE[1]],
        "asking": [CALL, LEGACY_CALL],
        "queries": queries(),
        "total": total,
        "window": min(_FRESH_REQUESTS, total // 4),
        "repeat": calls,
    }


def with_tools(
    lab: Lab, floor: Environment, ours: Environment, rounds: Rounds, *, say: Callable[[str], None]
) -> Taken:
    """The turns of the same tool call to servers over our core that have few and many tools registered."""
    both = Environment(floor.task, ours.opt)
    job = {"job": "warm", "handler": _REGISTERED, "events": {CALL: request(CALL)}, "repeat": rounds.calls}
    candidates = {
        tools: Candidate(partial(lab.started, both, job, TOOLS=tools, **QUIET), [CALL])
        for tools in (FEW_TOOLS, MANY_TOOLS)
    }
    return taken(candidates, rounds, say=lambda text: say(f"tools, {text}"))
