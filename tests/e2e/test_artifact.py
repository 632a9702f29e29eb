"""The output of `make build`, run as on Lambda: by the emulator, with its layers, without the source tree."""

import ast
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from bench.serving.environments import Environment
from bench.serving.events import MODERN, request
from mcpcore_local.gateway import HttpGateway
from sources.prebuilt import prebuilt_file
from tests.support.artifact import FUNCTION, PYTHON, WANTED, Artifact, layers
from tests.support.cold_path import answering_deployed
from tests.support.commands import threegood
from tests.support.emulator import ARCHITECTURE, Emulator, running, runtime_packages
from tests.support.exchanges import Reply, Send, Sent, initialize, legacy, modern, through_handler
from tests.support.processes import ROOT, plain_environment
from tests.support.published import NAMES_OF_NAMED, of_the_project
from tests.support.recording import record
from tests.support.stack import Stack

pytestmark = pytest.mark.artifact

CALL: Final[dict[str, Any]] = {
    "name": "get_sources",
    "arguments": {"query": f"a guide to {NAMES_OF_NAMED[0]}"},
}
MOST_MB: Final = 30
AUTHORIZATION: Final = "AuthorizationLayer"

# What verifies JSON Web Tokens is in a layer of its own, and imported only with it.
OF_TOKENS: Final = {
    *("mcpcore_aws.authorization.jwt", "mcpcore_aws.authorization.issuer_keys"),
    *("joserfc", "joserfc.errors", "joserfc.jwa", "joserfc.jwk"),
}

# What our code can import and no layer brings: no tool here asks with a form or has a schema written by hand.
NOT_SHIPPED: Final = {
    *("jsonschema", "jsonschema.exceptions"),
    *("referencing", "referencing.exceptions", "referencing.jsonschema"),
}
# Powertools reads each, or we in its place: at its import, when a logger is made, or when a line is written.
POWERTOOLS: Final = {
    "POWERTOOLS_DEBUG": "true",
    "POWERTOOLS_DEV": "true",
    "POWERTOOLS_LOG_LEVEL": "DEBUG",
    "POWERTOOLS_LOGGER_LOG_EVENT": "true",
    "POWERTOOLS_LOGGER_SAMPLE_RATE": "1",
    "POWERTOOLS_LOG_DEDUPLICATION_DISABLED": "true",
    "POWERTOOLS_METRICS_DISABLED": "false",
    "POWERTOOLS_METRICS_FUNCTION_NAME": "renamed",
    "POWERTOOLS_METRICS_NAMESPACE": "Renamed",
    "POWERTOOLS_SERVICE_NAME": "renamed",
    "POWERTOOLS_TRACER_CAPTURE_ERROR": "true",
    "POWERTOOLS_TRACER_CAPTURE_RESPONSE": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
    "POWERTOOLS_TRACE_MIDDLEWARES": "true",
    "AWS_LAMBDA_INITIALIZATION_TYPE": "provisioned-concurrency",
    "AWS_LAMBDA_LOG_LEVEL": "DEBUG",
    "TZ": "Europe/Berlin",
    "_X_AMZN_TRACE_ID": "Root=1-5759e988-bd862e3fe1be46a994272793",
}
NO_STORE: Final = {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}

_IMPORTED: Final = """
import importlib, json, sys
missing = []
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        missing.append(name)
print(json.dumps(missing))
"""


@contextmanager
def emulated(artifact: Artifact, stack: Stack, log: Path, **variables: str) -> Iterator[Emulator]:
    """A fresh environment of the function, with the variables of the stack's function and these."""
    registry = {"REGISTRY_DIR": str(artifact.opt / "registry")}
    with running(
        PYTHON,
        task=artifact.task,
        opt=artifact.opt,
        handler=FUNCTION["Handler"],
        variables={**stack.variables, **registry, **variables},
        log=log,
        observe=record,
    ) as emulator:
        yield emulator


@contextmanager
def served(artifact: Artifact, stack: Stack, log: Path, **variables: str) -> Iterator[Send]:
    """Sends requests to such an environment."""
    with emulated(artifact, stack, log, **variables) as emulator:
        yield through_handler(lambda event, _: emulator.invoke(event))


@pytest.fixture
def send(artifact: Artifact, stack: Stack, tmp_path: Path) -> Iterator[Send]:
    with served(artifact, stack, tmp_path / "function.log") as sending:
        yield sending


def asking(**arguments: Any) -> Sent:
    return modern("tools/call", name="get_sources", arguments=arguments)


def ranks(reply: Reply) -> list[int]:
    return [source["rank"] for source in json.loads(reply.body)["result"]["structuredContent"]["sources"]]


def test_a_request_of_2026_07_28_brings_three_ranked_sources(send: Send) -> None:
    assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]


