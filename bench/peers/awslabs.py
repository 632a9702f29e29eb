"""Four text tools on awslabs.mcp-lambda-handler, without sessions, as in its first example."""

from typing import Any

from awslabs.mcp_lambda_handler import MCPLambdaHandler  # type: ignore[import-not-found]  # as in asgi.py

from .work import as_text, find, slugs

mcp = MCPLambdaHandler(name="three-good-sources", version="1.0.0")


@mcp.tool()  # type: ignore[untyped-decorator]  # from a package that is not here
def get_sources(query: str) -> str:
    """Get the three best sources on a topic, ranked by a curator, each with the reason why.

    Args:
        query: The topic in a few plain words
    """
    return as_text(find(query))


@mcp.tool()  # type: ignore[untyped-decorator]  # from a package that is not here
def list_categories() -> str:
    """List every topic that the registry covers."""
    return "\n".join(slugs())


@mcp.tool()  # type: ignore[untyped-decorator]  # from a package that is not here
def get_provenance() -> str:
    """Get the curator's name and public key, and how to verify the registry."""
    return "A curator, and a key."


@mcp.tool()  # type: ignore[untyped-decorator]  # from a package that is not here
def get_endorsements() -> str:
    """Get the people and projects that stand for this registry."""
    return "None yet."


def lambda_handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """The handler of its documentation."""
    reply: dict[str, Any] = mcp.handle_request(event, context)
    return reply
