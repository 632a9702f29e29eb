"""A server from a prebuilt file is the server that a build without the file makes."""

import json
import subprocess
import sys
from binascii import crc32
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcore import BuiltServer, DefinitionError, McpError, Server, ToolResult
from mcpcore.testing import Client
from tests.conformance.fixture import fixture_server as conformance_server
from tests.support.functions import returning
from tests.support.messages import modern
from tests.support.processes import ROOT
from tests.support.servers import Wire, asking_server, fixture_server, full_server
from tests.support.serving import environment

SERVERS: Final = [conformance_server, fixture_server, full_server, asking_server]


def prebuilt(make: Callable[[], Server]) -> BuiltServer:
    """The server as a cold start builds it."""
    return make().build(make().prebuild())


@pytest.mark.parametrize("make", SERVERS)
def test_a_prebuilt_server_offers_the_same(make: Callable[[], Server]) -> None:
    plain, loaded = make().build(), prebuilt(make)

    assert loaded.constants == plain.constants
    assert loaded.capabilities == plain.capabilities
    assert loaded.prompts == plain.prompts
    assert described(loaded) == described(plain)


def described(server: BuiltServer) -> list[object]:
    """What the prebuilt file stores of each tool."""
    return [
        (tool.name, tool.arguments.json, tool.output and tool.output.json, tool.context_parameter)
        for tool in server.tools.values()
    ]


@pytest.mark.parametrize("make", SERVERS)
@pytest.mark.parametrize(
    "arguments",
    [
        *({}, {"text": "a"}, {"text": 5}, {"text": "\ud800"}),
        *({"a": 1}, {"a": 1, "b": 2}, {"a": 1.0}, {"a": "1", "c": None}),
        *({"city": "Bern"}, {"prompt": "a"}, {"message": "a"}),
    ],
)
def test_a_prebuilt_server_answers_the_same(make: Callable[[], Server], arguments: dict[str, Any]) -> None:
    plain, loaded = Wire(make()), Wire(prebuilt(make))
    calls = [modern("tools/call", {"name": name, "arguments": arguments}) for name in plain.server.tools]

    assert [without_state(loaded.send(call).body) for call in calls] == [
        without_state(plain.send(call).body) for call in calls
    ]


def without_state(body: bytes) -> dict[str, Any]:
    """The message without its request state, which is sealed with other random bytes each time."""
    message: dict[str, Any] = json.loads(body)
    message.get("result", {}).pop("requestState", None)
    return message


@pytest.mark.parametrize("make", [lambda server: server, lambda server: server.build(server.prebuild())])
def test_a_prebuilt_server_enforces_its_output_schemas(make: Callable[[Server], Any]) -> None:
    server = Server("one", version="1")
    hint = ToolResult[dict[str, int]]
    server.tool("good")(returning(hint, ToolResult({"value": 1}, "One.")))
    server.tool("bad")(returning(hint, ToolResult({"value": "x"}, "One.")))
    client = Client(make(server))

    assert client.call_tool("good").structured == {"value": 1}
    with pytest.raises(McpError, match="Internal error"):
        client.call_tool("bad")


def test_a_prompt_and_a_resource_may_share_a_name() -> None:
    def say(word: str) -> str:
        return word

    def make() -> Server:
        server = Server("one", version="1")
        server.prompt("same:thing")(say)
        server.resource("same:thing")(returning(str, ""))
        return server

    client = Client(prebuilt(make))
    assert client.get_prompt("same:thing", word="a")[0]["content"]["text"] == "a"
    assert client.read_resource("same:thing") == [{"uri": "same:thing", "text": ""}]


UNREADABLE: Final = "server: the prebuilt file cannot be read. Run prebuild again"
PREBUILT: Final = fixture_server().prebuild()
HEADER, CONTENT = PREBUILT.split(b"\n")


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        *((file, UNREADABLE) for file in (b"", b"\xff", b"[]", b"{}", b"[" * 100_000, HEADER, CONTENT)),
        *((line + b"\n" + CONTENT, UNREADABLE) for line in (b"5", b'"text"', b'{"format":3}')),
        *((file, UNREADABLE) for file in (PREBUILT + b"\n", (ROOT / "pyproject.toml").read_bytes())),
        (
            b'{"format":2,"crc32":%d}\n' % crc32(CONTENT) + CONTENT,
            "server: the prebuilt file has format 2, not 3. Run prebuild again",
        ),
        (
            full_server().prebuild(),
            "server: the prebuilt file lacks the arguments of add. Run prebuild again",
        ),
    ],
)
def test_a_file_that_was_not_prebuilt_for_this_server_is_refused(file: bytes, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        fixture_server().build(file)

    assert str(refused.value) == problem


@given(st.data())
def test_a_file_with_one_wrong_byte_is_refused(data: st.DataObject) -> None:
    damaged = bytearray(PREBUILT)
    place = data.draw(st.one_of(st.integers(0, len(HEADER)), st.integers(0, len(damaged) - 1)))
    damaged[place] ^= data.draw(st.integers(1, 255))

    with pytest.raises(DefinitionError, match=r"Run prebuild again$"):
        fixture_server().build(bytes(damaged))


@given(st.integers(0, len(PREBUILT) - 1))
def test_a_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(DefinitionError, match=r"Run prebuild again$"):
        fixture_server().build(PREBUILT[:length])


def test_a_faulty_definition_is_refused_by_prebuild_too() -> None:
    server = Server("one", version="1")
    server.tool(description="")(returning(str))

    with pytest.raises(DefinitionError, match="a tool needs a description"):
        server.prebuild()


def test_prebuilding_twice_gives_the_same_ascii_bytes() -> None:
    assert full_server().prebuild() == full_server().prebuild()
    assert full_server().prebuild().isascii()


CALLED: Final = """
import sys
from pathlib import Path
from mcpcore.testing import Client
from tests.support.servers import fixture_server
client = Client(fixture_server().build(Path(sys.argv[1]).read_bytes()))
for arguments in ({"a": 1, "b": 2}, {"a": 1}, {"a": "1"}):
    print(client.call_tool("add", arguments).is_error, "pydantic" in sys.modules)
"""


def test_only_a_value_that_is_not_certainly_valid_imports_pydantic(tmp_path: Path) -> None:
    (tmp_path / "prebuilt").write_bytes(PREBUILT)

    printed = subprocess.run(
        [sys.executable, "-c", CALLED, tmp_path / "prebuilt"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed.splitlines() == ["False False", "False False", "True True"]
