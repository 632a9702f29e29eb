"""Processes of a function that are killed, starved or reused, under Lambda's Runtime Interface Emulator."""

import json
import os
import shutil
import signal
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.support.dynamodb import account_at, empty_table
from tests.support.emulator import Python, running, runtime_packages
from tests.support.exchanges import Send, Sent, initialize, legacy, modern, through_handler
from tests.support.faults import Fault, Proxy, Request, faulty, passed
from tests.support.processes import ROOT
from tests.support.questions import ADA
from tests.support.resuming import Caller, connect, last_id, messages, question_id, text_of, waits

pytestmark = pytest.mark.artifact

# The interpreter of the tests, because it shares their packages.
PYTHON: Final = Python(Path(sys.executable), f"{sys.version_info.major}.{sys.version_info.minor}")
TASK: Final = ROOT / "tests" / "support" / "faulty_function"
LAYERS: Final = (str(ROOT / "layers" / "core"), sysconfig.get_path("purelib"))

# A claim ends one second after the time limit of the function.
TIMEOUT_SECONDS: Final = 6
SERVER_ERROR: Final = 500  # of an HTTP API; a REST API and a load balancer answer 502


class Function(NamedTuple):
    """The function in an environment of its own, and what it has logged so far."""

    send: Send
    log: Path

    def process(self) -> int:
        """The id of the process that serves now."""
        return int(text_of(self.send(modern("tools/call", name="process")).message())[1])


@contextmanager
def function(proxy: Proxy, table: str, folder: Path, layers: tuple[str, ...] = LAYERS) -> Iterator[Function]:
    """An invocation without a reply is answered as a gateway answers it."""
    task, log, runtime = folder / "task", folder / "function.log", runtime_packages(PYTHON)
    shutil.copytree(TASK, task, ignore=shutil.ignore_patterns("__pycache__"))
    variables = {
        **account_at(proxy.endpoint),
        "SESSIONS_TABLE": table,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(TIMEOUT_SECONDS),
        "PYTHONPATH": ":".join([str(task), *layers, str(runtime)]),
    }
    handler = "handler.lambda_handler"
    with running(PYTHON, task=task, opt=task, handler=handler, variables=variables, log=log) as emulator:

        def invoke(event: dict[str, Any], _: object) -> dict[str, Any]:
            reply = emulator.invoke(event)
            if "statusCode" in reply:
                return reply
            body = {"body": json.dumps(reply), "isBase64Encoded": False}
            return {"statusCode": SERVER_ERROR, "headers": {}, **body}

        yield Function(through_handler(invoke), log)


@pytest.fixture(scope="module")
def proxy(dynamodb: str) -> Iterator[Proxy]:
    with faulty(dynamodb) as running_proxy:
        yield running_proxy


@pytest.fixture(scope="module")
def served(proxy: Proxy, shared_table: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Function]:
    with function(proxy, shared_table, tmp_path_factory.mktemp("faulty")) as running_function:
        yield running_function


@pytest.fixture(autouse=True)
def _empty(dynamodb: str, shared_table: str, proxy: Proxy) -> None:
    empty_table(dynamodb, shared_table)
    proxy.faults.clear()


def killing(process: int, *, executed: bool) -> Fault:
    """The process that sent the request is killed, after the request was executed or before."""

    def kill(request: Request) -> Iterator[bytes]:
        if executed:
            request.forward()
        os.kill(process, signal.SIGKILL)
        yield b""

    return kill


@pytest.mark.parametrize("executed", [False, True])
def test_a_session_can_be_opened_after_its_process_was_killed_at_the_write(
    served: Function, proxy: Proxy, executed: bool
) -> None:
    killed = served.process()
    proxy.faults.append(killing(killed, executed=executed))
    assert served.send(initialize()).status == SERVER_ERROR
    assert connect(served.send).request("tools/list").status == 200
    assert served.process() != killed


