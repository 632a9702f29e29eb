"""The tools, as plain typed methods over a registry and a strategy; `catalog` says how they are offered."""

from typing import Annotated, Any, Final, cast

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
from sources.baked import Answer, BakedRegistry
from sources.matching import Match, Ranking, Strategy

# How many categories a refusal names: enough to find a near miss, few enough to read.
CLOSEST: Final = 3

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
        self._strategy = strategy

    def get_sources(
        self, query: Query, threshold: Threshold | None = None, *, context: Context
    ) -> ToolResult[SourcesResult]:
        """The three sources for what `query` asks, from the category that matches it best.

        Raises:
            ToolError: no category reaches `threshold`, or the query holds nothing to match; the text says
                which, names the closest categories, and tells how to go on.
        """
        needed = self._strategy.threshold if threshold is None else threshold
        ranking = self._strategy.rank(query, limit=CLOSEST)
        match = ranking.accepted(needed)
        if match is None:
            context.count("no_matches")
            raise ToolError(self._refusal(ranking, needed))
        context.count("matches")
        answer = self._answer(match.slug)
        found = cast("CategoryAnswer", answer.structured)
        structured = SourcesResult(
            category=found["category"], sources=found["sources"], match=_explained(match, self._strategy)
        )
        return ToolResult(structured=structured, text=answer.text)

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

    def _answer(self, slug: str) -> Answer:
        answer = self._registry.answer(slug)
        if answer is None:
            raise LookupError(f"The index names the category {slug}, but no answer was baked for it.")
        return answer

    def _refusal(self, ranking: Ranking, threshold: float) -> str:
        if not ranking.terms:
            return _NOTHING_TO_MATCH
        closest = "\n".join(
            f"- {self._name(match.slug)} ({match.slug}): {match.score:.2f}" for match in ranking.matches
        )
        return (
            f"No category matches this query: none reaches the score of {threshold:.2f}. The closest are:\n"
            f"{closest}\n"
            "If one of them is meant, ask again with its name. Otherwise rephrase: name only the topic, in "
            "two to four words. list_categories shows all there is; if the topic is not there, this registry "
            "has no sources for it."
        )

    def _name(self, slug: str) -> str:
        name: Any = self._answer(slug).structured["category"]["name"]
        return str(name)


def _explained(match: Match, strategy: Strategy) -> MatchExplanation:
    return MatchExplanation(
        score=match.score, strategy=strategy.name, phrase=match.phrase, terms=list(match.terms)
    )


_NOTHING_TO_MATCH: Final = (
    "No category matches this query: without stop words, punctuation and symbols nothing is left of it. "
    "Name the topic in two to four words, such as learn rust. list_categories shows all there is."
)
