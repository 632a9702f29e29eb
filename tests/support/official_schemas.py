"""The official JSON schemas of every revision, and what they say of a message that a server sent.

The package mcp-fuzzer ships them as the specification's repository has them; nothing else of it is used.
"""

import functools
import importlib.util
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from mcpcore.protocol.versions import HANDSHAKE_VERSIONS

__all__ = ["DEVIATIONS", "check_error", "check_message", "check_result", "optional_members"]

_NULL_ID: Final = "JSON-RPC 2.0 demands a null id if that of the request could not be read"
_NO_ID: Final = "A refused notification or answer gets an error with its status, and has no id to repeat"

DEVIATIONS: Final[Mapping[tuple[str, str], str]] = {
    **{
        (version, "$.id: None is not of type 'string', 'integer'"): _NULL_ID for version in HANDSHAKE_VERSIONS
    },
    # The newest of them has an error without an id.
    **{(version, "$: 'id' is a required property"): _NO_ID for version in HANDSHAKE_VERSIONS[:-1]},
}
"""What the server does although the schema of a version forbids it, and why."""

_EMPTY: Final = frozenset({"PingRequest", "SetLevelRequest", "SubscribeRequest", "UnsubscribeRequest"})


def check_message(version: str, message: Mapping[str, Any]) -> None:
    """Nothing if `message` is a request or a notification that a server may send in `version`.

    Raises:
        AssertionError: it is not, or the schema does not define it; so for the other functions.
    """
    kind = "Request" if "id" in message else "Notification"
    definition = _definition_of(version, message["method"], kind)
    allowed = _definitions(version).get(f"Server{kind}", {"anyOf": []})["anyOf"]
    assert definition in {each["$ref"].rpartition("/")[2] for each in allowed}, (version, message)
    _check(version, f"JSONRPC{kind}", message)
    _check(version, definition, message)


def check_result(version: str, method: str, response: Mapping[str, Any]) -> None:
    """Nothing if `response` carries a result for a request of `method` in `version`."""
    _check(version, _first_of(version, "JSONRPCResultResponse", "JSONRPCResponse"), response)
    request, result = _definition_of(version, method, "Request"), response["result"]
    name = request.removesuffix("Request")
    # Chosen here: to the schema's own anyOf, whatever has a resultType is an InputRequiredResult.
    if result.get("resultType") == "input_required":
        _check(version, f"{name}ResultResponse", response)
        _check(version, "InputRequiredResult", result)
    else:
        _check(version, "EmptyResult" if request in _EMPTY else f"{name}Result", result)


def check_error(version: str, response: Mapping[str, Any]) -> None:
    """Nothing if `response` carries an error, with the data that its code has in `version`."""
    _check(version, _first_of(version, "JSONRPCErrorResponse", "JSONRPCError"), response)
    for definition in _definitions_of_code(version, response["error"]["code"]):
        _check(version, definition, response)


def optional_members(version: str, method: str) -> set[tuple[str, ...]]:
    """The paths of the members that the params of a request may lack, in `version`."""
    definition = _definitions(version)[_definition_of(version, method, "Request")]
    return set(_optional(version, definition["properties"].get("params", {}), ()))


def _optional(version: str, schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if "$ref" in schema:
        schema = _definitions(version)[schema["$ref"].rpartition("/")[2]]
    for name, member in schema.get("properties", {}).items():
        if name not in schema.get("required", ()):
            yield *path, name
        yield from _optional(version, member, (*path, name))
    for alternative in schema.get("anyOf", ()):
        yield from _optional(version, alternative, path)


def _check(version: str, definition: str, value: Mapping[str, Any]) -> None:
    errors = _validator(version, definition).iter_errors(value)
    faults = [f"{error.json_path}: {error.message}" for error in errors]
    found = [fault for fault in faults if (version, fault) not in DEVIATIONS]
    assert not found, f"not a {definition} of {version}: {'; '.join(found)}: {value}"


def _definition_of(version: str, method: str, kind: str) -> str:
    """The name of the definition of this request or notification."""
    found = [
        name
        for name, definition in _definitions(version).items()
        if name.endswith(kind) and definition.get("properties", {}).get("method", {}).get("const") == method
    ]
    named = [name for name in found if name != f"Client{kind}"]
    assert len(named) == 1, f"{version} has no {kind.lower()} {method}"
    return named[0]


def _definitions_of_code(version: str, code: int) -> list[str]:
    """The definitions of an error response that are for this code alone; most codes have none."""
    return [
        name
        for name, definition in _definitions(version).items()
        for part in definition.get("properties", {}).get("error", {}).get("allOf", ())
        if part.get("properties", {}).get("code", {}).get("const") == code
    ]


def _first_of(version: str, *names: str) -> str:
    return next(name for name in names if name in _definitions(version))


@functools.cache
def _validator(version: str, definition: str) -> Validator:
    schema = _schema(version)
    assert definition in _definitions(version), f"{version} does not define {definition}"
    place = "$defs" if "$defs" in schema else "definitions"
    return validator_for(schema)({**schema, "$ref": f"#/{place}/{definition}"})


def _definitions(version: str) -> dict[str, Any]:
    schema = _schema(version)
    definitions: dict[str, Any] = schema.get("$defs") or schema["definitions"]
    return definitions


@functools.cache
def _schema(version: str) -> dict[str, Any]:
    package = importlib.util.find_spec("mcp_fuzzer")  # found and not imported
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent / "schemas" / "mcp-spec" / "schema"
    schema: dict[str, Any] = json.loads((folder / version / "schema.json").read_text())
    return schema
