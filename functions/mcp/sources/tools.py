"""The tools, as plain typed methods over a registry and a strategy; `catalog` says how they are offered."""

from typing import Annotated, cast

from pydantic import Field

from mcpcore import Context, ToolError, ToolResult
from sources.answers import (
    CategoriesResult,
    CategoryAnswer,
    EndorsementsResult,
    MatchExplanation,
    ProvenanceResult,
    SourcesResult,
)
from sources.baked import BakedRegistry
from sources.finding import Finder, Found, NotFound
from sources.matching import Strategy

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description='The topic in a few plain words, such as "learn rust" or "self-hosted email".',
    ),
]
Threshold = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        description=(
            "The least score of a match that is good enough: higher is stricter. "
            "Leave it out for the server's own setting."
        ),
    ),
]


class RegistryTools:
    """What an agent can ask of a registry."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy) -> None:
        self._registry = registry
        self._finder = Finder(registry, strategy)

    def get_sources(
        self, query: Query, threshold: Threshold | None = None, *, context: Context
    ) -> ToolResult[SourcesResult]:
        """The three sources for what `query` asks, from the category that matches it best.

        Raises:
            ToolError: no category reaches `threshold`, or the query holds nothing to match; the text says
                which, names the closest categories, and tells how to go on.
        """
        found = self._finder.find(query, threshold)
        if isinstance(found, NotFound):
            context.count("no_matches")
            raise ToolError(found.reason)
        context.count("matches")
        category = cast("CategoryAnswer", found.answer.structured)
        structured = SourcesResult(
            category=category["category"], sources=category["sources"], match=_explained(found)
        )
        return ToolResult(structured=structured, text=found.answer.text)

    def list_categories(self) -> ToolResult[CategoriesResult]:
        """Every category of the registry."""
        answer = self._registry.page("categories")
        return ToolResult(structured=cast("CategoriesResult", answer.structured), text=answer.text)

    def get_provenance(self) -> ToolResult[ProvenanceResult]:
        """Whose judgement the registry is, which version of it this is, and how to verify both."""
        answer = self._registry.page("provenance")
        return ToolResult(structured=cast("ProvenanceResult", answer.structured), text=answer.text)

    def get_endorsements(self) -> ToolResult[EndorsementsResult]:
        """Who else stands for the registry."""
        answer = self._registry.page("endorsements")
        return ToolResult(structured=cast("EndorsementsResult", answer.structured), text=answer.text)


def _explained(found: Found) -> MatchExplanation:
    match = found.match
    return MatchExplanation(
        score=match.score, strategy=found.strategy, phrase=match.phrase, terms=list(match.terms)
    )
