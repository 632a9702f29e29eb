"""CodeDeploy's hook before a new version gets traffic: it calls the version's tools, and reports the result.

The version is invoked directly, as the API would invoke it, because no route leads to it yet. With
authorization on, the hook has no token, and checks that the version refuses it. It needs only boto3, which
Lambda's runtime contains, and knows the server by MCP alone.
"""

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

__all__ = ["failures", "lambda_handler"]

Invoke = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends an event of an HTTP API to the version, and gives its reply."""

_REVISION: Final = "2026-07-28"


def lambda_handler(event: dict[str, str], context: object) -> None:  # noqa: ARG001  # Lambda passes it
    """Call the version that `VERSION` names, and tell CodeDeploy whether it may get traffic."""
    import boto3  # in Lambda's runtime, and slow to import

    client = boto3.client("lambda")

    def invoke(request: dict[str, Any]) -> dict[str, Any]:
        reply = client.invoke(FunctionName=os.environ["VERSION"], Payload=json.dumps(request).encode())
        answer = json.load(reply["Payload"])
        if "FunctionError" in reply:
            raise RuntimeError(f"the version failed: {answer}")
        return dict(answer)

    found = _found(invoke)
    for line in found:
        print(line)  # noqa: T201  # the log of the hook
    boto3.client("codedeploy").put_lifecycle_event_hook_execution_status(
        deploymentId=event["DeploymentId"],
        lifecycleEventHookExecutionId=event["LifecycleEventHookExecutionId"],
        status="Failed" if found else "Succeeded",
    )


def failures(invoke: Invoke, examples: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A sentence for each tool that does not answer its call in `examples`.

    Tools that need no argument are called without any; other tools without an example are not called.
    """
    listed = list(_listed(invoke))
    for tool in listed:
        name = tool["name"]
        if name not in examples and tool["inputSchema"].get("required"):
            continue
        result = _called(invoke, "tools/call", {"name": name, "arguments": examples.get(name, {})})
        if result.get("resultType") == "input_required":
            yield f"{name} asks the client something: give it an example that it answers at once"
        elif result.get("isError"):
            yield f"{name} answered an error: {json.dumps(result['content'])}"
    for name in sorted(examples.keys() - {tool["name"] for tool in listed}):
        yield f"{name} has an example, and is not listed"


def _listed(invoke: Invoke) -> Iterator[dict[str, Any]]:
    """The tools of all pages of the list."""
    page: dict[str, Any] = {"nextCursor": None}
    while "nextCursor" in page:
        cursor = page["nextCursor"]
        page = _called(invoke, "tools/list", {} if cursor is None else {"cursor": cursor})
        yield from page["tools"]


def _found(invoke: Invoke) -> list[str]:
    try:
        if os.environ.get("AUTHORIZATION") == "on":
            return list(_not_refused(invoke))
        return list(failures(invoke, json.loads(os.environ["EXAMPLES"])))
    except Exception as error:  # whatever it is, CodeDeploy must hear of it, or it waits for an hour
        return [f"the version cannot be called: {error!r}"]


def _not_refused(invoke: Invoke) -> Iterator[str]:
    """A sentence if the version answers a request without a token in another way than with 401."""
    reply = invoke(_event("tools/list", {}))
    if reply["statusCode"] != 401:
        yield f"a request without a token was answered {reply['statusCode']}: {reply['body']}"


def _called(invoke: Invoke, method: str, params: dict[str, Any]) -> dict[str, Any]:
    reply = invoke(_event(method, params))
    message = json.loads(reply["body"])
    if reply["statusCode"] != 200 or "result" not in message:
        raise RuntimeError(f"{method} was answered {reply['statusCode']}: {reply['body']}")
    return dict(message["result"])


def _event(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """An event of an HTTP API, format 2.0, with a request of the modern era."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": _REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "pretraffic", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "host": os.environ.get("HOST", ""),
        "mcp-protocol-version": _REVISION,
        "mcp-method": method,
    }
    if "name" in params:
        headers["mcp-name"] = params["name"]
    return {
        "version": "2.0",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "domainName": "pretraffic.invalid",
            "http": {"method": "POST", "path": "/mcp", "sourceIp": "127.0.0.1"},
        },
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }
