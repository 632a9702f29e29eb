"""The log level that the variables of Powertools and of Lambda set."""

import logging
from collections.abc import Mapping
from typing import Final

__all__ = ["least_level", "wrong_levels"]

_NAMES: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_LEVELS: Final = {name: logging.getLevelNamesMapping()[name] for name in _NAMES}
# Each variable with the additional names that it accepts; an empty value means unset.
_VARIABLES: Final = {
    "POWERTOOLS_LOG_LEVEL": {"": 0},
    "AWS_LAMBDA_LOG_LEVEL": {
        "": 0,
        "TRACE": logging.DEBUG,
        "WARN": logging.WARNING,
        "FATAL": logging.CRITICAL,
    },
}


def least_level(environment: Mapping[str, str]) -> int:
    """The lowest level that is logged: the higher one of the two variables, INFO if neither is set.

    Raises:
        ValueError: a variable has no valid level; the message names it.
    """
    if wrong := wrong_levels(environment):
        raise ValueError("; ".join(wrong))
    return max(_level(name, environment) or 0 for name in _VARIABLES) or logging.INFO


def wrong_levels(environment: Mapping[str, str]) -> list[str]:
    """An error message for each variable without a valid level."""
    return [
        f"{name} must be {', '.join(_NAMES[:-1])} or {_NAMES[-1]}, and is {environment[name]!r}"
        for name in _VARIABLES
        if _level(name, environment) is None
    ]


def _level(name: str, environment: Mapping[str, str]) -> int | None:
    return (_LEVELS | _VARIABLES[name]).get(environment.get(name, "").strip().upper())
