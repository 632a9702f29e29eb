"""`module:attribute` on the command line: what it may name, and the error for everything else."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpcore import BuiltServer, Server
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_local.loading import LoadError, load

SERVED = """
from mcpcore import MemorySessions, Server
from mcpcore_aws.adapter import LambdaAdapter

server = Server("greeter", version="1")
built = server.build()
number = 7

def make():
    return server

def make_nothing():
    return None

def lambda_handler(event, context):
    return {}

adapter = LambdaAdapter(server, sessions=MemorySessions())
"""


@pytest.fixture(autouse=True)
def _modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "served.py").write_text(SERVED)
    (tmp_path / "importing.py").write_text("import not_installed")
    (tmp_path / "failing.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("served", None)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("served", Server),
        ("served:server", Server),
        ("served:built", BuiltServer),
        ("served:make", Server),
        ("served:adapter", LambdaAdapter),
        ("served:lambda_handler", type(lambda: None)),
    ],
)
def test_a_server_a_factory_and_a_handler_are_found(target: str, expected: type[Any]) -> None:
    assert type(load(target)) is expected


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("served:number", "served:number is of type int; expected a Server"),
        ("served:make_nothing", r"served:make_nothing\(\) is of type NoneType; expected a Server"),
        ("served:Server", "served:Server is of type type; expected a Server"),
        ("served:other", "the module served has no attribute other"),
        ("absent:server", "there is no module absent in /.* or among the installed packages"),
        ("served.absent:server", "there is no module served.absent in /"),
        ("./served.py", "'./served.py' is not a module: write module:attribute"),
        (":server", "'' is not a module: write module:attribute"),
    ],
)
def test_a_target_that_leads_to_no_server_is_an_error_that_says_why(target: str, message: str) -> None:
    with pytest.raises(LoadError, match=f"^{message}"):
        load(target)


@pytest.mark.parametrize(
    ("target", "error"), [("importing", ModuleNotFoundError), ("failing", ZeroDivisionError)]
)
def test_an_error_inside_the_module_is_raised_as_it_is(target: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        load(target)
