"""FastMCP behind Mangum: stateless, JSON answers."""

from typing import Annotated, Any

from fastmcp import FastMCP  # type: ignore[import-not-found]  # as in asgi.py
from pydantic import Field

from ..asgi import as_lambda_handler
from ..work import find, listed

server = FastMCP("three-good-sources", version="1.0.0")


@server.tool  # type: ignore[untyped-decorator]  # from a package that is not here
def get_sources(query: Annotated[str, Field(min_length=1, max_length=500)]) -> dict[str, Any]:
    """Get the three best sources on a topic, ranked by a curator, each with the reason why."""
    return find(query)


@server.tool  # type: ignore[untyped-decorator]  # from a package that is not here
def list_categories() -> list[str]:
    """List every topic that the registry covers."""
    return listed()


@server.tool  # type: ignore[untyped-decorator]  # from a package that is not here
def get_provenance() -> str:
    """Get the curator's name and public key, and how to verify the registry."""
    return "A curator, and a key."


@server.tool  # type: ignore[untyped-decorator]  # from a package that is not here
def get_endorsements() -> str:
    """Get the people and projects that stand for this registry."""
    return "Nobody yet."


# The gateway answers for host and origin.
lambda_handler = as_lambda_handler(
    server.http_app(json_response=True, stateless_http=True, host_origin_protection=False)
)
