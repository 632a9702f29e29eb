"""The hook lets traffic to a version whose tools answer, and to no other."""

import json
import runpy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest

from mcpcore.http import Policy
from tests.support.adapters import adapter
from tests.support.exchanges import Handler, LambdaContext
from tests.support.processes import DUMMY_ACCOUNT, ROOT
from tests.support.published import baked_folder
from tests.support.sam_template import load_template

HOOK: Final = runpy.run_path(str(ROOT / "functions/pretraffic/pretraffic.py"))
VARIABLES: Final = load_template()["Resources"]["PreTrafficHook"]["Properties"]["Environment"]["Variables"]
EXAMPLES: Final[dict[str, Any]] = json.loads(VARIABLES["EXAMPLES"])

Report = Callable[..., str]
"""What the hook tells CodeDeploy about a version whose handler is given."""


def product(monkeypatch: pytest.MonkeyPatch) -> Handler:
    for name, value in {"REGISTRY_DIR": str(baked_folder()), "SESSIONS_TABLE": "none"}.items():
        monkeypatch.setenv(name, value)
    handler: Handler = runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"]
    return handler


@contextmanager
def services(handler: Handler) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Lambda, which invokes `handler`, and CodeDeploy, at one address; and the requests to CodeDeploy."""
    reports: list[dict[str, Any]] = []

    class Services(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            failed = {}
            if self.path.endswith("/invocations"):
                try:
                    reply = handler(body, LambdaContext())
                except Exception as error:
                    reply, failed = {"errorMessage": str(error)}, {"X-Amz-Function-Error": "Unhandled"}
            else:
                assert self.headers["x-amz-target"].endswith(".PutLifecycleEventHookExecutionStatus")
                reports.append(body)
                reply = {}
            self.send_response(200)
            for name, value in failed.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(json.dumps(reply).encode())

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Services)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", reports
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Report:
    def status(handler: Handler, examples: dict[str, Any] = EXAMPLES) -> str:
        with services(handler) as (address, reports):
            given = {"AWS_ENDPOINT_URL": address, "VERSION": "mcp:7", "EXAMPLES": json.dumps(examples)}
            for name, value in (DUMMY_ACCOUNT | given).items():
                monkeypatch.setenv(name, value)
            monkeypatch.setenv("AWS_DEFAULT_REGION", DUMMY_ACCOUNT["AWS_REGION"])
            HOOK["lambda_handler"]({"DeploymentId": "d-1", "LifecycleEventHookExecutionId": "e-1"}, None)
        (call,) = reports
        assert (call["deploymentId"], call["lifecycleEventHookExecutionId"]) == ("d-1", "e-1")
        return str(call["status"])

    return status


def test_a_version_whose_tools_answer_gets_traffic(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    assert report(product(monkeypatch)) == "Succeeded"


def test_every_tool_of_the_product_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    handler, called = product(monkeypatch), set()

    def invoke(event: dict[str, Any]) -> dict[str, Any]:
        called.add(event["headers"].get("mcp-name", "tools/list"))
        return dict(handler(event, LambdaContext()))

    assert list(HOOK["failures"](invoke, EXAMPLES)) == []
    listed = invoke(HOOK["_event"]("tools/list", {}))
    names = {tool["name"] for tool in json.loads(listed["body"])["result"]["tools"]}
    assert called == names | {"tools/list"}


def test_a_version_with_a_broken_tool_gets_none(report: Report, capfd: pytest.CaptureFixture[str]) -> None:
    assert report(adapter(), {"get_sources": {"query": "rust"}}) == "Failed"
    assert "broken answered an error" in capfd.readouterr().out


def test_a_version_without_a_tool_that_it_should_have_gets_none(
    monkeypatch: pytest.MonkeyPatch, report: Report
) -> None:
    assert report(product(monkeypatch), {**EXAMPLES, "gone": {}}) == "Failed"


def test_with_authorization_a_version_gets_traffic_if_it_refuses_who_has_no_token(
    monkeypatch: pytest.MonkeyPatch, report: Report, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUTHORIZATION", "on")
    assert report(product(monkeypatch)) == "Failed"
    assert "a request without a token was answered 200" in capfd.readouterr().out

    monkeypatch.setenv("AUTH_ISSUER", "https://issuer.example")
    monkeypatch.setenv("CLIENT_DIGEST_KEY", "arn:aws:cloudformation:eu-west-1:123456789012:stack/any/1f")
    assert report(product(monkeypatch)) == "Succeeded"


def test_a_version_that_cannot_start_gets_none(report: Report, capfd: pytest.CaptureFixture[str]) -> None:
    def failing(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:  # noqa: ARG001
        raise RuntimeError("no module named mcpcore")

    assert report(failing) == "Failed"
    assert "no module named mcpcore" in capfd.readouterr().out


def test_tools_on_later_pages_are_called_and_a_question_is_no_answer() -> None:
    pages: dict[str | None, dict[str, Any]] = {
        None: {"tools": [{"name": "first", "inputSchema": {}}], "nextCursor": "2"},
        "2": {"tools": [{"name": "second", "inputSchema": {}}]},
    }

    answers: dict[str, dict[str, Any]] = {
        "first": {"content": []},
        "second": {"resultType": "input_required"},
    }

    def invoke(event: dict[str, Any]) -> dict[str, Any]:
        message = json.loads(event["body"])
        params = message["params"]
        listed = message["method"] == "tools/list"
        result = pages[params.get("cursor")] if listed else answers[params["name"]]
        return {"statusCode": 200, "body": json.dumps({"jsonrpc": "2.0", "id": 1, "result": result})}

    (found,) = HOOK["failures"](invoke, {})
    assert found.startswith("second asks the client something")


def test_only_the_host_that_is_allowed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "mcp.example")
    handler = adapter(policy=Policy(allowed_hosts=frozenset({"mcp.example"})))
    reply = handler(HOOK["_event"]("tools/list", {}), LambdaContext())
    assert reply["statusCode"] == 200
