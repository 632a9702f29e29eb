"""The registry as its curator writes it: `RegistryFile`, the files of its `Vocabulary`, and `Registry`, both.

The records are frozen and strict: constructing one that breaks a rule raises a `ValidationError` with every
breach, as errors of type `BREACH` whose context has `rule` and `sentence`. They mirror the JSON files, for
baking and the command line; the function does not import them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
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


def _value(rule: Callable[[Any], Iterator[Breach]]) -> AfterValidator:
    """Apply `rule` to a value that has the right type."""
    return AfterValidator(partial(_check_value, rule))


def _early(rule: Callable[[Any], Iterator[Breach]]) -> BeforeValidator:
    """Apply `rule` to a value before its type is checked, for a better message than the type's."""
    return BeforeValidator(partial(_check_value, rule))


def _check_value(rule: Callable[[Any], Iterator[Breach]], value: Any) -> Any:
    breaches = list(rule(value))
    if breaches:
        raise _refusal(value, (), breaches)
    return value


def _whole(rule: Callable[[Any], Iterator[Breach]]) -> WrapValidator:
    """Apply `rule` to a container, even when some of its parts are invalid."""
    return WrapValidator(partial(_check_whole, rule))


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


Name = Annotated[str, _value(partial(rules.plain_text, limit=100))]
Pattern = Annotated[str, _value(partial(rules.plain_text, limit=200))]
Words = Annotated[str, _value(partial(rules.plain_text, limit=60))]
Sentences = Annotated[str, _value(partial(rules.plain_text, limit=1000))]
Url = Annotated[str, _value(rules.web_address)]
Day = Annotated[str, _value(rules.day)]
Slug = Annotated[str, _value(rules.slug)]
# Editors read it; it is no part of the content.
SchemaUri = Annotated[str, Field(alias="$schema", exclude=True)]


class Record(BaseModel):
    """Base of all records: immutable, without conversion of types, and without unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Curator(Record):
    """The curator who picked the sources, and the public key of the registry's signature."""

    name: Name
    pubkey: Annotated[str, _value(rules.pubkey)]


class Endorsement(Record):
    """An endorsement of this registry by somebody else."""

    name: Name
    url: Url
    since: Day
    statement: Sentences


class Source(Record):
    """One of the three sources of a category, and why it has its rank."""

    rank: Annotated[int, _value(rules.rank)]
    name: Name
    url: Url
    type: Annotated[SourceType, _early(rules.source_type)]
    why: Sentences
    # Empty means absent; with `None` as the default, a `null` in the file would be accepted.
    http_reason: Sentences = ""

    @model_validator(mode="wrap")
    @classmethod
    def _http_is_explained(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        source: Self = _check_whole(rules.http_is_explained, value, handler)
        return source


class Category(Record):
    """A topic, the words in which people ask for it, and its three sources."""

    name: Name
    description: Sentences
    # Tuples, because a record is immutable. JSON has arrays only, so these are not strict.
    query_patterns: Annotated[tuple[Pattern, ...], Field(strict=False), _whole(rules.enough_patterns)]
    sources: Annotated[tuple[Source, ...], Field(strict=False), _whole(rules.three_sources)]


class RegistryFile(Record):
    """The whole of `registry.json`: the curator's judgement, without the vocabulary."""

    schema_uri: SchemaUri = ""
    version: Annotated[str, _value(rules.version)]
    updated: Day
    curator: Curator
    endorsements: Annotated[tuple[Endorsement, ...], Field(strict=False)]
    categories: Annotated[dict[Slug, Category], _whole(rules.some_categories)]


class CategoryVocabulary(Record):
    """The whole of `vocabulary/<slug>.json`: the words in which people ask for a category."""

    schema_uri: SchemaUri = ""
    # Other names of the topic, each of which alone means it.
    aliases: Annotated[tuple[Words, ...], Field(strict=False), _whole(rules.few_aliases)] = ()
    # Words and short phrases that belong to the topic, perhaps to others as well.
    keywords: Annotated[tuple[Words, ...], Field(strict=False), _whole(rules.few_keywords)] = ()


class OutOfScopeTopic(Record):
    """A topic that the registry does not cover, though people may ask for it, and its vocabulary."""

    name: Name
    keywords: Annotated[tuple[Words, ...], Field(strict=False), _whole(rules.some_out_of_scope_keywords)]


class OutOfScopeFile(Record):
    """The whole of `vocabulary/out-of-scope.json`: the topics that the registry does not cover."""

    schema_uri: SchemaUri = ""
    topics: Annotated[tuple[OutOfScopeTopic, ...], Field(strict=False)]


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