def test_a_session_is_opened_used_and_ended(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    assert ranks(send(legacy("tools/call", session=session, **CALL))) == [1, 2, 3]
    send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    assert send(legacy("tools/call", session=session, **CALL)).status == 404


def test_the_resource_of_the_registry_names_the_page_of_the_domain_that_was_called(send: Send) -> None:
    sent = modern("resources/read", uri="registry://registry")
    reply = send(sent._replace(headers={**sent.headers, "x-forwarded-proto": "https"}))
    (contents,) = json.loads(reply.body)["result"]["contents"]
    address = "https://abc123.execute-api.us-east-1.amazonaws.com/registry"
    assert json.loads(contents["text"])["document"] == address


def test_threegood_verify_is_green_for_the_artifact_and_red_after_one_flipped_byte(
    artifact: Artifact, stack: Stack, tmp_path: Path
) -> None:
    opt = tmp_path / "opt"
    shutil.copytree(artifact.opt, opt)
    answers = bytearray((opt / "registry" / "answers.bin").read_bytes())
    answers[len(answers) // 2] ^= 1
    (opt / "registry" / "answers.bin").write_bytes(answers)

    with published(artifact, stack, tmp_path / "intact.log") as url:
        intact = threegood("verify", url, "--state", tmp_path / "state.json")
    with published(artifact._replace(opt=opt), stack, tmp_path / "flipped.log") as url:
        flipped = threegood("verify", url, "--state", tmp_path / "state.json")

    assert (intact.code, intact.err, "FAILED" in intact.out) == (0, "", False)
    assert (flipped.code, "FAILED" in flipped.out) == (1, True)


@contextmanager
def published(artifact: Artifact, stack: Stack, log: Path) -> Iterator[str]:
    """The URL of such an environment behind a gateway with the pages."""
    pages = [("GET", path) for path in ("/registry", "/registry.sig", "/health")]
    with HttpGateway(0, pages) as gateway, emulated(artifact, stack, log) as emulator:
        one_at_a_time = threading.Lock()

        def invoke(event: dict[str, Any], _: object) -> dict[str, Any]:
            with one_at_a_time:
                return emulator.invoke(event)

        with gateway.serving(invoke):
            yield gateway.url


def test_the_function_verifies_its_files_when_it_is_invoked_for_that(
    artifact: Artifact, stack: Stack, tmp_path: Path
) -> None:
    digest = json.loads((artifact.opt / "registry" / "manifest.json").read_bytes())["digest"]
    with emulated(artifact, stack, tmp_path / "function.log") as emulator:
        assert emulator.invoke({"threegood": "verify"}) == {"digest": digest, "damaged": []}


def test_the_artifact_holds_what_is_run_and_nothing_else(artifact: Artifact) -> None:
    assert {path.name for path in artifact.task.iterdir()} - {"__pycache__"} == {
        "handler.py",
        "log_pages.py",
        "pages.py",
        "sources",
        prepared_of(artifact).name,
    }
    assert {path.name for path in artifact.opt.iterdir()} == {"python", "registry"}
    absent = ("boto3", "joserfc")  # the runtime has one, and only functions that verify tokens have the other
    assert [name for name in absent if (artifact.opt / "python" / name).exists()] == []


def prepared_of(artifact: Artifact) -> Path:
    """The prebuilt file for the registry of the artifact."""
    manifest = json.loads((artifact.opt / "registry" / "manifest.json").read_bytes())
    return Path(prebuilt_file(artifact.task, manifest["digest"]))


def test_a_query_is_answered_where_there_is_no_pydantic(
    artifact: Artifact, stack: Stack, tmp_path: Path
) -> None:
    bare = artifact._replace(opt=tmp_path / "opt")
    shutil.copytree(artifact.opt, bare.opt, ignore=shutil.ignore_patterns("pydantic", "pydantic_core"))
    with served(bare, stack, tmp_path / "function.log") as send:
        assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]


def test_the_artifact_is_small(artifact: Artifact) -> None:
    assert Environment(artifact.task, artifact.opt).unzipped_mb() <= MOST_MB


@pytest.mark.parametrize(
    ("layers_of_options", "missing"), [(["AuthorizationLayer"], NOT_SHIPPED), ([], NOT_SHIPPED | OF_TOKENS)]
)
def test_every_import_of_the_code_is_shipped_or_listed_as_missing(
    artifact: Artifact, layers_of_options: list[str], missing: set[str]
) -> None:
    wanted = sorted(imported_by(artifact))
    options = [artifact.build / name / "python" for name in layers_of_options]
    folders = [artifact.task, artifact.opt / "python", *options, runtime_packages(PYTHON)]
    path = ":".join(map(str, folders))
    ended = subprocess.run(
        [PYTHON.path, "-S", "-W", "error", "-c", _IMPORTED],
        env=plain_environment() | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        input=json.dumps(wanted),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert {"Stemmer", "aws_lambda_powertools", "pydantic", "rapidfuzz.distance"} < {*wanted}
    assert {*json.loads(ended.stdout)} == missing


def imported_by(artifact: Artifact) -> Iterator[str]:
    """The modules of our own code, and all that they name in an import, whenever it is done."""
    python = artifact.opt / "python"
    for root, folder in ((artifact.task, "sources"), (python, "mcpcore"), (python, "mcpcore_aws")):
        for path in (root / folder).rglob("*.py"):
            yield ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            for node in ast.walk(ast.parse(path.read_bytes())):
                yield from names_in(node)


def names_in(node: ast.AST) -> list[str]:
    """The modules that are imported by `node`."""
    match node:
        case ast.Import(names=names):
            return [each.name for each in names]
        case ast.ImportFrom(module=str() as module):
            return [module]
        case _:
            return []


@pytest.mark.skipif(
    PYTHON.version != WANTED, reason=f"there is no Python {WANTED} here, and others need more"
)
@pytest.mark.parametrize("kind", MODERN)
def test_a_first_request_imports_no_expensive_module(artifact: Artifact, stack: Stack, kind: str) -> None:
    variables = {**stack.variables, "REGISTRY_DIR": str(artifact.opt / "registry")}
    started = answering_deployed(
        PYTHON.path, artifact.task, artifact.opt / "python", [request(kind)], **variables
    )
    assert started.record() == ([200], [])


def test_the_error_for_invalid_arguments_has_the_reason(send: Send) -> None:
    refused = send(asking(query=5)).message()["result"]
    assert refused["isError"]
    assert "arguments for tool get_sources: query: " in refused["content"][0]["text"]


@of_the_project
def test_a_misspelt_query_is_read(send: Send) -> None:
    assert ranks(send(asking(query="kubernets tutrial"))) == [1, 2, 3]


@of_the_project
def test_the_reference_strategy_compares_whole_queries(
    artifact: Artifact, stack: Stack, tmp_path: Path
) -> None:
    with served(artifact, stack, tmp_path / "function.log", MATCH_STRATEGY="reference") as send:
        assert ranks(send(asking(query="lern rust"))) == [1, 2, 3]


@pytest.mark.parametrize(
    ("variables", "namespace"), [(POWERTOOLS, "Renamed"), ({}, "mcp")], ids=["all", "none"]
)
def test_requests_and_faults_are_logged_and_counted_with_every_variable_and_with_none(
    artifact: Artifact, stack: Stack, tmp_path: Path, variables: dict[str, str], namespace: str
) -> None:
    log = tmp_path / "function.log"
    plain = stack._replace(variables=without_powertools(stack.variables) | NO_STORE)
    with served(artifact, plain, log, **variables) as send:
        assert ranks(send(modern("tools/call", **CALL))) == [1, 2, 3]
        assert send(initialize()).status == 503
    called, failed = (json.loads(line) for line in log.read_text().splitlines() if '"_aws"' in line)
    assert (called["level"], called["method"]) == ("INFO", "tools/call")
    assert (failed["level"], failed["method"]) == ("ERROR", "initialize")
    assert "ConnectionRefusedError" in failed["exception"]
    assert (called["mcp_requests_total"], failed["mcp_requests_total"]) == (1, 1)
    assert called["_aws"]["CloudWatchMetrics"][0]["Namespace"] == namespace
    assert failed["_aws"]["CloudWatchMetrics"][0]["Namespace"] == namespace


def without_powertools(variables: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if not name.startswith("POWERTOOLS_")}


def test_an_entry_of_the_trim_list_that_matches_nothing_fails_the_build(
    tmp_path: Path,
) -> None:
    layer = tmp_path / "layer"
    shutil.copytree(ROOT / "layers" / "dependencies", layer)
    with (layer / "trim.txt").open("a") as listed:
        listed.write("pydantic/no_such_module.py\n")
    ended = subprocess.run(
        ["make", "build-DependenciesLayer"],
        cwd=layer,
        env=plain_environment()
        | {"ARCH": ARCHITECTURE, "RUNTIME_PYTHON": PYTHON.version, "UV": str(ROOT / ".venv-build/bin/uv")}
        | {"ARTIFACTS_DIR": str(tmp_path / "built")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ended.returncode != 0
    assert f"nothing is called pydantic/no_such_module.py in the packages for {ARCHITECTURE}" in ended.stderr


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


def test_packages_that_verify_tokens_are_shipped_only_if_there_is_an_issuer(artifact: Artifact) -> None:
    assert layers(ApiKeys="enabled", AuthGateway="jwt") == layers()
    assert {*layers(AuthIssuer="https://issuer.example")} - {*layers()} == {AUTHORIZATION}
    brought = {path.name for path in (artifact.build / AUTHORIZATION / "python").iterdir()}
    assert {"cryptography", "joserfc"} < brought
    assert brought.isdisjoint(path.name for path in (artifact.opt / "python").iterdir())


def test_no_two_layers_bring_the_same_file(artifact: Artifact) -> None:
    brought = [
        path.relative_to(artifact.build / layer)
        for layer in layers(AuthIssuer="https://issuer.example")
        for path in (artifact.build / layer).rglob("*")
        if path.is_file()
    ]
    assert len(brought) == len(set(brought))
