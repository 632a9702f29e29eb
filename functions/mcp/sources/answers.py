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


class MatchExplanation(TypedDict):
    """Why this category was taken to be what the query asks for."""

    score: Score
    strategy: Annotated[str, Field(description="The way of matching that made the score.")]
    phrase: Annotated[str, Field(description="The category's phrase nearest to the query, normalised.")]
    terms: Annotated[
        list[str], Field(description="The words that the query shares with the category's slug.")
    ]


class CategoryAnswer(TypedDict):
    """A category and its sources, as they are for every query."""

    category: CategorySummary
    sources: Annotated[
        list[RankedSource], Field(min_length=3, max_length=3, description="The three sources, best first.")
    ]


class SourcesResult(CategoryAnswer):
    """The category that a query means, its three sources, and why it matched."""

    match: MatchExplanation


class CategoriesResult(TypedDict):
    """Everything that the registry covers."""

    count: int
    categories: Annotated[
        list[CategorySummary], Field(description="All categories, in the order of their slugs.")
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
