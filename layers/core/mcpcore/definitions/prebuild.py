"""What a build finds out from type hints, and what is kept of it, so that a later build need not look again.

Finding out takes pydantic, and to import that takes longer than everything else of a cold start together. So
it is done when the function is packed, by `Server.prepare`; what was found lies beside the code.
"""

import json
from binascii import crc32
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from mcpcore.definitions.schemas import ArgumentsSchema, OutputSchema
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.jsonrpc import encode

__all__ = ["Constants", "Hints", "pack", "unpack"]

# Raise it when what is kept changes its form, or when `build` asks for it in another way.
_FORMAT: Final = 2

Constants = Mapping[tuple[str, str], bytes]
"""The encoded result of every (version, method) whose answer never changes."""


class Hints:
    """What the type hints of functions say: looked up in `kept`, or found out where nothing was kept."""

    def __init__(self, kept: Mapping[str, Any] | None = None) -> None:
        self._kept = kept
        self.found: dict[str, Any] = {}

    def arguments(self, function: Callable[..., Any], name: str) -> ArgumentsSchema:
        """What the tool `name` takes; see `hints.arguments_schema`."""

        @cache
        def schema() -> ArgumentsSchema:
            from mcpcore.definitions.type_schemas import arguments_schema

            return arguments_schema(function, name)

        kept = self._look(f"arguments of {name}", lambda: _kept(schema()))
        return ArgumentsSchema(kept["json"], plain=kept["plain"], adapter=lambda: schema().adapter())

    def output(self, function: Callable[..., Any], name: str) -> OutputSchema | None:
        """What the tool `name` gives; see `hints.output_schema`."""

        @cache
        def schema() -> OutputSchema | None:
            from mcpcore.definitions.type_schemas import output_schema

            return output_schema(function, name)

        kept = self._look(f"output of {name}", lambda: _kept(schema()))
        if kept is None:
            return None
        return OutputSchema(kept["json"], plain=kept["plain"], adapter=lambda: _adapter(schema()))

    def strings(self, function: Callable[..., Any], kind: str, name: str) -> list[tuple[str, str, bool]]:
        """The parameters of the prompt or resource `name`; see `hints.string_parameters`."""

        def found() -> Any:
            from mcpcore.definitions.type_schemas import string_parameters

            return string_parameters(function, name)

        return [tuple(each) for each in self._look(f"strings of {kind} {name}", found)]

    def takes_context(self, function: Callable[..., Any], kind: str, name: str) -> bool:
        """Whether the function of the tool, prompt or resource `name` wants the request's context."""

        def found() -> bool:
            from mcpcore.definitions.type_schemas import takes_context

            return takes_context(function)

        return bool(self._look(f"context of {kind} {name}", found))

    def _look(self, what: str, find: Callable[[], Any]) -> Any:
        if self._kept is None:
            return self.found.setdefault(what, find())
        if what not in self._kept:
            raise DefinitionError("server", f"it was prepared without the {what}. Prepare it again")
        return self._kept[what]


def pack(hints: Hints, constants: Constants) -> bytes:
    """What `unpack` reads: what `hints` found out, and the constants of the server that was built with it."""
    listed = [[*key, result.decode("ascii")] for key, result in constants.items()]
    return _with_checksum(encode({"format": _FORMAT, "found": hints.found, "constants": listed}))


def _with_checksum(content: bytes) -> bytes:
    """`content`, a JSON object, with its checksum as the last member."""
    return content[:-1] + b',"crc32":"%08x"}' % crc32(content)


_CHECKSUM_LENGTH: Final = len(_with_checksum(b"{}")) - len(b"{}")


def unpack(prepared: bytes) -> tuple[Hints, Constants]:
    """What `pack` was given.

    Raises:
        DefinitionError: another version of the core prepared this, or it was damaged, or is no such thing.
    """
    try:
        content = json.loads(prepared)
        if content["format"] != _FORMAT:
            raise DefinitionError(
                "server",
                f"it was prepared in format {content['format']}, and this is {_FORMAT}. Prepare it again",
            )
        # What is in order is as `pack` made it, so nobody need ask for the type of each part.
        if _with_checksum(prepared[: -_CHECKSUM_LENGTH - 1] + b"}") != prepared:
            raise ValueError("its checksum is another")
        constants = {
            (version, name): result.encode("ascii") for version, name, result in content["constants"]
        }
        return Hints(content["found"]), constants
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise DefinitionError("server", "what was prepared of it cannot be read. Prepare it again") from error


def _kept(schema: ArgumentsSchema | OutputSchema | None) -> Any:
    return None if schema is None else {"json": schema.json, "plain": schema.plain}


def _adapter(schema: OutputSchema | None) -> Any:
    return schema.adapter() if schema is not None and schema.adapter is not None else None
