"""docs/write-a-tool.md as a newcomer follows it: files are written, tested, served, packaged and called."""

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

from mcpcore import DefinitionError, Server
from mcpcore.testing import Client
from mcpcore_aws import LambdaAdapter
from tests.support.exchanges import modern, through_handler
from tests.support.processes import ROOT, plain_environment

GUIDE: Final = ROOT / "docs" / "write-a-tool.md"

_BLOCK: Final = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED: Final = re.compile(r"# (\S+\.\w+|\S*Makefile)\n")


def files() -> dict[str, str]:
    """The files of the guide: a block names its file after the language, or in its first line."""
    found: dict[str, str] = {}
    for _, after_language, text in _BLOCK.findall(GUIDE.read_text()):
        named = _NAMED.match(text)
        path = after_language or (named[1] if named else "")
        if path:
            found[path] = found[path] + "\n\n" + text if path in found else text
    return found


def blocks(language: str) -> list[str]:
    """The blocks of a language that belong to no file."""
    return [
        text
        for kind, named, text in _BLOCK.findall(GUIDE.read_text())
        if kind == language and not named and not _NAMED.match(text)
    ]


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The newcomer's folder."""
    root = tmp_path_factory.mktemp("newcomer")
    for path, text in files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root / "kitchen"


def environment(*paths: Path, **variables: str) -> dict[str, str]:
    """As if the wheels were installed; tests/docs/test_wheel.py installs them."""
    plain = {name: value for name, value in plain_environment().items() if not name.startswith("PYTHON")}
    installed = (ROOT / "local", ROOT / "layers/core", *paths)
    return {**plain, "PYTHONPATH": ":".join(map(str, installed)), "PYTHONDONTWRITEBYTECODE": "1", **variables}


@contextmanager
def imported(path: Path) -> Iterator[ModuleType]:
    name = f"newcomer_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # pydantic looks types up there
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[name]


@pytest.fixture(scope="module")
def more(kitchen: Path) -> Iterator[Server]:
    with imported(kitchen / "more.py") as module:
        assert isinstance(module.server, Server)
        yield module.server


