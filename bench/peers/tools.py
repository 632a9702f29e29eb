"""The four tools of the peers that take typed functions."""

from typing import Annotated, Any, Final

from pydantic import Field

from .work import find, slugs


def get_sources(query: Annotated[str, Field(min_length=1, max_length=500)]) -> dict[str, Any]:
    """Get the three best sources on a topic, ranked by a curator, each with the reason why."""
    return find(query)


def list_categories() -> list[str]:
    """List every topic that the registry covers."""
    return slugs()


def get_provenance() -> str:
    """Get the curator's name and public key, and how to verify the registry."""
    return "A curator, and a key."


def get_endorsements() -> str:
    """Get the people and projects that stand for this registry."""
    return "None yet."


TOOLS: Final = (get_sources, list_categories, get_provenance, get_endorsements)
