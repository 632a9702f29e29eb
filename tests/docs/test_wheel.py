"""The wheels mcpcore and mcpcore-local: what is in them, and that they serve with nothing of this clone."""

import json
import re
import signal
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.exchanges import Sent, modern, over_http
from tests.support.http_api import event
from tests.support.processes import ROOT, plain_environment

CORE: Final = ROOT / "layers" / "core"
LOCAL: Final = ROOT / "local"
WITHOUT_PIPS_ADVICE: Final = {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}

# What the two wheels require, with the requirements of that; nothing else is installed beside them.
REQUIRED: Final = (
    *("pydantic", "pydantic-core", "annotated-types", "typing-inspection", "typing-extensions"),
    *("uvicorn", "h11", "click"),
)

SERVER: Final = '''
from mcpcore import Server

server = Server("greeter", version="1.0.0")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody."""
    if not name:
        raise KeyError("nobody to greet")
    return f"Hello, {name}!"
'''

RUN: Final = "from server import server\nimport mcpcore_local\nmcpcore_local.run(server, port=0)\n"

INVOKE: Final = """
import json
class Context:
    aws_request_id = "1"
    def get_remaining_time_in_millis(self):
        return 29_000
print(json.dumps(lambda_handler(json.loads({event!r}), Context())))
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both."""
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, CORE, LOCAL],
        env=plain_environment() | WITHOUT_PIPS_ADVICE,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="module")
def python(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which `mcpcore[serve]` is installed; no network is used."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    interpreter = folder / "bin" / "python"
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in REQUIRED:
        required = distribution(name)
        for top in {file.parts[0] for file in required.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(Path(str(required.locate_file(top))))
    install = ["install", "--quiet", "--no-index", "--find-links", str(wheels), "mcpcore[serve]"]
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", interpreter, *install],
        env=plain_environment() | WITHOUT_PIPS_ADVICE,
        check=True,
        capture_output=True,
    )
    return interpreter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A newcomer's folder: a server, and a program that runs it."""
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "serve.py").write_text(RUN)
    return tmp_path


def environment() -> dict[str, str]:
    return {name: value for name, value in plain_environment().items() if not name.startswith("PYTHON")}


@contextmanager
def serving(python: Path, folder: Path, command: list[str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in `folder`, and the URL in the first line that it prints."""
    with subprocess.Popen(
        [python, *command],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().partition(" is served at ")[2].strip()
        finally:
            process.kill()


def greeting(name: str) -> Sent:
    return modern("tools/call", name="greet", arguments={"name": name})


def text_in(answer: bytes | str) -> Any:
    return json.loads(answer)["result"]["content"][0]["text"]


def names_in(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def metadata_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return opened.read(name).decode()


@pytest.mark.parametrize(
    ("wheel", "source", "packages"),
    [("mcpcore-*", CORE, ("mcpcore", "mcpcore_aws")), ("mcpcore_local-*", LOCAL, ("mcpcore_local",))],
)
def test_a_wheel_holds_its_packages_their_types_and_the_licence(
    wheels: Path, wheel: str, source: Path, packages: tuple[str, ...]
) -> None:
    (found,) = wheels.glob(wheel)
    modules = {path for package in packages for path in (source / package).rglob("*.py")}
    typed = {source / package / "py.typed" for package in packages}
    assert names_in(found) == {str(path.relative_to(source)) for path in modules | typed}
    with zipfile.ZipFile(found) as opened:
        (licence,) = (name for name in opened.namelist() if name.endswith("/licenses/LICENSE"))
        assert opened.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert "\nLicense-Expression: Apache-2.0\n" in metadata_of(found)


def test_what_lambda_needs_and_forms_need_is_optional(wheels: Path) -> None:
    (core,) = wheels.glob("mcpcore-*")
    required = re.findall(r"^Requires-Dist: ([\w-]+).* extra == '([\w-]+)'$", metadata_of(core), re.MULTILINE)
    assert set(required) == {
        ("aws-lambda-powertools", "aws"),
        ("botocore", "aws"),
        ("joserfc", "auth"),
        ("jsonschema", "json-schema"),
        ("mcpcore-local", "serve"),
    }


@pytest.mark.parametrize("command", [["-m", "mcpcore_local", "server:server", "--port", "0"], ["serve.py"]])
def test_a_server_is_served_over_http(python: Path, folder: Path, command: list[str]) -> None:
    with serving(python, folder, command) as (process, url):
        reply = over_http(url)(greeting("Ada"))
        failed = over_http(url)(greeting(""))
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=30)
    assert text_in(reply.body) == "Hello, Ada!"
    assert json.loads(failed.body)["result"]["isError"]
    assert 'server.py", line 11, in greet' in errors  # the traceback of the tool, without Powertools
    assert printed.endswith("\nStopped.\n")
    assert process.returncode == 0


def test_a_server_is_served_over_stdio(python: Path, folder: Path) -> None:
    served = subprocess.run(
        [python, "-m", "mcpcore_local", "server:server", "--stdio"],
        cwd=folder,
        env=environment(),
        input=greeting("Ada").body + b"\n",
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert text_in(served.stdout) == "Hello, Ada!"


def test_the_handler_of_the_readme_answers_an_event(python: Path, folder: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (CORE / "README.md").read_text(), re.DOTALL)
    sent = greeting("Ada")
    made = event(None, dict(sent.headers)) | {"body": sent.body.decode()}
    invoked = subprocess.run(
        [python, "-W", "error", "-c", program + INVOKE.format(event=json.dumps(made))],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    reply = json.loads(invoked.stdout.splitlines()[-1])
    assert text_in(reply["body"]) == "Hello, Ada!"
