"""The registry as its curator writes it: Registry, Curator, Endorsement, Category, Source, OutsideTopic.

Frozen, strict, and complete: a record that breaks a rule does not come into being, and the `ValidationError`
carries every breach at once, as errors of type `BREACH` whose context holds `rule` and `sentence`. This is
the shape of the JSON file, for baking and the command line; a request never gets here, since defining it
costs too much at a cold start.
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

from sources.source_types import SourceType
from threegood.registry import rules
from threegood.registry.rules import Breach

BREACH: Final = "breach"


def _value(rule: Callable[[Any], Iterator[Breach]]) -> AfterValidator:
    """Holds one value to `rule`, once it has the right type."""
    return AfterValidator(partial(_check_value, rule))


def _early(rule: Callable[[Any], Iterator[Breach]]) -> BeforeValidator:
    """Holds one value to `rule` before its type, for a rule that says more than the type could."""
    return BeforeValidator(partial(_check_value, rule))


def _check_value(rule: Callable[[Any], Iterator[Breach]], value: Any) -> Any:
    breaches = list(rule(value))
    if breaches:
        raise _refusal(value, (), breaches)
    return value


def _parts(rule: Callable[[Any], Iterator[Breach]]) -> WrapValidator:
    """Holds a whole to `rule`, and does so even when some part of it is wrong in itself."""
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
    """What is wrong with the parts of `value` and with the whole, as one error."""
    details = [*map(_kept, earlier), *(_detail(breach, value) for breach in breaches)]
    return ValidationError.from_exception_data("registry", details)


def _kept(error: ErrorDetails) -> InitErrorDetails:
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


class Record(BaseModel):
    """What all records have in common: they cannot change, convert nothing, and know all their fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Curator(Record):
    """Who picked the sources, and the public key that the registry is signed with."""

    name: Name
    pubkey: Annotated[str, _value(rules.pubkey)]


class Endorsement(Record):
    """Somebody else's word for this registry."""

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
    # Empty means that none was given; `None` would let a `null` in the file pass for an absent field.
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
    # Tuples, because a record does not change. JSON has arrays only, so these are not taken strictly.
    query_patterns: Annotated[tuple[Pattern, ...], Field(strict=False), _parts(rules.enough_patterns)]
    # Other names of the topic, each of which alone means it.
    aliases: Annotated[tuple[Words, ...], Field(strict=False), _parts(rules.few_aliases)] = ()
    # Words and short phrases that belong to the topic, perhaps to others as well.
    keywords: Annotated[tuple[Words, ...], Field(strict=False), _parts(rules.few_keywords)] = ()
    sources: Annotated[tuple[Source, ...], Field(strict=False), _parts(rules.three_sources)]


class OutsideTopic(Record):
    """A topic near those of the registry that it does not cover, and the words by which it is known."""

    name: Name
    keywords: Annotated[tuple[Words, ...], Field(strict=False), _parts(rules.some_outside_keywords)]


class Registry(Record):
    """The whole of `registry.json`."""

    version: Annotated[str, _value(rules.version)]
    updated: Day
    curator: Curator
    endorsements: Annotated[tuple[Endorsement, ...], Field(strict=False)]
    categories: Annotated[dict[Slug, Category], _parts(rules.some_categories)]
    outside: Annotated[tuple[OutsideTopic, ...], Field(strict=False)] = ()
