"""The registry as its curator writes it: `RegistryFile`, the files of its `Vocabulary`, and `Registry`, both.

The records are frozen and strict: constructing one that breaks a rule raises a `ValidationError` with every
breach, as errors of type `BREACH` whose context has `rule` and `sentence`. They mirror the JSON files, for
baking and the command line; the function does not import them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    ModelWrapValidatorHandler,
    ValidationError,
    WrapValidator,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from sources.answers import SourceType
from threegood.registry import rules
from threegood.registry.rules import Breach

BREACH: Final = "breach"


def _value(rule: Callable[[Any], Iterator[Breach]], **schema: Any) -> GetPydanticSchema:
    """Apply `rule` to a value that has the right type; `schema` says as much of it as JSON Schema can."""
    return _constraint(AfterValidator(partial(_check_value, rule)), schema)


def _text(limit: int) -> GetPydanticSchema:
    """A line of plain text of at most `limit` characters."""
    rule = partial(rules.plain_text, limit=limit)
    return _value(rule, minLength=1, maxLength=limit, pattern=r"^\S(.*\S)?$")


def _early(rule: Callable[[Any], Iterator[Breach]]) -> BeforeValidator:
    """Apply `rule` to a value before its type is checked, for a better message than the type's."""
    return BeforeValidator(partial(_check_value, rule))


def _check_value(rule: Callable[[Any], Iterator[Breach]], value: Any) -> Any:
    breaches = list(rule(value))
    if breaches:
        raise _refusal(value, (), breaches)
    return value


def _whole(rule: Callable[[Any], Iterator[Breach]], **schema: Any) -> GetPydanticSchema:
    """Apply `rule` to a container, even when some of its parts are invalid; `schema` as for `_value`."""
    return _constraint(WrapValidator(partial(_check_whole, rule)), schema)


def _constraint(validator: AfterValidator | WrapValidator, schema: dict[str, Any]) -> GetPydanticSchema:
    return GetPydanticSchema(
        validator.__get_pydantic_core_schema__, lambda core, handler: {**handler(core), **schema}
    )


def _check_whole(rule: Callable[[Any], Iterator[Breach]], value: Any, handler: Callable[[Any], Any]) -> Any:
    breaches = list(rule(value))
    try:
        checked = handler(value)
    except ValidationError as error:
        raise _refusal(value, error.errors(include_url=False), breaches) from None
    if breaches:
        raise _refusal(value, (), breaches)
    return checked


def _refusal(value: Any, earlier: Iterable[ErrorDetails], breaches: Iterable[Breach]) -> ValidationError:
    """The errors of the parts of `value` and the breaches of the whole, as one error."""
    details = [*map(_copied, earlier), *(_detail(breach, value) for breach in breaches)]
    return ValidationError.from_exception_data("registry", details)


def _copied(error: ErrorDetails) -> InitErrorDetails:
    if error["type"] == BREACH:
        custom = PydanticCustomError(BREACH, "{sentence}", error["ctx"])
        return InitErrorDetails(type=custom, loc=error["loc"], input=error["input"])
    return InitErrorDetails(
        type=error["type"], loc=error["loc"], input=error["input"], ctx=error.get("ctx", {})
    )


def _detail(breach: Breach, value: Any) -> InitErrorDetails:
    context = {"rule": breach.rule, "sentence": breach.sentence}
    return InitErrorDetails(
        type=PydanticCustomError(BREACH, "{sentence}", context), loc=breach.at, input=value
    )


def _whole_match(pattern: re.Pattern[str]) -> str:
    """A pattern of JSON Schema, which may match anywhere in a text, for one that must match all of it."""
    return f"^({pattern.pattern})$"


Name = Annotated[str, _text(100)]
Pattern = Annotated[str, _text(200)]
Words = Annotated[str, _text(60)]
Sentences = Annotated[str, _text(1000)]
Url = Annotated[
    str,
    _value(
        rules.web_address,
        maxLength=rules.MAX_URL_LENGTH,
        pattern=r"^https?://[^\s@/?#]+\.[^\s@/?#]+([/?#]\S*)?$",
    ),
]
Day = Annotated[str, _value(rules.day, format="date", pattern=_whole_match(rules.DAY))]
Slug = Annotated[str, _value(rules.slug)]
# Editors read it; it is no part of the content.
SchemaUri = Annotated[str, Field(alias="$schema", exclude=True)]


class Record(BaseModel):
    """Base of all records: immutable, without conversion of types, and without unknown fields."""

    # The docstrings of records and fields are the descriptions in the JSON Schema.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)


class Curator(Record):
    """The curator who picked the sources, and the public key of the registry's signature."""

    name: Name
    """The name of a person or an organisation."""
    pubkey: Annotated[str, _value(rules.pubkey, pattern=_whole_match(rules.PUBKEY))]
    """The public key, as `threegood keygen` prints it."""


class Endorsement(Record):
    """An endorsement of this registry by somebody else."""

    name: Name
    """Who endorses the registry."""
    url: Url
    """Where that can be read."""
    since: Day
    """The first day of the endorsement: YYYY-MM-DD."""
    statement: Sentences
    """What it says."""


