"""A node over a baked folder, in this process, and somebody on the way who may change its answers."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from mcpcore import MemorySessions
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_local.gateway import HttpGateway, InvocationContext
from pages import Pages
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import build_strategy

__all__ = ["Tamper", "replacing", "signed_node"]

Tamper: TypeAlias = Callable[[str, str], str]
"""Gives another body for the path and the body of a reply."""

_PATHS = ("/registry", "/registry.sig", "/health")


def replacing(path: str, old: str, new: str) -> Tamper:
    """Who replaces a text in what is served under `path`."""
    return lambda at, body: body.replace(old, new) if at == path else body


@contextmanager
def signed_node(folder: Path, tamper: Tamper = lambda _path, body: body) -> Iterator[str]:
    """The URL of a node that serves the registry in `folder`."""
    registry = BakedRegistry.open(folder)
    server = build_server(registry, build_strategy("reference", registry))
    with HttpGateway(0, [("GET", path) for path in _PATHS]) as gateway:
        adapter = LambdaAdapter(
            server, sessions=MemorySessions(), policy=gateway.policy, pages=Pages(str(folder))
        )

        def handler(event: dict[str, Any], context: InvocationContext) -> Mapping[str, Any]:
            event["headers"].pop("accept-encoding", None)
            reply: dict[str, Any] = {**adapter(event, context)}
            reply["headers"] = {**reply["headers"]}
            reply["headers"].pop("content-length", None)
            return {**reply, "body": tamper(event["rawPath"], reply.get("body", ""))}

        with gateway.serving(handler):
            yield gateway.url
