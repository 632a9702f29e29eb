"""The composition root of the product: `lambda_handler`, put together once per cold start."""

import os
from functools import cache, partial
from typing import Any, Final

from mcpcore_aws import (
    DryRequest,
    EnvironmentReader,
    Event,
    LambdaAdapter,
    LambdaContext,
    LambdaInvocation,
    Pages,
)
from sources.baked import BakedRegistry
from sources.catalog import open_server
from sources.settings import ProductSettings, read_settings

# A misspelt query loads the spelling comparison, and a wrong argument pydantic: one request for each.
_DRY_REQUESTS: Final = (
    DryRequest("tools/list"),
    *(
        DryRequest("tools/call", {"name": "get_sources", "arguments": {"query": query}})
        for query in ("learn rust", "lern ruts progrmming", 5)
    ),
)
# Every event source adds a `requestContext`, so only who may invoke the function itself can send this.
_VERIFY: Final = {"threegood": "verify"}


class _Handler(LambdaAdapter):
    """The adapter; to the event `_VERIFY` it replies which files of the registry are damaged."""

    def __call__(self, event: Event, context: LambdaContext) -> dict[str, Any]:
        return _verification() if event == _VERIFY else super().__call__(event, context)


def _verification() -> dict[str, Any]:
    registry = BakedRegistry.open(read_settings(EnvironmentReader(os.environ)).registry_dir)
    return {"digest": registry.manifest.digest, "damaged": registry.damaged_files()}


def _open_pages(settings: ProductSettings) -> Pages:
    return lambda request: _pages(settings.registry_dir)(request)


@cache
def _pages(registry_dir: str) -> Pages:
    from pages import Pages as ProductPages  # most cold starts serve MCP alone

    return ProductPages(registry_dir)


def _base_url(transport: object) -> str:
    """The URL to which a client would add the path of a page; empty if the event does not state it."""
    if not isinstance(transport, LambdaInvocation):
        return ""
    event = transport.event
    domain = event["requestContext"].get("domainName")
    prefix, mcp, _ = event.get("rawPath", "").rpartition("/mcp")
    scheme = (event.get("headers") or {}).get("x-forwarded-proto")
    return f"https://{domain}{prefix}" if domain and mcp and scheme == "https" else ""


lambda_handler: Final = _Handler.from_environment(
    partial(open_server, base_url=_base_url),
    settings=read_settings,
    pages=_open_pages,
    dry_requests=_DRY_REQUESTS,
)
