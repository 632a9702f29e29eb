"""What the tools answer, as types: structured content, and the output schemas that come from these."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from sources.source_types import SourceType

Slug = Annotated[str, Field(description="The category's stable name in addresses.")]
PublicKey = Annotated[str, Field(description='"ed25519:" and 64 hexadecimal digits.')]
Score = Annotated[float, Field(ge=0, le=1, description="How well the category matches; 1 is perfect.")]


class CategorySummary(TypedDict):
    """A topic that the registry covers."""

    slug: Slug
    name: str
    description: str


class RankedSource(TypedDict):
    """One of the three sources of a category."""

    rank: Annotated[int, Field(ge=1, le=3, description="1 is the source to read first.")]
    name: str
    url: str
    type: SourceType
    why: Annotated[str, Field(description="The curator's reason for this source and rank.")]
    http_reason: NotRequired[Annotated[str, Field(description="Why the URL is not https.")]]


class MatchedTerm(TypedDict):
    """Words of the query that speak for a category."""

    words: Annotated[str, Field(description="Words of the query, normalised.")]
    field: Annotated[
        str,
        Field(
            description=(
                "Where the category has them: slug, name, alias, keyword, pattern, description or source; "
                "or phrase, if the whole query was compared with the phrase nearest to it."
            )
        ),
    ]
    read_as: NotRequired[
        Annotated[str, Field(description="What the category has instead, if it is spelt otherwise.")]
    ]


Terms = Annotated[
    list[MatchedTerm], Field(max_length=8, description="What of the query matched, best first.")
]


class ScoredName(TypedDict):
    """A category and how well it matches."""

    slug: Slug
    name: str
    score: Score


class MatchExplanation(TypedDict):
    """Why this category was taken to be what the query asks for."""

    score: Score
    strategy: Annotated[str, Field(description="The way of matching that made the score.")]
    terms: Terms
    runner_up: Annotated[
        ScoredName | None, Field(description="The category that comes next; null if nothing speaks for any.")
    ]


class ScoredCategory(CategorySummary):
    """A topic that the registry covers, and how well it matches."""

    score: Score


class RankedCategory(ScoredCategory):
    """A topic that the registry covers, how well it matches, and why."""

    terms: Terms


class CategoryAnswer(TypedDict):
    """A category and its sources, as they are for every query."""

    category: CategorySummary
    sources: Annotated[
        list[RankedSource], Field(min_length=3, max_length=3, description="The three sources, best first.")
    ]


class SourcesResult(CategoryAnswer):
    """The category that a query means, its three sources, and why it matched."""

    match: MatchExplanation
    alternatives: Annotated[
        list[ScoredCategory], Field(description="The categories that come next, as many as were asked for.")
    ]


class CategoriesResult(TypedDict):
    """Everything that the registry covers."""

    count: int
    categories: Annotated[
        list[CategorySummary], Field(description="All categories, in the order of their slugs.")
    ]


class SearchResult(TypedDict):
    """The categories near a query."""

    categories: Annotated[
        list[RankedCategory], Field(description="Best first; empty if none has anything in common with it.")
    ]
    threshold: Annotated[float, Field(description="The score from which get_sources answers.")]
    outside: NotRequired[
        Annotated[
            str,
            Field(description="What the query seems to be about, if this registry has no sources for it."),
        ]
    ]


class CuratorKey(TypedDict):
    """Who picked the sources, and the key that proves it."""

    name: str
    pubkey: PublicKey


class ProvenanceResult(TypedDict):
    """Whose judgement the registry is, and how to verify that it is unchanged."""

    curator: CuratorKey
    version: Annotated[str, Field(description="The version of the registry, not of this server.")]
    updated: Annotated[str, Field(description="The day of the last change, YYYY-MM-DD.")]
    digest: Annotated[str, Field(description='"sha256:" and the hexadecimal hash of the canonical registry.')]
    signature: Annotated[
        str | None,
        Field(description='"ed25519:" and 128 hexadecimal digits, or null if the registry is not signed.'),
    ]
    categories: Annotated[int, Field(description="How many categories there are.")]
    endorsements: Annotated[int, Field(description="How many endorsements there are.")]
    verification: Annotated[str, Field(description="How to verify digest and signature.")]


class EndorsementEntry(TypedDict):
    """Somebody else's word for this registry."""

    name: str
    url: str
    since: Annotated[str, Field(description="Day of the endorsement, YYYY-MM-DD.")]
    statement: str


class EndorsementsResult(TypedDict):
    """Who else stands for this registry."""

    count: int
    endorsements: list[EndorsementEntry]
