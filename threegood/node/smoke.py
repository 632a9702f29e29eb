"""Calls a node as clients do, and compares what it answers with the registry that was baked here."""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from mcpcore.http.authorization import CHALLENGE_COPY
from sources.baked import BakedRegistry
from sources.resources import REGISTRY_URI

__all__ = [
    "ERAS",
    "Check",
    "Endpoint",
    "check_files",
    "check_mcp",
    "check_registry",
    "connected",
    "same_host",
    "sentence",
]

ERAS: Final = {"2026-07-28": "2026-07-28", "handshake": "legacy"}
"""How a client connects in each era, as the official SDK names it."""

_TIMEOUT_SECONDS: Final = 30.0
_VERIFY: Final = json.dumps({"threegood": "verify"})
_MAX_QUOTED: Final = 300

_UNREACHABLE: Final = "Is the URL right and the stack deployed? The API's access log has what arrived."
_UNAUTHORIZED: Final = (
    "MCP_TOKEN must have an access token or API key for this server."
    " docs/authorization.md says what each error means."
)
_TOOL_FAILED: Final = (
    "The function's log has the reason, in the line of this request (tool, outcome, reason)."
)
_OTHER_REGISTRY: Final = (
    "The node serves another registry than is baked here: deploy again, or bake that one."
)
_NO_REGISTRY_PAGE: Final = "The route GET /registry, or the registry's file behind it, is missing or damaged."
_FILES_DAMAGED: Final = "Files of the registry layer are not as they were baked: run make deploy again."


class Endpoint(NamedTuple):
    """The MCP endpoint of a node, and the access token or API key that it needs, if any."""

    url: str
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The headers that a client sends with every request."""
        return {"authorization": f"Bearer {self.token}"} if self.token else {}


class Check(NamedTuple):
    """What one check found, and where to look if it failed; `ok` is None if it was not made."""

    name: str
    ok: bool | None
    says: str
    advice: str = ""


class _Example(NamedTuple):
    """Arguments of a tool, and whether structured content is the right answer to them."""

    arguments: Mapping[str, Any]
    is_right: Callable[[Mapping[str, Any]], bool]


def check_mcp(endpoint: Endpoint, era: str, registry: BakedRegistry) -> Iterator[Check]:
    """Connects to an MCP endpoint, lists its tools, and calls each that has an example."""
    yield from asyncio.run(_check_mcp(endpoint, era, registry))


def check_registry(endpoint: Endpoint, registry: BakedRegistry) -> Iterator[Check]:
    """Follows the resource of the registry to its whole text, and compares that with the digest."""
    name, digest = "GET /registry", registry.manifest.digest
    try:
        address = urljoin(endpoint.url, asyncio.run(_address_of_registry(endpoint)))
        headers = endpoint.headers if same_host(address, endpoint.url) else {}
        response = httpx2.get(address, headers=headers, timeout=_TIMEOUT_SECONDS).raise_for_status()
    except _Challenged as challenged:
        yield _refused(name, endpoint, challenged)
        return
    except Exception as error:  # whatever it is, it is what the check has found
        yield Check(name, False, sentence(error), _NO_REGISTRY_PAGE)
        return
    found = f"sha256:{hashlib.sha256(response.content).hexdigest()}"
    if found != digest:
        yield Check(name, False, f"it has the digest {found}, not {digest}", _OTHER_REGISTRY)
    else:
        yield Check(name, True, f"{len(response.content)} bytes, {digest}")


def check_files(function: str | None, registry: BakedRegistry) -> Iterator[Check]:
    """Has the function verify its baked files whole: only who may invoke it can ask for that."""
    name = "baked files"
    if function is None:
        yield Check(name, None, "not verified: --function names the function that can verify them")
        return
    import boto3  # only a deployed function needs it

    try:
        # As the SAM CLI does, and unlike boto3 by itself, which reads AWS_DEFAULT_REGION alone.
        client = boto3.client("lambda", region_name=os.environ.get("AWS_REGION") or None)
        reply = client.invoke(FunctionName=function, Payload=_VERIFY)
        verified = json.loads(reply["Payload"].read())
        damaged, digest = verified["damaged"], verified["digest"]
    except Exception as error:  # whatever it is, it is what the check has found
        yield Check(name, False, sentence(error), f"May you invoke {function}? {_FILES_DAMAGED}")
        return
    if damaged:
        yield Check(name, False, f"damaged: {', '.join(damaged)}", _FILES_DAMAGED)
    elif digest != registry.manifest.digest:
        yield Check(name, False, f"they are of {digest}", _OTHER_REGISTRY)
    else:
        yield Check(name, True, "every byte is as it was baked")


class _Challenged(Exception):
    """The node has answered with a challenge: its status and text. The SDK's error has neither."""


