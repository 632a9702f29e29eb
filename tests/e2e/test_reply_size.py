"""The largest reply that Lambda's runtime sends, and what a client gets in place of a larger one."""

import json
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.emulator import Emulator, Python, running, runtime_packages
from tests.support.events import captured, with_body, with_headers
from tests.support.exchanges import Sent, modern
from tests.support.processes import ROOT

LIMIT_BYTES: Final = 6_291_556

FUNCTION: Final = '''
from mcpcore import MemorySessions, Server
from mcpcore_aws import LambdaAdapter

server = Server("large", version="1")

@server.tool()
def large_text(size: int) -> str:
    """Return a text of any size."""
    return "x" * size

adapter = LambdaAdapter(server, sessions=MemorySessions())

def handler(event, context):
    # Without an adapter: a reply of exactly so many bytes.
    return "x" * (event["bytes"] - 2) if "bytes" in event else adapter(event, context)
'''


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    """A server whose tool returns as much as the client wants, under Lambda's runtime client."""
    folder = tmp_path_factory.mktemp("function")
    (folder / "large.py").write_text(FUNCTION)
    python = Python(Path(sys.executable), f"{sys.version_info.major}.{sys.version_info.minor}")
    paths = (folder, ROOT / "layers/core", sysconfig.get_path("purelib"), runtime_packages(python))
    variables = {"PYTHONPATH": ":".join(map(str, paths))}
    with running(
        python, task=folder, opt=folder, handler="large.handler", variables=variables, log=folder / "log"
    ) as emulator:
        yield emulator


def called(function: Emulator, sent: Sent) -> dict[str, Any]:
    """The reply to a request through an HTTP API."""
    event = with_headers(with_body(captured("http_api"), sent.body.decode()), dict(sent.headers))
    return function.invoke(event)


def of_size(size: int) -> Sent:
    """A call whose result has so many characters."""
    return modern("tools/call", name="large_text", arguments={"size": size})


def test_the_limit_of_the_adapter_is_that_of_the_runtime(function: Emulator) -> None:
    with_one_more = function.invoke({"bytes": LIMIT_BYTES + 1})
    assert with_one_more["errorType"] == "Function.ResponseSizeTooLarge"

    less = called(function, of_size(6_000_000))
    largest = 6_000_000 + LIMIT_BYTES - len(json.dumps(less))
    assert len(json.dumps(called(function, of_size(largest)))) == LIMIT_BYTES


@pytest.mark.parametrize(
    ("sent", "status", "text"),
    [
        (of_size(7_000_000), 200, '"isError":true'),
        (modern("tools/list", "\x7f" * 900_000), 400, "id is longer than 1,000 characters"),
    ],
)
def test_a_client_gets_an_error_in_place_of_a_reply_that_would_end_the_runtime(
    function: Emulator, sent: Sent, status: int, text: str
) -> None:
    unescaped = json.dumps(json.loads(sent.body), ensure_ascii=False).encode()
    reply = called(function, sent._replace(body=unescaped))
    assert reply["statusCode"] == status
    assert text in reply["body"]
