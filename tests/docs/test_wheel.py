"""The core as a wheel: what is in it, and that a server runs from it and from nothing else of this clone."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.support.exchanges import modern
from tests.support.http_api import event
from tests.support.processes import ROOT, plain_environment

CORE: Final = ROOT / "layers" / "core"

# Python starts isolated (-I): of this clone it finds only what is put on its path here.
FROM_THE_WHEEL: Final = "import sys; sys.path.insert(0, {folder!r})\n"

SERVES: Final = """
class Context:
    aws_request_id = "1"
    def get_remaining_time_in_millis(self):
        return 29_000
import json
print(json.dumps(lambda_handler(json.loads({event!r}), Context())), file=sys.stderr)
print(sys.modules["mcpcore"].__file__, file=sys.stderr)
"""

# What the core must do without, when it is installed with nothing but pydantic.
ALONE: Final = """
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("aws_lambda_powertools", "botocore", "jsonschema", "asyncio"):
            raise ImportError(name)
sys.meta_path.insert(0, Nowhere())
import mcpcore
server = mcpcore.Server("alone", version="1")
server.tool("it", description="Give it.")(lambda: "it")
sys.exit(list(server.build().tools) != ["it"])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, CORE],
        env=plain_environment() | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        check=True,
        capture_output=True,
    )
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    folder = wheel.parent / "unpacked"
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run(unpacked: Path, program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", FROM_THE_WHEEL.format(folder=str(unpacked)) + program],
        cwd=unpacked,
        env=plain_environment(),
        capture_output=True,
        text=True,
    )


def modules(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.py")}


def test_every_module_of_both_packages_is_in_it_and_nothing_else(unpacked: Path) -> None:
    assert modules(unpacked) == modules(CORE)


@pytest.mark.parametrize("package", ["mcpcore", "mcpcore_aws"])
def test_type_checkers_may_read_its_types(unpacked: Path, package: str) -> None:
    assert (unpacked / package / "py.typed").exists()


def test_it_says_what_it_needs(unpacked: Path) -> None:
    (metadata,) = unpacked.glob("*.dist-info/METADATA")
    needed = re.findall(r"^Requires-Dist: ([\w-]+)(.*)$", metadata.read_text(), re.MULTILINE)
    assert {name for name, rest in needed if "extra ==" not in rest} == {"pydantic", "typing-extensions"}
    assert {name for name, rest in needed if "extra ==" in rest} == {
        "aws-lambda-powertools",
        "botocore",
        "jsonschema",
    }


def test_the_server_of_its_readme_answers(unpacked: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (CORE / "README.md").read_text(), re.DOTALL)
    sent = modern("tools/call", name="greet", arguments={"name": "Ada"})
    made = event(None, dict(sent.headers)) | {"body": sent.body.decode()}
    outcome = run(unpacked, program + SERVES.format(event=json.dumps(made)))
    reply, module = outcome.stderr.splitlines()
    answer = json.loads(json.loads(reply)["body"])
    assert answer["result"]["content"] == [{"type": "text", "text": "Hello, Ada!"}]
    assert Path(module) == unpacked / "mcpcore" / "__init__.py"


def test_the_core_alone_needs_nothing_but_pydantic(unpacked: Path) -> None:
    outcome = run(unpacked, ALONE)
    assert outcome.returncode == 0, outcome.stderr
