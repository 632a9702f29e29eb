"""What docs/write-a-tool.md tells a newcomer to do, done: its files written, tested, served and called."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
import yaml

from mcpcore import DefinitionError, MemorySessions, Server
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.exchanges import MODERN, Reply, Sent, through_handler
from tests.support.processes import ROOT, plain_environment
from tests.support.resuming import connect, last_id, messages, text_of
from tests.support.sam_template import load_template

GUIDE: Final = ROOT / "docs" / "write-a-tool.md"
KITCHEN: Final = "functions/kitchen"

_BLOCK: Final = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED: Final = re.compile(r"# (\S+\.\w+|\S*Makefile)\n")


def files() -> dict[str, str]:
    """The files of the guide: a block says which it is after its language, or in a first line of its own."""
    found: dict[str, str] = {}
    for _, told, text in _BLOCK.findall(GUIDE.read_text()):
        named = _NAMED.match(text)
        path = told or (named[1] if named else "")
        if path:
            found[path] = found[path] + "\n\n" + text if path in found else text
    return found


def shown(language: str) -> list[str]:
    """The blocks of a language that belong to no file."""
    return [
        text
        for kind, told, text in _BLOCK.findall(GUIDE.read_text())
        if kind == language and not told and not _NAMED.match(text)
    ]


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The newcomer's folder."""
    root = tmp_path_factory.mktemp("clone")
    for path, text in files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root / KITCHEN


def environment(kitchen: Path, **variables: str) -> dict[str, str]:
    """What the guide's commands set, for a folder elsewhere."""
    paths = [str(ROOT), str(ROOT / "local"), str(ROOT / "layers/core"), str(kitchen)]
    plain = {name: value for name, value in plain_environment().items() if not name.startswith("PYTHON")}
    return {**plain, "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1", **variables}


def module_at(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks types up there
    spec.loader.exec_module(module)
    return module


@contextmanager
def imported(path: Path) -> Iterator[ModuleType]:
    name = f"newcomer_{path.stem}"
    try:
        yield module_at(path, name)
    finally:
        del sys.modules[name]


@pytest.fixture(scope="module")
def server(kitchen: Path) -> Iterator[ModuleType]:
    with imported(kitchen / "server.py") as module:
        yield module


@pytest.fixture(scope="module")
def more(kitchen: Path) -> Iterator[ModuleType]:
    with imported(kitchen / "more.py") as module:
        yield module


def function(module: ModuleType) -> LambdaAdapter:
    assert isinstance(module.server, Server)
    return LambdaAdapter(module.server, sessions=MemorySessions(), state_keys=[b"k" * 32])


def ask(
    module: ModuleType,
    method: str,
    *,
    headers: dict[str, str] | None = None,
    meta: dict[str, Any] | None = None,
    **params: Any,
) -> Reply:
    """Send a request of 2026-07-28 as an HTTP API event."""
    metadata = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "sampling": {}},
        **(meta or {}),
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": metadata}}
    sent = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        "mcp-name": params.get("name", params.get("uri", "")),
        **(headers or {}),
    }
    return through_handler(function(module))(Sent(json.dumps(message).encode(), sent))


def result(module: ModuleType, method: str, **params: Any) -> dict[str, Any]:
    """The result of a request, less what every result carries."""
    reply = ask(module, method, **params)
    assert reply.status == 200
    found: dict[str, Any] = reply.message()["result"]
    return {name: value for name, value in found.items() if name not in ("_meta", "ttlMs", "cacheScope")}


def test_the_server_is_one_screen() -> None:
    assert len(files()[f"{KITCHEN}/server.py"].splitlines()) <= 62


def test_the_guides_own_tests_pass(kitchen: Path) -> None:
    outcome = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            ROOT / "pyproject.toml",
            kitchen,
        ],
        cwd=ROOT,
        env=environment(kitchen),
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0, outcome.stdout
    assert "6 passed" in outcome.stdout


