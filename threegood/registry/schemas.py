"""The JSON Schemas of the files of a registry (draft 2020-12), with which editors complete and check them.

They are made from the records. What JSON Schema cannot say, such as which words two categories share, only
`threegood validate` checks.
"""

import json
from typing import Any, Final

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from threegood.registry.records import CategoryVocabulary, OutOfScopeFile, Record, RegistryFile

_RECORDS: Final[dict[str, type[Record]]] = {
    "registry.schema.json": RegistryFile,
    "vocabulary.schema.json": CategoryVocabulary,
    "out-of-scope.schema.json": OutOfScopeFile,
}


def schema_files() -> dict[str, bytes]:
    """The files of the schemas, by name."""
    return {name: _bytes(_schema(record)) for name, record in _RECORDS.items()}


def _schema(record: type[Record]) -> dict[str, Any]:
    made = record.model_json_schema(schema_generator=_Generator)
    return {"$schema": _Generator.schema_dialect, **made}


def _bytes(schema: dict[str, Any]) -> bytes:
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


class _Generator(GenerateJsonSchema):
    """Without titles that repeat the names of fields, and without defaults, which editors would insert."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Whether the schema of a field gets a title."""
        del schema
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The schema of a value that may be missing."""
        return self.generate_inner(schema["schema"])
