"""The warm path: each target's handler called in a process of its own, without an emulator."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from statistics import median
from typing import Any, Final

from bench.serving.environments import Environment
from bench.serving.events import CALL, HANDSHAKE, INITIALIZE, MODERN, request
from bench.serving.figures import percentile
from bench.serving.lab import Child, Lab
from bench.serving.targets import OURS, QUIET, Target

__all__ = ["grown", "measured", "summary", "with_tools"]

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


def measured(
    lab: Lab,
    targets: Mapping[Target, Environment],
    *,
    calls: int,
    turns: int,
    say: Callable[[str], None],
) -> dict[str, dict[str, dict[str, float]]]:
    """Figures by target and kind, of `turns` times `calls` of each.

    The targets take turns, so that a machine that is slower for a while is so for all of them. The product
    is measured with everything on and, as `ours, quiet`, with nothing logged or counted.
    """
    with ExitStack() as stack:
        children = {
            name: stack.enter_context(lab.started(environment, _job(target, calls), **variables))
            for name, target, environment, variables in _variants(targets)
        }
        return _taken_in_turns(children, turns, say)


def _variants(
    targets: Mapping[Target, Environment],
) -> Iterator[tuple[str, Target, Environment, Mapping[str, str]]]:
    for target, environment in targets.items():
        yield target.name, target, environment, {}
        if target.name == OURS:
            yield f"{OURS}, quiet", target, environment, QUIET


def _taken_in_turns(
    children: Mapping[str, Child], turns: int, say: Callable[[str], None]
) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, list[Turn]] = {name: [] for name in children}
    for number in range(turns):
        if number % 10 == 0:
            say(f"warm path, turn {number + 1} of {turns}")
        for name, child in children.items():
            found[name].append(child.turn())
    return {name: summary(each) for name, each in found.items()}


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


def grown(lab: Lab, ours: Environment, total: int) -> dict[str, Any]:
    """Memory and speed of the product before and after `total` requests, one in forty in a session."""
    kinds = (*MODERN, *HANDSHAKE)
    mix = [*(MODERN * 10)[:39], HANDSHAKE[0], *(MODERN * 10)[:39], HANDSHAKE[1]]
    return lab.child(
        ours,
        {
            "job": "grown",
            "handler": "handler.lambda_handler",
            "events": {kind: request(kind) for kind in kinds},
            "opening": request(INITIALIZE),
            "in_session": HANDSHAKE,
            "mix": mix,
            "total": total,
            "window": min(2_000, total // 4),
        },
    )


def with_tools(
    lab: Lab, floor: Environment, ours: Environment, *, calls: int, turns: int, say: Callable[[str], None]
) -> dict[str, dict[str, float]]:
    """p50 and p99 of the same tool call to servers over our core that have few and many tools registered."""
    both = Environment(floor.task, ours.opt)
    job = {"job": "warm", "handler": _REGISTERED, "events": {CALL: request(CALL)}, "repeat": calls}
    with ExitStack() as stack:
        children = {
            tools: stack.enter_context(lab.started(both, job, TOOLS=tools, **QUIET)) for tools in ("4", "200")
        }
        return {tools: found[CALL] for tools, found in _taken_in_turns(children, turns, say).items()}