class Source(Record):
    """One of the three sources of a category, and why it has its rank."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"url": {"pattern": "^http:"}}, "required": ["url"]},
            "then": {"required": ["http_reason"]},
            "else": {"properties": {"http_reason": False}},
        }
    )

    rank: Annotated[int, _value(rules.rank, minimum=1, maximum=rules.SOURCES_PER_CATEGORY)]
    """1 for the best; the sources stand in the order of their ranks."""
    name: Name
    """The name of the material, as its author gives it."""
    url: Url
    """The address, with https if the site has it."""
    type: Annotated[SourceType, _early(rules.source_type)]
    """The kind of material at the URL."""
    why: Sentences
    """What a reader learns from the source, and which readers it suits."""
    # Empty means absent; with `None` as the default, a `null` in the file would be accepted.
    http_reason: Sentences = ""
    """Why a URL has plain http; only beside such a one."""

    @model_validator(mode="wrap")
    @classmethod
    def _http_is_explained(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        source: Self = _check_whole(rules.http_is_explained, value, handler)
        return source


# Tuples, because a record is immutable. JSON has arrays only, so these are not strict.
class Category(Record):
    """A topic, the questions in which people ask for it, and its three sources."""

    name: Name
    """The name of the topic."""
    description: Sentences
    """What the sources are about, in the words of the topic; queries are compared with it too."""
    query_patterns: Annotated[
        tuple[Pattern, ...],
        Field(strict=False),
        _whole(rules.enough_patterns, minItems=rules.MIN_PATTERNS, uniqueItems=True),
    ]
    """Questions as people ask them, and single words that they type alone."""
    sources: Annotated[
        tuple[Source, ...],
        Field(strict=False),
        _whole(rules.three_sources, minItems=rules.SOURCES_PER_CATEGORY, maxItems=rules.SOURCES_PER_CATEGORY),
    ]
    """The best three, in the order of their ranks."""


class RegistryFile(Record):
    """The whole of `registry.json`: the curator's judgement, without the vocabulary."""

    schema_uri: SchemaUri = ""
    """The JSON Schema of this file, for editors."""
    version: Annotated[str, _value(rules.version, pattern=_whole_match(rules.VERSION))]
    """Three numbers, as in 1.4.0."""
    updated: Day
    """The day of the last change: YYYY-MM-DD."""
    curator: Curator
    endorsements: Annotated[tuple[Endorsement, ...], Field(strict=False)]
    """Endorsements by others; may be empty."""
    categories: Annotated[
        dict[Slug, Category],
        _whole(
            rules.some_categories,
            minProperties=1,
            propertyNames={
                "pattern": _whole_match(rules.SLUG),
                "maxLength": rules.MAX_SLUG_LENGTH,
                "not": {"const": rules.OUT_OF_SCOPE},
            },
        ),
    ]
    """The categories by slug, which is part of their addresses."""


class CategoryVocabulary(Record):
    """The whole of `vocabulary/<slug>.json`: the words in which people ask for a category."""

    schema_uri: SchemaUri = ""
    """The JSON Schema of this file, for editors."""
    aliases: Annotated[
        tuple[Words, ...],
        Field(strict=False),
        _whole(rules.few_aliases, maxItems=rules.MAX_ALIASES, uniqueItems=True),
    ] = ()
    """Other names of the topic, each of which alone means it."""
    keywords: Annotated[
        tuple[Words, ...],
        Field(strict=False),
        _whole(rules.few_keywords, maxItems=rules.MAX_KEYWORDS, uniqueItems=True),
    ] = ()
    """Words and short phrases that belong to the topic, perhaps to others as well."""


class OutOfScopeTopic(Record):
    """A topic that the registry does not cover, though people may ask for it, and its vocabulary."""

    name: Name
    """The name of the topic, which a refused query is told."""
    keywords: Annotated[
        tuple[Words, ...],
        Field(strict=False),
        _whole(
            rules.some_out_of_scope_keywords,
            minItems=1,
            maxItems=rules.MAX_OUT_OF_SCOPE_KEYWORDS,
            uniqueItems=True,
        ),
    ]
    """Words and short phrases that belong to this topic, and to no category."""


class OutOfScopeFile(Record):
    """The whole of `vocabulary/out-of-scope.json`: the topics that the registry does not cover."""

    schema_uri: SchemaUri = ""
    """The JSON Schema of this file, for editors."""
    topics: Annotated[tuple[OutOfScopeTopic, ...], Field(strict=False)]
    """The topics; queries that are nearer to one of them than to every category are refused."""


class Vocabulary(Record):
    """The vocabulary of a registry: that of each category which has a file, and the out-of-scope topics."""

    categories: dict[Slug, CategoryVocabulary] = {}
    out_of_scope: tuple[OutOfScopeTopic, ...] = ()

    def of(self, slug: str) -> CategoryVocabulary:
        """The vocabulary of a category; empty if it has no file."""
        return self.categories.get(slug, _NO_WORDS)


class Registry(RegistryFile):
    """A registry with its vocabulary."""

    vocabulary: Vocabulary = Vocabulary()


_NO_WORDS: Final = CategoryVocabulary()
