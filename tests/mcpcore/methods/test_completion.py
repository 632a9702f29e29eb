"""completion/complete: values for prompt arguments and template variables."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from mcpcore import BuiltServer, Server, ToolError
from mcpcore.http import HttpResponse
from mcpcore.testing import Client
from tests.support.functions import returning
from tests.support.messages import LEGACY_VERSIONS, MODERN, SERVER_INFO_KEY, error, modern, result
from tests.support.servers import Wire
from tests.support.versions import ask

WITH_COMPLETION = [*LEGACY_VERSIONS[1:], MODERN]
TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "c", "version": "1"}}}


def travel(country: str, city: str = "", note: str = "") -> str:
    """Plan a journey."""
    return f"{country} {city} {note}"


def place(country: str, number: str) -> str:
    """A place."""
    return f"{country} {number}"


CITIES = {"France": ["Paris", "Pau"], "Peru": ["Puno"]}


def countries(value: str, _others: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(country for country in CITIES if country.startswith(value))


def cities(value: str, arguments: Mapping[str, str]) -> Sequence[str]:
    known = CITIES.get(arguments.get("country", ""), ["nowhere"])
    return [city for city in known if city.startswith(value)]


def many(value: str, _others: Mapping[str, str]) -> Sequence[str]:
    return [f"{value}{number}" for number in range(int(value))]


def failing(value: str, arguments: Mapping[str, str]) -> Sequence[str]:
    raise RuntimeError(f"secret {value} {arguments}")


def refusing(value: str, arguments: Mapping[str, str]) -> Sequence[str]:
    raise ToolError(f"Not {value} {arguments}.")


def wrong_item(value: str, _others: Mapping[str, str]) -> Sequence[str]:
    return [value, 5]  # type: ignore[list-item]  # the fault under test


def no_list(_value: str, _others: Mapping[str, str]) -> Sequence[str]:
    return None  # type: ignore[return-value]  # the fault under test


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server that completes some arguments and not others."""
    server = Server("c", version="1")
    server.prompt()(travel)
    server.prompt("other")(travel)
    server.prompt("third")(travel)
    server.resource("place://{country}/{number}")(place)
    server.resource("place://fixed", name="fixed")(returning(str, "here"))
    server.completion("country", prompt="travel")(countries)
    server.completion("city", prompt="travel")(cities)
    server.completion("country", resource="place://{country}/{number}")(countries)
    server.completion("number", resource="place://{country}/{number}")(many)
    server.completion("note", prompt="other")(failing)
    server.completion("city", prompt="other")(wrong_item)
    server.completion("city", prompt="third")(no_list)
    server.completion("note", prompt="third")(refusing)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def completed(version: str, values: list[str], total: int | None = None) -> HttpResponse:
    there = len(values) if total is None else total
    completion = {"values": values, "total": there, "hasMore": there > len(values)}
    return result(1, {"completion": completion, **{MODERN: TAIL}.get(version, {})})


PROMPT = {"type": "ref/prompt", "name": "travel"}
TEMPLATE = {"type": "ref/resource", "uri": "place://{country}/{number}"}


def of(ref: object, name: object, value: object, **more: object) -> dict[str, Any]:
    return {"ref": ref, "argument": {"name": name, "value": value}, **more}


KNOWN = {"context": {"arguments": {"country": "France"}}}


@pytest.mark.requirement("completion")
@pytest.mark.parametrize(
    ("params", "values"),
    [
        (of(PROMPT, "country", ""), ["France", "Peru"]),
        (of(PROMPT, "country", "F"), ["France"]),
        (of(PROMPT, "country", "f"), []),
        (of(TEMPLATE, "country", "P"), ["Peru"]),
        (of(PROMPT, "city", ""), ["nowhere"]),
        (of(PROMPT, "city", "", **KNOWN), ["Paris", "Pau"]),
        (of(PROMPT, "city", "", context={"arguments": {"country": 5}}), ["nowhere"]),
        (of(PROMPT, "city", "", context={"arguments": None}), ["nowhere"]),
        (of(PROMPT, "city", "", context="France"), ["nowhere"]),
        (of(PROMPT, "note", "x"), []),
        ({**of({**PROMPT, "title": "x"}, "country", "F"), "extra": 1}, ["France"]),
    ],
)
@pytest.mark.parametrize("version", WITH_COMPLETION)
def test_values_are_completed_from_what_was_typed_and_the_arguments_so_far(
    wire: Wire, version: str, params: dict[str, Any], values: list[str]
) -> None:
    assert ask(wire, version, "completion/complete", params) == completed(version, values)


