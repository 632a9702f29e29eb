"""The server that a command line names, imported: `module:attribute`."""

import importlib
import inspect
from pathlib import Path
from typing import Any

from mcpcore import BuiltServer, Server
from mcpcore_local.serving import Servable

__all__ = ["LoadError", "load"]

_WANTED = (
    "a Server, a BuiltServer, a Lambda handler, or a function without arguments that returns one of these"
)


class LoadError(Exception):
    """The target does not lead to a server; the message says why."""


def load(target: str) -> Servable:
    """The server or Lambda handler that `target` names; without `:attribute` the attribute is `server`.

    Raises:
        LoadError: there is no such module or attribute, or the attribute is something else.
        Exception: whatever the module or a function that makes the server raises.
    """
    module_name, _, attribute = target.partition(":")
    attribute = attribute or "server"
    found = _attribute_of(_imported(module_name), attribute)
    if _accepts(found, 0) and not isinstance(found, type):
        found, attribute = found(), f"{attribute}()"
    if isinstance(found, Server | BuiltServer):
        return found
    if _accepts(found, 2) and not isinstance(found, type):
        handler: Servable = found
        return handler
    raise LoadError(f"{module_name}:{attribute} is of type {type(found).__name__}; expected {_WANTED}")


def _imported(name: str) -> Any:
    if not all(part.isidentifier() for part in name.split(".")):
        raise LoadError(f"{name!r} is not a module: write module:attribute, for example server:server")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # A missing module that the named one imports is an error inside that one.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise LoadError(
            f"there is no module {error.name} in {Path.cwd()} or among the installed packages"
        ) from error


def _attribute_of(module: Any, name: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError as error:
        raise LoadError(f"the module {module.__name__} has no attribute {name}") from error


def _accepts(candidate: Any, arguments: int) -> bool:
    """True when `candidate` can be called with that many positional arguments."""
    if not callable(candidate):
        return False
    try:
        inspect.signature(candidate).bind(*[None] * arguments)
    except (TypeError, ValueError):
        return False
    return True