def answered(served: Function) -> tuple[Caller, str]:
    """A client that has answered a question, and the event id from which it resumes."""
    caller = connect(served.send)
    asked = caller.call("charge")
    caller.answer(question_id(asked), **ADA)
    return caller, last_id(asked)


def charges(served: Function) -> int:
    return served.log.read_text().count("charged in")


def test_a_result_that_was_saved_survives_its_process(served: Function, proxy: Proxy) -> None:
    (caller, position), killed, before = answered(served), served.process(), charges(served)
    # The session, the exchange, the claim, then the result.
    proxy.faults.extend([passed, passed, passed, killing(killed, executed=True)])
    assert caller.resume(position).status == SERVER_ERROR
    (result,) = messages(caller.resume(position))
    assert text_of(result) == (False, f"Ada was charged in {killed}")
    assert charges(served) == before + 1


def test_a_request_whose_process_was_killed_before_saving_is_run_again_after_its_claim(
    served: Function, proxy: Proxy
) -> None:
    (caller, position), killed, before = answered(served), served.process(), charges(served)
    proxy.faults.extend([passed, passed, passed, killing(killed, executed=False)])
    assert caller.resume(position).status == SERVER_ERROR
    assert waits(caller.resume(position))
    time.sleep(TIMEOUT_SECONDS + 1)
    (result,) = messages(caller.resume(position))
    assert text_of(result) == (False, f"Ada was charged in {served.process()}")
    assert charges(served) == before + 2


def test_a_tool_that_takes_all_memory_ends_no_session(served: Function) -> None:
    caller = connect(served.send)
    noticed = caller.call("hoard")
    assert (noticed.status, text_of(noticed.message())[0]) == (200, True)
    assert caller.call("die").status == SERVER_ERROR
    assert text_of(caller.call("process").message())[0] is False


def test_without_a_layer_every_invocation_fails_by_name(
    proxy: Proxy, shared_table: str, tmp_path: Path
) -> None:
    with function(proxy, shared_table, tmp_path, layers=()) as bare:
        replies = [bare.send(modern("tools/list")) for _ in range(2)]
    assert [reply.status for reply in replies] == [SERVER_ERROR] * 2
    assert all(b"No module named 'mcpcore'" in reply.body for reply in replies)


CANARY: Final = "canary-7f3a"


def poisons(session: str) -> list[Sent]:
    """Requests that bring the canary wherever a client's text may be: arguments, headers, names, ids."""
    headers = {"x-canary": CANARY, "user-agent": CANARY, "mcp-session-id": CANARY, "origin": CANARY}
    call: dict[str, Any] = {"name": "keep", "arguments": {"text": CANARY}}
    refused: dict[str, Any] = {"name": "keep", "arguments": {"text": f"refuse {CANARY}"}}
    broken = modern("tools/list")
    return [
        modern("tools/call", CANARY, **call),
        modern("tools/call", **refused),
        modern("tools/call", name=CANARY, arguments={CANARY: CANARY}),
        modern(CANARY),
        broken._replace(body=CANARY.encode()),
        broken._replace(headers={**broken.headers, **headers}),
        legacy("tools/call", CANARY, session=session, **call),
        legacy("logging/setLevel", session=session, level="debug"),
        legacy("tools/call", session=session, **refused),
        legacy(CANARY, session=session),
        legacy("tools/list", session=CANARY),
    ]


def test_nothing_of_one_request_shows_in_the_next(served: Function) -> None:
    opening = legacy(
        "initialize",
        protocolVersion="2025-11-25",
        capabilities={"experimental": {CANARY: {}}},
        clientInfo={"name": CANARY, "version": CANARY},
    )
    session = served.send(opening).headers["mcp-session-id"]
    other = connect(served.send)
    shown = []
    for poison in poisons(session):
        served.send(poison)
        before = len(served.log.read_text())
        replies = [served.send(modern("tools/call", name="process")), other.call("charge")]
        shown.append(f"{replies}{served.log.read_text()[before:]}")
    assert CANARY in served.log.read_text()  # the poison has arrived
    assert [text for text in shown if CANARY in text or session in text] == []