@pytest.mark.requirement("completion-hundred")
@pytest.mark.parametrize(("there", "sent"), [(0, 0), (99, 99), (100, 100), (101, 100), (500, 100)])
def test_at_most_a_hundred_values_are_sent_with_their_total(wire: Wire, there: int, sent: int) -> None:
    values = [f"{there}{number}" for number in range(sent)]

    answer = ask(wire, MODERN, "completion/complete", of(TEMPLATE, "number", str(there)))

    assert answer == completed(MODERN, values, there)


NO_REFS: list[object] = [None, [], "travel", {}, {"type": "ref/tool"}, {"type": ["ref/prompt"]}]
NO_REF = "Invalid params: ref must be of type ref/prompt or ref/resource"
NO_ARGUMENT = "Invalid params: argument must have a name and a value, both strings"
NO_PROMPT = "Invalid params: ref names no prompt"
NO_TEMPLATE = "Invalid params: ref names no resource template"


@pytest.mark.requirement("completion-invalid")
@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({}, NO_REF),
        *((of(ref, "country", ""), NO_REF) for ref in NO_REFS),
        (of({"type": "ref/prompt"}, "country", ""), "Invalid params: ref.name must be a string"),
        (of({"type": "ref/prompt", "name": 5}, "country", ""), "Invalid params: ref.name must be a string"),
        (of({"type": "ref/resource", "name": "x"}, "x", ""), "Invalid params: ref.uri must be a string"),
        (of({"type": "ref/prompt", "name": "nope"}, "country", ""), NO_PROMPT),
        (of({"type": "ref/resource", "uri": "place://x/1"}, "country", ""), NO_TEMPLATE),
        (of({"type": "ref/resource", "uri": "place://fixed"}, "country", ""), NO_TEMPLATE),
        (of({"type": "ref/resource", "uri": "travel"}, "country", ""), NO_TEMPLATE),
        (of(PROMPT, "nope", ""), "Invalid params: travel has no argument nope"),
        (of(PROMPT, "number", ""), "Invalid params: travel has no argument number"),
        ({"ref": PROMPT}, NO_ARGUMENT),
        ({"ref": PROMPT, "argument": "country"}, NO_ARGUMENT),
        ({"ref": PROMPT, "argument": {"name": "country"}}, NO_ARGUMENT),
        (of(PROMPT, "country", None), NO_ARGUMENT),
        (of(PROMPT, "country", 5), NO_ARGUMENT),
        (of(PROMPT, 5, ""), NO_ARGUMENT),
    ],
)
@pytest.mark.parametrize("version", WITH_COMPLETION)
def test_an_unknown_reference_or_argument_is_invalid_params(
    wire: Wire, version: str, params: dict[str, Any], sentence: str
) -> None:
    assert ask(wire, version, "completion/complete", params) == error(200, 1, -32602, sentence)


@pytest.mark.parametrize(
    ("name", "argument", "cause"),
    [
        ("other", "note", "RuntimeError('secret x {}')"),
        ("other", "city", "TypeError('a completer returned something else than strings')"),
        ("third", "city", "TypeError(\"'NoneType' object is not iterable\")"),
    ],
)
def test_a_completer_that_fails_is_an_internal_error_with_the_cause_for_the_log(
    wire: Wire, name: str, argument: str, cause: str
) -> None:
    params = of({"type": "ref/prompt", "name": name}, argument, "x")

    assert ask(wire, MODERN, "completion/complete", params) == error(200, 1, -32603, "Internal error")
    assert repr(wire.outcome(modern("completion/complete", params)).record.cause) == cause


def test_an_error_of_the_protocol_that_a_completer_raises_keeps_its_code(wire: Wire) -> None:
    params = of({"type": "ref/prompt", "name": "third"}, "note", "x")

    assert ask(wire, MODERN, "completion/complete", params) == error(200, 1, -32602, "Not x {}.")


@pytest.mark.requirement("completion-since")
def test_2024_11_05_has_completion_but_no_capability_for_it(built: BuiltServer) -> None:
    client = Client(built, protocol_version="2024-11-05")

    assert client.complete("country", "", prompt="travel") == ["France", "Peru"]
    assert "completions" not in built.capabilities["2024-11-05"]
