"""The schemas of handlers' type hints, and the prebuilt file that stores them for later builds.

Reading type hints takes pydantic, whose import takes longer than all the rest of a cold start. So
`Server.prebuild` does it once, when the function is packaged, and the file is deployed beside the code.
"""

import json
from binascii import crc32
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from mcpcore.definitions.schemas import ArgumentsSchema, DeclaredSchema, OutputSchema
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.jsonrpc import encode

__all__ = ["Constants", "TypeSchemas", "pack_prebuilt", "unpack_prebuilt"]

# Raise it when the content of the file changes, or when `build` looks it up in another way.
_FORMAT: Final = 3

Constants = Mapping[tuple[str, str], bytes]
"""The encoded result of every (version, method) whose result never changes."""


class TypeSchemas:
    """The schemas of handlers' type hints: from `prebuilt`, or made with pydantic without it.

    `context_type` is the type of the parameter that gets the request's context. `found` has everything that
    was looked up, for the prebuilt file.
    """

    def __init__(self, context_type: type, prebuilt: Mapping[str, Any] | None = None) -> None:
        self._context_type = context_type
        self._prebuilt = prebuilt
        self.found: dict[str, Any] = {}

    def arguments(self, function: Callable[..., Any], name: str) -> ArgumentsSchema:
        """The arguments of the tool `name`; see `type_schemas.arguments_schema`."""

        @cache
        def schema() -> ArgumentsSchema:
            from mcpcore.definitions.type_schemas import arguments_schema

            return arguments_schema(function, name, self._context_type)

        found = self._look_up(f"arguments of {name}", lambda: _to_json(schema()))
        return ArgumentsSchema(found["json"], plain=found["plain"], adapter=lambda: schema().adapter())

    def check_parameters(self, function: Callable[..., Any], name: str, schema: DeclaredSchema) -> None:
        """See `type_schemas.check_parameters`; what was prebuilt has been checked."""
        if self._prebuilt is None:
            from mcpcore.definitions.type_schemas import check_parameters

            check_parameters(function, name, self._context_type, schema)

    def output(self, function: Callable[..., Any], name: str) -> OutputSchema | None:
        """The structured content of the tool `name`; see `type_schemas.output_schema`."""

        @cache
        def schema() -> OutputSchema | None:
            from mcpcore.definitions.type_schemas import output_schema

            return output_schema(function, name)

        found = self._look_up(f"output of {name}", lambda: _to_json(schema()))
        if found is None:
            return None
        return OutputSchema(found["json"], plain=found["plain"], adapter=lambda: _adapter(schema()))

    def strings(self, function: Callable[..., Any], kind: str, name: str) -> list[tuple[str, str, bool]]:
        """The parameters of the prompt or resource `name`; see `type_schemas.string_parameters`."""

        def read() -> Any:
            from mcpcore.definitions.type_schemas import string_parameters

            return string_parameters(function, name, self._context_type)

        return [tuple(each) for each in self._look_up(f"strings of {kind} {name}", read)]

    def context_parameter(self, function: Callable[..., Any], kind: str, name: str) -> str:
        """The parameter that gets the context; see `type_schemas.context_parameter`."""

        def read() -> str:
            from mcpcore.definitions.type_schemas import context_parameter

            return context_parameter(function, name, self._context_type)

        return str(self._look_up(f"context of {kind} {name}", read))

    def _look_up(self, what: str, read: Callable[[], Any]) -> Any:
        if self._prebuilt is None:
            return self.found.setdefault(what, read())
        if what not in self._prebuilt:
            raise DefinitionError("server", f"the prebuilt file lacks the {what}. Run prebuild again")
        return self._prebuilt[what]


def pack_prebuilt(schemas: TypeSchemas, constants: Constants) -> bytes:
    """The prebuilt file: a line of JSON with format and checksum, and a line of JSON with the content."""
    encoded = [[*key, result.decode("ascii")] for key, result in constants.items()]
    content = encode({"schemas": schemas.found, "constants": encoded})
    header = encode({"format": _FORMAT, "crc32": crc32(content)})
    return header + b"\n" + content


def unpack_prebuilt(prebuilt: bytes) -> tuple[Mapping[str, Any], Constants]:
    """The schemas and constants of a prebuilt file.

    Raises:
        DefinitionError: another version of the core wrote it, or it is damaged, or something else.
    """
    first_line, _, content = prebuilt.partition(b"\n")
    try:
        header = json.loads(first_line)
        if header["format"] != _FORMAT:
            raise DefinitionError(
                "server",
                f"the prebuilt file has format {header['format']}, not {_FORMAT}. Run prebuild again",
            )
        if header["crc32"] != crc32(content):
            raise ValueError("wrong checksum")
        # With the right checksum it is what `pack_prebuilt` wrote: the types of its parts need no check.
        unpacked = json.loads(content)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise DefinitionError("server", "the prebuilt file cannot be read. Run prebuild again") from error
    constants = {(version, name): result.encode("ascii") for version, name, result in unpacked["constants"]}
    return unpacked["schemas"], constants


def _to_json(schema: ArgumentsSchema | OutputSchema | None) -> Any:
    return None if schema is None else {"json": schema.json, "plain": schema.plain}


def _adapter(schema: OutputSchema | None) -> Any:
    return schema.adapter() if schema is not None and schema.adapter is not None else None
