"""A server whose build was prepared is the server that a build makes, found out once."""

import dataclasses
import enum
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, with_config
from typing_extensions import TypedDict

from mcpcore import BuiltServer, DefinitionError, Param, Server, ToolResult
from mcpcore.definitions.schemas import OutputSchema
from mcpcore.definitions.type_schemas import arguments_schema, output_schema
from mcpcore.protocol.jsonrpc import encode
from tests.conformance.fixture import fixture_server as conformance_server
from tests.support.messages import SUPPORTED, modern
from tests.support.processes import ROOT
from tests.support.servers import Wire, asking_server, fixture_server, full_server
from tests.support.serving import environment

SERVERS: Final = [conformance_server, fixture_server, full_server, asking_server]


def prepared(make: Callable[[], Server]) -> BuiltServer:
    """The server as a cold start makes it when its build was prepared."""
    return make().build(make().prebuild())


@pytest.mark.parametrize("make", SERVERS)
def test_a_prepared_server_offers_the_same(make: Callable[[], Server]) -> None:
    plain, saved = make().build(), prepared(make)

    assert saved.constants == plain.constants
    assert saved.capabilities == plain.capabilities
    assert saved.prompts == plain.prompts
    assert [*saved.tools] == [*plain.tools]
    for name, tool in plain.tools.items():
        assert saved.tools[name].arguments.json == tool.arguments.json
        assert saved.tools[name].takes_context is tool.takes_context
        assert saved.tools[name].headers == tool.headers
        assert shown(saved.tools[name].output) == shown(tool.output)


def shown(output: OutputSchema | None) -> object:
    """The schema that clients see."""
    return None if output is None else output.json


@pytest.mark.parametrize("make", SERVERS)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"text": "a"},
        {"text": 5},
        {"text": "\ud800"},
        {"a": 1},
        {"a": 1, "b": 2},
        {"a": 1.0},
        {"a": "1", "c": None},
        {"city": "Bern"},
        {"prompt": "a"},
        {"message": "a"},
    ],
)
def test_a_prepared_server_answers_the_same(make: Callable[[], Server], arguments: dict[str, Any]) -> None:
    plain, saved = Wire(make()), Wire(prepared(make))
    for name in plain.server.tools:
        request = modern("tools/call", {"name": name, "arguments": arguments})
        assert steady(saved.send(request).body) == steady(plain.send(request).body)


def steady(body: bytes) -> str:
    """The body without what is sealed anew each time."""
    answer = json.loads(body)
    if "requestState" in answer.get("result", {}):
        answer["result"]["requestState"] = "sealed"
    return json.dumps(answer)


def number(value: int) -> ToolResult[dict[str, int]]:
    """Give what it is not."""
    return ToolResult({"value": "x" if value else 1}, "A number.")  # type: ignore[dict-item]  # the mistake


def test_a_prepared_server_keeps_the_promise_of_its_output_schema() -> None:
    def make() -> Server:
        server = Server("one", version="1")
        server.tool()(number)
        return server

    for wire in (Wire(make()), Wire(prepared(make))):
        failed, well = (
            json.loads(
                wire.send(modern("tools/call", {"name": "number", "arguments": {"value": value}})).body
            )
            for value in (1, 0)
        )
        assert failed["error"]["code"] == -32603
        assert well["result"]["structuredContent"] == {"value": 1}


def test_a_prompt_and_a_resource_of_one_name_are_two() -> None:
    def make() -> Server:
        server = Server("one", version="1")
        server.prompt("same:thing")(lambda_free)
        server.resource("same:thing")(nothing)
        return server

    assert [each.name for each in prepared(make).prompts["same:thing"].arguments] == ["word"]
    assert make().build().prompts == prepared(make).prompts


def lambda_free(word: str) -> str:
    """Say a word."""
    return word


def nothing() -> str:
    """Say nothing."""
    return ""


@pytest.mark.parametrize(
    ("kept", "problem"),
    [
        (full_server().prebuild(), "server: it was prepared without the arguments of add. Prepare it again"),
        (b"", "server: what was prepared of it cannot be read. Prepare it again"),
        (b"\xff", "server: what was prepared of it cannot be read. Prepare it again"),
        (
            fixture_server().prebuild()[:-9],
            "server: what was prepared of it cannot be read. Prepare it again",
        ),
        (b"[]", "server: what was prepared of it cannot be read. Prepare it again"),
        (b"{}", "server: what was prepared of it cannot be read. Prepare it again"),
        (b'{"format":2}', "server: what was prepared of it cannot be read. Prepare it again"),
        (
            b'{"format":2,"found":5,"constants":[]}',
            "server: what was prepared of it cannot be read. Prepare it again",
        ),
        (
            b'{"format":2,"found":{},"constants":[["x"]]}',
            "server: what was prepared of it cannot be read. Prepare it again",
        ),
        (b"[" * 100_000, "server: what was prepared of it cannot be read. Prepare it again"),
        (b'{"format":7}', "server: it was prepared in format 7, and this is 2. Prepare it again"),
    ],
)
def test_what_was_not_prepared_of_this_server_is_refused(saved: bytes, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        fixture_server().build(saved)

    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("constants", "arguments"),
    [
        ([], {"json": {"type": "object", "properties": {}}, "plain": True}),
        ([["2025-11-25", "initialize", "{}"]], 5),
        ([["2025-11-25", "initialize", "{}"]], {"json": "text", "plain": True}),
        ([["2025-11-25", "initialize", "{}"]], {"json": {"properties": 5}, "plain": True}),
    ],
)
def test_what_was_changed_since_is_refused(constants: list[Any], arguments: object) -> None:
    content = json.loads(fixture_server().prebuild())
    found = {**content["found"], "arguments of add": arguments}
    changed = {**content, "found": found, "constants": constants}

    with pytest.raises(DefinitionError, match=r"cannot be read\. Prepare it again"):
        fixture_server().build(encode(changed))