def _refused(name: str, endpoint: Endpoint, challenged: _Challenged) -> Check:
    """Without a token a refusal is right, and nothing more can be checked."""
    if endpoint.token:
        return Check(name, False, str(challenged), _UNAUTHORIZED)
    return Check(name, None, f"refused without a token, as it should be ({challenged}); MCP_TOKEN lets it in")


@asynccontextmanager
async def connected(endpoint: Endpoint, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of the node.

    Raises:
        _Challenged: the node wants another token, or one at all.
    """
    challenges: list[str] = []

    async def record(response: httpx2.Response) -> None:
        if challenge := response.headers.get(CHALLENGE_COPY):
            challenges.append(f"{response.status_code}, {challenge}")

    hooks, headers = {"response": [record]}, endpoint.headers
    try:
        async with httpx2.AsyncClient(headers=headers, timeout=_TIMEOUT_SECONDS, event_hooks=hooks) as http:
            transport = streamable_http_client(endpoint.url, http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=_TIMEOUT_SECONDS) as client:
                yield client
    except Exception as error:
        if challenges:
            raise _Challenged(challenges[-1]) from error
        raise


async def _check_mcp(endpoint: Endpoint, era: str, registry: BakedRegistry) -> list[Check]:
    examples, found = _examples(registry), []
    try:
        async with connected(endpoint, ERAS[era]) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            found.append(Check(f"{era}: connect", True, f"{client.protocol_version}, {len(tools)} tools"))
            found += [
                await _called(client, f"{era}: {tool}", tool, examples.get(tool))
                for tool in dict.fromkeys([*tools, *examples])
            ]
    except _Challenged as challenged:
        found.append(_refused(f"{era}: connect", endpoint, challenged))
    except Exception as error:  # whatever it is, it is what the check has found
        found.append(Check(f"{era}: connect", False, sentence(error), _UNREACHABLE))
    return found


async def _called(client: Client, name: str, tool: str, example: _Example | None) -> Check:
    if example is None:
        return Check(name, None, "not called: there is no example for it")
    try:
        result = await client.call_tool(tool, dict(example.arguments))
    except Exception as error:  # whatever it is, it is what the check has found
        return Check(name, False, sentence(error), _TOOL_FAILED)
    if result.is_error:
        texts = [block.text for block in result.content if isinstance(block, TextContent)]
        return Check(name, False, " ".join(texts)[:_MAX_QUOTED], _TOOL_FAILED)
    if not example.is_right(result.structured_content or {}):
        return Check(name, False, "another answer than the registry here has", _OTHER_REGISTRY)
    return Check(name, True, "the answer of the registry here")


def _examples(registry: BakedRegistry) -> dict[str, _Example]:
    """An example for each tool, from the registry: a slug as a query finds its category."""
    slug = next(registry.slugs())
    answer = registry.answer(slug)
    sources = [] if answer is None else answer.structured["sources"]
    pages = {
        "list_categories": "categories",
        "get_provenance": "provenance",
        "get_endorsements": "endorsements",
    }
    return {
        "get_sources": _Example({"query": slug}, lambda found: found.get("sources") == sources),
        "search_categories": _Example(
            {"query": slug}, lambda found: slug in [each["slug"] for each in found.get("categories", ())]
        ),
        "get_audit_log": _Example({}, lambda found: found.get("matching") == len(registry.log())),
        **{tool: _page_example(registry, page) for tool, page in pages.items()},
    }


def _page_example(registry: BakedRegistry, page: str) -> _Example:
    expected = registry.page(page).structured
    return _Example({}, lambda found: found == expected)


async def _address_of_registry(endpoint: Endpoint) -> str:
    async with connected(endpoint, "auto") as client:
        (contents,) = (await client.read_resource(REGISTRY_URI)).contents
        address: str = json.loads(contents.model_dump()["text"])["document"]
        return address


def same_host(address: str, url: str) -> bool:
    """Whether a token for `url` may be sent to `address`, which the node has named."""
    return urlsplit(address)[:2] == urlsplit(url)[:2]


def sentence(error: BaseException) -> str:
    """An exception as the finding of a check: of several, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:_MAX_QUOTED]
