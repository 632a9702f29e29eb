"""Completion of what was typed, among candidates."""

from collections.abc import Iterable


def beginning_first(typed: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that hold `typed`, whatever its case: those that begin with it first."""
    wanted = typed.casefold()
    holding = [candidate for candidate in candidates if wanted in candidate.casefold()]
    return sorted(holding, key=lambda candidate: not candidate.casefold().startswith(wanted))