def test_the_guides_own_tests_pass(kitchen: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), str(kitchen)]
    command = [sys.executable, "-m", "pytest", *options]
    outcome = subprocess.run(command, cwd=kitchen, env=environment(kitchen), capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout
    assert "7 passed" in outcome.stdout


# A newcomer's tests need no docstrings, and their handlers may ignore arguments.
@pytest.mark.parametrize("command", [["check", "--extend-ignore", "D103,ARG005"], ["format", "--check"]])
def test_the_code_passes_the_projects_lint_and_format(kitchen: Path, command: list[str]) -> None:
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", str(kitchen)]
    ruff = str(Path(sys.executable).parent / "ruff")
    outcome = subprocess.run([ruff, *command, *settings], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_the_served_tool_answers_as_shown(kitchen: Path) -> None:
    (command,) = re.findall(r"^python (.+)$", files()["serve.sh"], re.MULTILINE)
    with subprocess.Popen(
        [sys.executable, *command.split(), "--port", "0"],
        cwd=kitchen,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().removeprefix("kitchen is served at ").strip()
            ask = files()["ask.sh"].replace("http://127.0.0.1:3000/mcp", url)
            answer = subprocess.run(["bash", "-c", ask], capture_output=True, check=True).stdout
        finally:
            process.terminate()
    (expected,) = blocks("json")
    assert answer.decode() == expected.strip()


def test_a_parameter_without_a_type_hint_is_refused_as_shown() -> None:
    server = Server("kitchen", version="1.0.0")

    def scale(dish):  # type: ignore[no-untyped-def]  # the mistake
        """The amounts of a dish."""
        return dish

    server.tool(scale)
    with pytest.raises(DefinitionError) as raised:
        server.build()
    (expected,) = blocks("text")
    assert f"{DefinitionError.__module__}.DefinitionError: {raised.value}" == expected.strip()


COLD_START: Final = """
import sys
import handler
print("pydantic" in sys.modules)
from mcpcore_aws import DryRequest
from mcpcore_aws.snapstart import before_snapshot
before_snapshot(handler.lambda_handler, [
    DryRequest("tools/call", {"name": "scale", "arguments": {"dish": "porridge"}}),
])
"""


def cold_start(artifact: Path) -> str:
    """Whether a cold start imports pydantic; dry requests must be answered too."""
    variables = {"SESSIONS_TABLE": "sessions", "STATE_SECRET": "s" * 32}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", COLD_START],
        cwd=artifact,
        env=environment(artifact, **variables),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def packaged(kitchen: Path, artifact: Path) -> Path:
    """`artifact` with what the guide's Makefile copies; the wheels are on the path already."""
    artifact.mkdir()
    (kitchen / "Makefile").write_text(re.sub(r"\tpython -m pip .*\n", "", (kitchen / "Makefile").read_text()))
    make = ["make", "--silent", "build-Kitchen", f"ARTIFACTS_DIR={artifact}"]
    subprocess.run(make, cwd=kitchen, env=environment(kitchen), check=True)
    return artifact


def test_the_handler_starts_as_it_is_packaged(kitchen: Path, tmp_path: Path) -> None:
    assert cold_start(packaged(kitchen, tmp_path / "artifact")) == "True\n"


def test_the_prebuilt_handler_starts_without_pydantic(kitchen: Path, tmp_path: Path) -> None:
    (prebuild,), (handler,) = blocks("make"), blocks("python")
    faster = tmp_path / "kitchen"
    shutil.copytree(kitchen, faster)
    with (faster / "Makefile").open("a") as makefile:
        makefile.write(prebuild.replace("python -c", f"{sys.executable} -c"))
    plain = "lambda_handler = LambdaAdapter.from_environment(server)\n"
    module = (faster / "handler.py").read_text().replace(plain, handler)
    assert handler in module
    (faster / "handler.py").write_text(
        module.replace("from server", "from pathlib import Path\n\nfrom server")
    )
    assert cold_start(packaged(faster, tmp_path / "artifact")) == "False\n"


def test_the_template_is_valid(kitchen: Path) -> None:
    cfn_lint = str(Path(sys.executable).parent / "cfn-lint")
    outcome = subprocess.run([cfn_lint, str(kitchen / "template.yaml")], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout


def test_results_of_both_kinds(more: Server) -> None:
    client = Client(more)
    found = client.call_tool("nutrition", dish="soup")
    assert (found.structured, found.text) == (
        {"kcal": 420, "protein": 14.5},
        'A portion of soup has 420 kcal.\n{"kcal":420,"protein":14.5}',
    )
    blocks_of_show = client.call_tool("show", dish="soup").content
    assert [block["type"] for block in blocks_of_show] == ["text", "image", "resource_link"]


def test_resources_and_a_prompt_of_two_messages(more: Server) -> None:
    client = Client(more)
    listed = [resource["uri"] for resource in client.list_resources()]
    assert listed == ["kitchen://mark", "kitchen://shelves/top"]
    assert "blob" in client.read_resource("kitchen://mark")[0]
    assert client.read_resource("kitchen://shelves/cellar")[0]["text"] == "milk, eggs"
    messages = client.get_prompt("cook", dish="soup")
    assert [message["role"] for message in messages] == ["user", "assistant"]


def test_progress_and_log_come_before_the_result(more: Server) -> None:
    client = Client(more, clock=lambda: 4_000_000_000)
    assert client.call_tool("bake", minutes=2).text == "It is done."
    methods = [each["method"].rpartition("/")[2] for each in client.notifications]
    assert methods == ["progress", "progress", "message"]


def test_a_saved_value_is_the_same_in_the_next_run(more: Server) -> None:
    asked: list[str] = []

    def accept(message: str, _form: object) -> dict[str, Any]:
        asked.append(message)
        return {}

    client = Client(more, on_elicit=accept, on_sample=lambda _params: "Good luck!")
    (number,) = re.findall(r"\d+", client.call_tool("order", dish="soup").text)
    assert asked == [f"Shall order {number} for soup be sent?"]


@pytest.mark.parametrize(
    ("arguments", "failed"),
    [({"what": "flour", "g": 5}, False), ({"what": "flour"}, True), ({"g": 5, "oz": 1}, True)],
)
def test_a_handwritten_schema_is_listed_unchanged_and_enforced(
    more: Server, arguments: dict[str, Any], failed: bool
) -> None:
    client = Client(more)
    (weigh,) = (tool for tool in client.list_tools() if tool["name"] == "weigh")
    assert weigh["inputSchema"] == json.loads(files()["kitchen/tools.json"])[0]["inputSchema"]
    assert client.call_tool("weigh", arguments).is_error is failed


@pytest.mark.parametrize(("header", "status"), [("north", 200), ("south", 400)])
def test_the_header_must_repeat_the_argument(more: Server, header: str, status: int) -> None:
    call = modern("tools/call", name="stock", arguments={"store": "north"})
    sent = call._replace(headers={**call.headers, "mcp-param-store": header})
    assert through_handler(LambdaAdapter(more))(sent).status == status


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", GUIDE.read_text()))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (GUIDE.parent / link).exists()