def test_the_code_is_as_the_project_writes_it(kitchen: Path) -> None:
    """A newcomer's tests need no docstrings, though, and a command may print."""
    settings = ["--config", str(ROOT / "pyproject.toml")]
    ruff, folder = str(Path(sys.executable).parent / "ruff"), str(kitchen)
    for command in (
        [ruff, "check", *settings, "--extend-ignore", "D103,T201", "--no-cache", folder],
        [ruff, "format", *settings, "--check", "--no-cache", folder],
    ):
        outcome = subprocess.run(command, capture_output=True, text=True, env=environment(kitchen))
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_what_is_tried_locally_answers_as_shown(kitchen: Path) -> None:
    program = (kitchen / "try_it.py").read_text()
    assert "Gateway(3000)" in program
    (kitchen / "try_any_port.py").write_text(program.replace("Gateway(3000)", "Gateway(0)"))
    with subprocess.Popen(
        [sys.executable, kitchen / "try_any_port.py"],
        cwd=ROOT,
        env=environment(kitchen),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().removeprefix("kitchen is served at ").strip()
            command = (kitchen.parents[1] / "ask.sh").read_text().replace("http://127.0.0.1:3000/mcp", url)
            answer = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
        finally:
            process.terminate()
    (expected,) = shown("json")
    assert answer.decode() == expected.strip()


def test_the_tool_answers_an_http_api_event(server: ModuleType) -> None:
    assert result(server, "tools/call", name="scale", arguments={"dish": "porridge"}) == {
        "content": [{"type": "text", "text": '{"oats in g":100,"milk in ml":500}'}],
        "structuredContent": {"oats in g": 100, "milk in ml": 500},
        "isError": False,
        "resultType": "complete",
    }


def test_the_tool_says_what_a_model_can_correct(server: ModuleType) -> None:
    refused = result(server, "tools/call", name="scale", arguments={"dish": "soup"})
    text = "There is no recipe for soup. There are recipes for pancakes, porridge."
    assert (refused["isError"], refused["content"]) == (True, [{"type": "text", "text": text}])


def test_the_resource_is_read_and_completed(server: ModuleType) -> None:
    assert result(server, "resources/read", uri="recipe://porridge")["contents"] == [
        {"uri": "recipe://porridge", "mimeType": "text/plain", "text": "oats in g: 50\nmilk in ml: 250"}
    ]
    found = result(
        server,
        "completion/complete",
        ref={"type": "ref/resource", "uri": "recipe://{dish}"},
        argument={"name": "dish", "value": "pa"},
    )
    assert found["completion"]["values"] == ["pancakes"]


def test_the_prompt_is_got(server: ModuleType) -> None:
    (message,) = result(server, "prompts/get", name="shopping_list", arguments={"dish": "soup"})["messages"]
    assert message["role"] == "user"
    assert message["content"]["text"].startswith("Call scale for soup and 2 people")


def test_the_user_is_asked_and_the_answer_is_taken_in_2026_07_28(server: ModuleType) -> None:
    asked = result(server, "tools/call", name="plan_dinner")
    assert asked["resultType"] == "input_required"
    assert asked["inputRequests"]["ask-1"]["params"]["message"] == "What shall there be for dinner?"
    answer = {"action": "accept", "content": {"dish": "pancakes", "people": 4}}
    planned = result(
        server,
        "tools/call",
        name="plan_dinner",
        requestState=asked["requestState"],
        inputResponses={"ask-1": answer},
    )
    assert planned["content"] == [{"type": "text", "text": "pancakes for 4"}]


def test_the_user_is_asked_and_the_answer_is_taken_in_2025_11_25(server: ModuleType) -> None:
    caller = connect(through_handler(function(server)))
    asked = caller.call("plan_dinner")
    (question,) = messages(asked)
    assert caller.answer(question["id"], action="decline").status == 202
    (response,) = messages(caller.come_back(last_id(asked)))
    assert text_of(response) == (False, "Nothing is planned.")


def test_a_parameter_without_a_type_hint_is_refused_as_shown() -> None:
    server = Server("kitchen", version="1.0.0")

    def scale(dish):  # type: ignore[no-untyped-def]  # the mistake
        """What a dish takes."""
        return dish

    server.tool()(scale)
    with pytest.raises(DefinitionError) as raised:
        server.build()
    (expected,) = shown("text")
    assert f"{DefinitionError.__module__}.DefinitionError: {raised.value}" == expected.strip()


REHEARSAL: Final = """
import sys
import handler
print("pydantic" in sys.modules)
from mcpcore_aws.snapstart import before_snapshot
before_snapshot(handler.lambda_handler, handler.dry_requests, handler.sessions)
"""


def packed(kitchen: Path, artifact: Path) -> Path:
    """`artifact` with what the kitchen's Makefile puts on Lambda."""
    artifact.mkdir()
    subprocess.run(
        ["make", "--silent", "build-McpFunction", f"ARTIFACTS_DIR={artifact}"], cwd=kitchen, check=True
    )
    return artifact


def rehearsed(artifact: Path) -> str:
    """Whether a cold start imports pydantic. Its rehearsal must go well too.

    It has the core and the settings of the template.
    """
    wanted = load_template()["Resources"]["McpFunction"]["Properties"]["Environment"]["Variables"]
    assert {"SESSIONS_TABLE", "STATE_SECRET"} <= set(wanted)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", REHEARSAL],
        cwd=artifact,
        env={
            **environment(artifact, SESSIONS_TABLE="sessions", STATE_SECRET="s" * 32),
            "PYTHONPATH": f"{artifact}:{ROOT / 'layers/core'}",
        },
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def test_the_handler_is_made_as_a_cold_start_makes_it_and_can_be_rehearsed(
    kitchen: Path, tmp_path: Path
) -> None:
    """What the Makefile puts on Lambda is enough."""
    assert rehearsed(packed(kitchen, tmp_path / "artifact")) == "True\n"


def test_the_handler_starts_without_pydantic_once_its_server_is_prepared(
    kitchen: Path, tmp_path: Path
) -> None:
    """With what "Start faster" changes, and `prebuild.py` run as `make build` runs it."""
    faster = tmp_path / "kitchen"
    shutil.copytree(kitchen, faster)
    (copied,) = shown("make")
    (built,) = shown("python")
    replace(faster / "Makefile", '\tcp server.py handler.py "$(ARTIFACTS_DIR)/"\n', copied)
    replace(
        faster / "handler.py",
        "lambda_handler = LambdaAdapter(\n    server,\n",
        f"{built}lambda_handler = LambdaAdapter(\n    built,\n",
    )
    replace(faster / "handler.py", "import os\n", "import os\nfrom pathlib import Path\n")

    artifact = packed(faster, tmp_path / "artifact")
    prebuild = [sys.executable, "-B", str(artifact / "prebuild.py")]
    subprocess.run(prebuild, cwd=ROOT, env=environment(ROOT / "functions/mcp"), check=True)

    assert (artifact / "prebuilt.json").is_file()
    assert rehearsed(artifact) == "False\n"


def replace(path: Path, old: str, new: str) -> None:
    """Put `new` where `old` stands, which is there once."""
    before, after = path.read_text().split(old)
    path.write_text(before + new + after)


def test_what_is_changed_in_the_template_is_there_to_be_changed() -> None:
    changed = yaml.safe_load(re.sub(r"!Ref (\w+)", r"{Ref: \1}", files()["template.yaml"]))
    template = load_template()
    properties = template["Resources"]["McpFunction"]["Properties"]
    assert set(changed) == {"CodeUri", "Layers"}
    assert set(changed) <= set(properties)
    assert properties["Handler"] == "handler.lambda_handler"
    assert [layer for layer in properties["Layers"] if layer not in changed["Layers"]] == [
        {"Ref": "RegistryLayer"}
    ]
    assert {"StateSecret", "StateSecretLabel"} <= set(template["Parameters"])


def test_a_result_of_both_kinds(more: ModuleType) -> None:
    found = result(more, "tools/call", name="nutrition", arguments={"dish": "soup"})
    assert found["structuredContent"] == {"kcal": 420, "protein": 14.5}
    assert found["content"][0]["text"] == "A portion of soup has 420 kcal."


def test_content_blocks(more: ModuleType) -> None:
    found = result(more, "tools/call", name="show", arguments={"dish": "soup"})
    assert [block["type"] for block in found["content"]] == ["text", "image", "resource_link"]


def test_fixed_resources_and_instances_are_listed_and_read(more: ModuleType) -> None:
    listed = result(more, "resources/list")["resources"]
    assert [each["uri"] for each in listed] == ["kitchen://mark", "kitchen://shelves/top"]
    assert "blob" in result(more, "resources/read", uri="kitchen://mark")["contents"][0]
    assert (
        result(more, "resources/read", uri="kitchen://shelves/cellar")["contents"][0]["text"] == "milk, eggs"
    )
    missing = ask(more, "resources/read", uri="kitchen://shelves/attic").message()["error"]
    assert (missing["code"], missing["data"]) == (-32602, {"uri": "kitchen://shelves/attic"})


def test_a_prompt_of_two_messages(more: ModuleType) -> None:
    found = result(more, "prompts/get", name="cook", arguments={"dish": "soup"})
    assert [message["role"] for message in found["messages"]] == ["user", "assistant"]


def test_progress_and_log_come_before_the_result(more: ModuleType) -> None:
    wanted = {"progressToken": "t", "io.modelcontextprotocol/logLevel": "info"}
    reply = ask(more, "tools/call", name="bake", arguments={"minutes": 2}, meta=wanted)
    *told, last = messages(reply)
    assert [each["method"].rpartition("/")[2] for each in told] == ["progress", "progress", "message"]
    assert last["result"]["content"][0]["text"] == "It is done."


def test_what_is_kept_is_the_same_in_the_next_run(more: ModuleType) -> None:
    first = result(more, "tools/call", name="order", arguments={"dish": "soup"})
    number = first["inputRequests"]["consent"]["params"]["message"].split()[2]
    second = result(
        more,
        "tools/call",
        name="order",
        arguments={"dish": "soup"},
        requestState=first["requestState"],
        inputResponses={"consent": {"action": "accept", "content": {}}},
    )
    assert list(second["inputRequests"]) == ["wish"]
    wish = {"role": "assistant", "content": {"type": "text", "text": "Good luck!"}, "model": "m"}
    done = result(
        more,
        "tools/call",
        name="order",
        arguments={"dish": "soup"},
        requestState=second["requestState"],
        inputResponses={"wish": wish},
    )
    assert done["content"][0]["text"] == f"Order {number} is sent. Good luck!"


@pytest.mark.parametrize(
    ("arguments", "failed"),
    [({"what": "flour", "g": 5}, False), ({"what": "flour"}, True), ({"g": 5, "oz": 1}, True)],
)
def test_a_schema_written_by_hand_is_kept_and_enforced(
    more: ModuleType, arguments: dict[str, Any], failed: bool
) -> None:
    declared = json.loads(files()[f"{KITCHEN}/tools.json"])[0]["inputSchema"]
    (listed,) = (tool for tool in result(more, "tools/list")["tools"] if tool["name"] == "weigh")
    assert listed["inputSchema"] == declared
    assert result(more, "tools/call", name="weigh", arguments=arguments)["isError"] is failed


def test_the_header_must_repeat_the_argument(more: ModuleType) -> None:
    called: dict[str, Any] = {"name": "stock", "arguments": {"store": "north"}}
    told = ask(more, "tools/call", headers={"mcp-param-store": "north"}, **called)
    assert told.message()["result"]["structuredContent"] == 5
    assert ask(more, "tools/call", headers={"mcp-param-store": "south"}, **called).status == 400
    assert ask(more, "tools/call", **called).message()["error"]["code"] == -32020


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", GUIDE.read_text()))
def test_what_is_linked_is_there(link: str) -> None:
    assert (GUIDE.parent / link).exists()