@given(st.data())
def test_a_file_with_one_wrong_byte_is_refused(data: st.DataObject) -> None:
    saved = bytearray(full_server().prebuild())
    place = data.draw(st.integers(0, len(saved) - 1))
    saved[place] ^= data.draw(st.integers(1, 255))

    with pytest.raises(DefinitionError, match="Prepare it again"):
        full_server().build(bytes(saved))


def test_what_is_wrong_is_found_while_preparing() -> None:
    server = Server("one", version="1")
    server.tool(description="")(nothing)

    with pytest.raises(DefinitionError, match="a tool needs a description"):
        server.prebuild()


def test_preparing_twice_gives_the_same_bytes() -> None:
    assert full_server().prebuild() == full_server().prepare()


CALLED: Final = """
import sys
from pathlib import Path
from tests.support.messages import modern
from tests.support.servers import Wire, fixture_server
wire = Wire(fixture_server().build(Path(sys.argv[1]).read_bytes()))
for arguments in ({"a": 1, "b": 2}, {"a": 1}, {"a": "1"}):
    body = wire.send(modern("tools/call", {"name": "add", "arguments": arguments})).body
    print(b'"isError":false' in body, "pydantic" in sys.modules)
"""


def test_only_a_value_that_does_not_fit_beyond_doubt_imports_pydantic(tmp_path: Any) -> None:
    (tmp_path / "kept").write_bytes(fixture_server().prebuild())

    record = subprocess.run(
        [sys.executable, "-c", CALLED, tmp_path / "kept"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert record.splitlines() == ["True False", "True False", "False True"]


class Colour(enum.Enum):
    RED = "red"


class Model(BaseModel):
    name: str


@dataclasses.dataclass
class Point:
    x: int


@with_config(ConfigDict(str_strip_whitespace=True))
class Trimmed(TypedDict):
    name: str


@with_config(ConfigDict(json_schema_extra={"required": []}))
class Untold(TypedDict):
    name: str


class Renamed(TypedDict):
    name: Annotated[str, Field(alias="Name")]


class Defaulted(TypedDict):
    name: Annotated[NotRequired[str], Field(default="x")]


def doubled(value: int) -> int:
    return value * 2


NOT_PLAIN: Final[list[tuple[Any, Any, Any]]] = [
    (Colour, "red", Colour.RED),
    (Model, {"name": "a"}, Model(name="a")),
    (Point, {"x": 1}, Point(1)),
    (Trimmed, {"name": " a "}, {"name": "a"}),
    (Renamed, {"Name": "a"}, {"name": "a"}),
    (Defaulted, {}, {"name": "x"}),
    (Annotated[int, AfterValidator(doubled)], 2, 4),
    (Annotated[int, Field(multiple_of=2)], 2, 2),
    (Annotated[str, Field(pattern="^a")], "ab", "ab"),
    (Annotated[str, WithJsonSchema({"type": "integer"})], "a", "a"),
    (Annotated[str, Field(max_length=2, json_schema_extra={"maxLength": 9})], "ab", "ab"),
    (Untold, {"name": "a"}, {"name": "a"}),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (tuple[int, ...], [1], (1,)),
    (Any, [1], [1]),
]
PLAIN: Final[list[Any]] = [
    str,
    Annotated[str, Param("Words.", max_length=2)],
    Annotated[str, Field(max_length=2, description="Words.", examples=["a"])],
    Annotated[list[int] | None, Param(max_length=2)],
    Literal["a", 1],
]


def taking(hint: object) -> Callable[..., str]:
    """A function of one value, which must be as `hint` says."""

    def tool(value: Any) -> str:
        return str(value)

    tool.__annotations__["value"] = hint
    return tool


def giving(hint: object) -> Callable[..., Any]:
    """A function that says that it returns `hint`."""

    def tool() -> None:
        return None

    tool.__annotations__["return"] = hint
    return tool


@pytest.mark.parametrize(("hint", "value", "expected"), NOT_PLAIN)
def test_a_type_whose_values_are_more_than_their_json_is_left_to_pydantic(
    hint: Any, value: object, expected: object
) -> None:
    schema = arguments_schema(taking(hint), "tool")

    assert not schema.plain
    assert schema.checked("tool", {"value": value}) == {"value": expected}


@pytest.mark.parametrize("hint", [Literal[Colour.RED], Literal[b"a"]])
def test_a_choice_of_what_json_has_not_is_not_plain(hint: Any) -> None:
    try:
        assert not arguments_schema(taking(hint), "tool").plain
    except DefinitionError as refused:
        assert refused.where == "tool"  # noqa: PT017  # either will do


@pytest.mark.parametrize("hint", PLAIN)
def test_plain_json_is_known_for_it(hint: Any) -> None:
    assert arguments_schema(taking(hint), "tool").plain
    environment = output_schema(giving(ToolResult[hint]), "tool")
    assert environment is not None
    assert environment.plain


@pytest.mark.parametrize("version", SUPPORTED)
def test_the_constants_are_ascii(version: str) -> None:
    assert prepared(full_server).constants[version, "tools/list"].isascii()
