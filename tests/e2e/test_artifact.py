"""What `make build` makes, run as on Lambda: by the emulator, with its layers, without the source tree."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from sources.prepared import prepared_file
from tests.support.emulator import ARCHITECTURE, lay_out, running, runtime_python
from tests.support.exchanges import Reply, Send, Sent, initialize, legacy, modern, through_handler
from tests.support.processes import ROOT, plain_environment
from tests.support.sam_template import Document, load_template
from tests.support.stack import Stack, made_stack

pytestmark = pytest.mark.artifact

FUNCTION: Final[Document] = load_template()["Resources"]["McpFunction"]["Properties"]
WANTED: Final[str] = FUNCTION["Runtime"].removeprefix("python")
CALL: Final[dict[str, Any]] = {"name": "get_sources", "arguments": {"query": "how do I learn rust"}}


PYTHON: Final = runtime_python(WANTED)


class Artifact(NamedTuple):
    """A build, laid out as Lambda lays it out."""

    build: Path
    task: Path
    opt: Path


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Artifact]:
    folder = tmp_path_factory.mktemp("artifact")
    build, opt = folder / "build", folder / "opt"
    subprocess.run(
        ["make", "build", f"ARCH={ARCHITECTURE}", f"RUNTIME_PYTHON={PYTHON.version}", f"BUILD_DIR={build}"],
        cwd=ROOT,
        env=plain_environment(),
        stdin=subprocess.DEVNULL,
        check=True,
    )
    lay_out([build / layer["Ref"] for layer in FUNCTION["Layers"]], opt)
    yield Artifact(build, build / "McpFunction", opt)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def stack(dynamodb: str) -> Iterator[Stack]:
    with made_stack(dynamodb) as made:
        yield made


@pytest.fixture
def send(artifact: Artifact, stack: Stack, tmp_path: Path) -> Iterator[Send]:
    """To a fresh environment of the function, with the variables of the stack's function."""
    with running(
        PYTHON,
        task=artifact.task,
        opt=artifact.opt,
        handler=FUNCTION["Handler"],
        variables={**stack.variables, "REGISTRY_DIR": str(artifact.opt / "registry")},
        log=tmp_path / "function.log",
    ) as emulator:
        yield through_handler(lambda event, _: emulator.invoke(event))


def ranks(reply: Reply) -> list[int]:
    return [source["rank"] for source in json.loads(reply.body)["result"]["structuredContent"]["sources"]]


def test_a_request_of_2026_07_28_brings_three_ranked_sources(send: Send) -> None:
    assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]


def test_a_session_is_opened_used_and_ended(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    assert ranks(send(legacy("tools/call", session=session, **CALL))) == [1, 2, 3]
    send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    assert send(legacy("tools/call", session=session, **CALL)).status == 404


def test_the_artifact_holds_what_is_run_and_nothing_else(artifact: Artifact) -> None:
    assert {path.name for path in artifact.task.iterdir()} - {"__pycache__"} == {
        "handler.py",
        "sources",
        prepared_of(artifact).name,
    }
    assert {path.name for path in artifact.opt.iterdir()} == {"python", "registry"}
    assert not (artifact.opt / "python" / "boto3").exists()


def prepared_of(artifact: Artifact) -> Path:
    """What was prepared for the registry of the artifact."""
    manifest = json.loads((artifact.opt / "registry" / "manifest.json").read_bytes())
    return prepared_file(artifact.task, manifest["digest"])


def test_a_query_is_answered_where_there_is_no_pydantic(
    artifact: Artifact, stack: Stack, tmp_path: Path
) -> None:
    opt = tmp_path / "opt"
    shutil.copytree(artifact.opt, opt, ignore=shutil.ignore_patterns("pydantic", "pydantic_core"))
    with running(
        PYTHON,
        task=artifact.task,
        opt=opt,
        handler=FUNCTION["Handler"],
        variables={**stack.variables, "REGISTRY_DIR": str(opt / "registry")},
        log=tmp_path / "function.log",
    ) as emulator:
        send = through_handler(lambda event, _: emulator.invoke(event))
        assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]


def test_bytecode_of_another_python_is_not_shipped(artifact: Artifact) -> None:
    assert bytecode_tags(artifact) <= {PYTHON.version}


@pytest.mark.skipif(
    PYTHON.version != WANTED,
    reason=f"no Python {WANTED} here: the artifact was built for {PYTHON.version}, and run with it",
)
def test_the_python_of_the_template_finds_its_bytecode_and_its_wheels(artifact: Artifact) -> None:
    wheels = (artifact.opt / "python" / "pydantic_core").glob("*.so")
    assert [path.name.split("-")[1] for path in wheels] == [WANTED.replace(".", "")]
    assert bytecode_tags(artifact) == {WANTED}


def bytecode_tags(artifact: Artifact) -> set[str]:
    tags = {path.suffixes[-2].removeprefix(".cpython-") for path in artifact.build.rglob("*.pyc")}
    return {f"{tag[0]}.{tag[1:]}" for tag in tags}


def test_no_two_layers_bring_the_same_file(artifact: Artifact) -> None:
    brought = [
        path.relative_to(artifact.build / layer["Ref"])
        for layer in FUNCTION["Layers"]
        for path in (artifact.build / layer["Ref"]).rglob("*")
        if path.is_file()
    ]
    assert len(brought) == len(set(brought))
