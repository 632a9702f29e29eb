"""The results of the tools as types: their structured content, from which the output schemas are made."""

import sys
from typing import Annotated, Any, Final, Literal, NotRequired, get_args

from mcpcore import Param

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict  # pydantic cannot read the other one there

SourceType = Literal[
    "documentation", "tutorial", "video", "article", "tool", "repo", "forum", "book", "course", "api"
]
SOURCE_TYPES: Final[tuple[str, ...]] = get_args(SourceType)

Slug = Annotated[str, Param(description="The category's stable name in addresses.")]
PublicKey = Annotated[str, Param(description='"ed25519:" and 64 hexadecimal digits.')]
Score = Annotated[float, Param(ge=0, le=1, description="How well the category matches; 1 is perfect.")]


class CategorySummary(TypedDict):
    """A topic that the registry covers."""

    slug: Slug
    name: str
    description: str


class RankedSource(TypedDict):
    """One of the three sources of a category."""

    rank: Annotated[int, Param(ge=1, le=3, description="1 is the source to read first.")]
    name: str
    url: str
    type: SourceType
    why: Annotated[str, Param(description="The curator's reason for this source and rank.")]
    http_reason: NotRequired[Annotated[str, Param(description="Why the URL is not https.")]]


class MatchedTerm(TypedDict):
    """Words of the query that match a category."""

    words: Annotated[str, Param(description="Words of the query, normalised.")]
    field: Annotated[
        str,
        Param(
            description=(
                "Where the category has them: slug, name, alias, keyword, pattern, description or source; "
                "or phrase, if the whole query was compared with the phrase nearest to it."
            )
        ),
    ]
    read_as: NotRequired[
        Annotated[str, Param(description="What the category has instead, if it is spelt otherwise.")]
    ]


Terms = Annotated[
    list[MatchedTerm], Param(max_length=8, description="What of the query matched, best first.")
]


class ScoredName(TypedDict):
    """A category and how well it matches."""

    slug: Slug
    name: str
    score: Score


class MatchExplanation(TypedDict):
    """Why this category was taken to be what the query asks for."""

    score: Score
    strategy: Annotated[str, Param(description="The way of matching that made the score.")]
    terms: Terms
    runner_up: Annotated[
        ScoredName | None,
        Param(description="The category that comes next; null if no other category is near the query."),
    ]
    outside: NotRequired[
        Annotated[
            str,
            Param(description="What the query rather seems to be about, which a low threshold let pass."),
        ]
    ]


class ScoredCategory(CategorySummary):
    """A topic that the registry covers, and how well it matches."""

    score: Score


class RankedCategory(ScoredCategory):
    """A topic that the registry covers, how well it matches, and why."""

    terms: Terms


class SignedStatement(TypedDict):
    """What the curator signed, as in registry.sig."""

    statement: Annotated[
        str,
        Param(description="Canonical JSON: version, digest, root of the tree, dates. Its bytes are signed."),
    ]
    key: PublicKey
    signature: Annotated[str, Param(description="Ed25519 (RFC 8032) in Base64.")]


class CategoryProof(TypedDict):
    """That the category is one of those that the curator signed (a Merkle tree, RFC 6962)."""

    category: Annotated[str, Param(description="Its canonical form (RFC 8785), the leaf of the tree.")]
    index: Annotated[int, Param(description="Which leaf it is, counted from 0.")]
    size: Annotated[int, Param(description="How many leaves the tree has.")]
    path: Annotated[
        list[str], Param(description="The hashes from the leaf to the root: SHA-256, hexadecimal digits.")
    ]
    signed: Annotated[
        SignedStatement | None, Param(description="The signed root; null if the registry is not signed.")
    ]


class CategoryAnswer(TypedDict):
    """A category and its sources, as they are for every query."""

    category: CategorySummary
    sources: Annotated[
        list[RankedSource], Param(min_length=3, max_length=3, description="The three sources, best first.")
    ]


class SourcesResult(CategoryAnswer):
    """The category that a query means, its three sources, and why it matched."""

    match: MatchExplanation
    alternatives: Annotated[
        list[ScoredCategory], Param(description="The categories that come next, as many as were asked for.")
    ]
    proof: NotRequired[CategoryProof]


class CategoriesResult(TypedDict):
    """Everything that the registry covers."""

    count: int
    categories: Annotated[
        list[CategorySummary], Param(description="All categories, in the order of their slugs.")
    ]


class SearchResult(TypedDict):
    """The categories near a query."""

    categories: Annotated[
        list[RankedCategory], Param(description="Best first; empty if none is near the query.")
    ]
    threshold: Annotated[float, Param(description="The score from which get_sources answers.")]
    outside: NotRequired[
        Annotated[
            str,
            Param(description="What the query seems to be about, if this registry has no sources for it."),
        ]
    ]


class JsonWebKey(TypedDict):
    """An Ed25519 public key as a JSON Web Key (RFC 8037)."""

    kty: str
    crv: str
    x: str


class KeySpellings(TypedDict):
    """The public key as other programs write it."""

    hex: Annotated[str, Param(description="64 hexadecimal digits.")]
    zbase32: Annotated[str, Param(description="52 characters, as PKARR and Pubky write it.")]
    pem: Annotated[str, Param(description="As OpenSSL reads it.")]
    jwk: JsonWebKey


class CuratorKey(TypedDict):
    """The curator who picked the sources, and the public key."""

    name: str
    pubkey: PublicKey
    spellings: KeySpellings


class ProvenanceResult(TypedDict):
    """Whose judgement the registry is, and how to verify that it is unchanged."""

    curator: CuratorKey
    version: Annotated[str, Param(description="The version of the registry, not of this server.")]
    updated: Annotated[str, Param(description="The day of the last change, YYYY-MM-DD.")]
    digest: Annotated[str, Param(description='"sha256:" and the hexadecimal hash of the canonical registry.')]
    root: Annotated[str, Param(description="That of the Merkle tree over the categories, which is signed.")]
    status: Annotated[
        Literal["signed", "expired", "edited", "unsigned"],
        Param(description="Whether the curator's signature holds; edited: the registry was changed since."),
    ]
    demonstration: Annotated[
        bool,
        Param(description="Whether a key signed that anyone can use: that proves nothing."),
    ]
    statement: Annotated[str | None, Param(description="The text that is signed, canonical JSON.")]
    signature: Annotated[str | None, Param(description="Ed25519 over the statement, in Base64.")]
    signed_at: Annotated[str | None, Param(description="When it was signed, UTC.")]
    expires_at: Annotated[str | None, Param(description="Until when the signature holds, UTC.")]
    categories: Annotated[int, Param(description="How many categories there are.")]
    endorsements: Annotated[int, Param(description="How many endorsements there are.")]
    verification: Annotated[str, Param(description="What digest and signature prove, and what they do not.")]
    steps: Annotated[
        list[str],
        Param(description="Shell commands that verify it; NODE is the address of this server without /mcp."),
    ]


class EndorsementEntry(TypedDict):
    """An endorsement of this registry by somebody else."""

    name: str
    url: str
    since: Annotated[str, Param(description="Day of the endorsement, YYYY-MM-DD.")]
    statement: str


class EndorsementsResult(TypedDict):
    """The endorsements of this registry."""

    count: int
    endorsements: list[EndorsementEntry]


class InclusionProof(TypedDict):
    """The path from an entry's leaf to the root of the log's tree (RFC 6962, section 2.1.1)."""

    size: Annotated[int, Param(description="How many entries the tree has.")]
    path: Annotated[list[str], Param(description="SHA-256 hashes, hexadecimal, the nearest first.")]


class AuditEntry(TypedDict):
    """A signed entry of the transparency log. Its leaf is the canonical JSON of the members up to `index`."""

    id: str
    timestamp: str
    action: str
    category: Annotated[str | None, Param(description="The slug of the category that it is about.")]
    data: Annotated[dict[str, Any], Param(description="What was added, is now, or was removed.")]
    actor: Annotated[str, Param(description="The public key that signed it, hexadecimal.")]
    signature: Annotated[str, Param(description="Ed25519, hexadecimal.")]
    previous_hash: Annotated[str | None, Param(description="SHA-256 of the entry before it.")]
    index: int
    proof: NotRequired[InclusionProof]


class AuditLogResult(TypedDict):
    """Entries of the transparency log, the oldest first."""

    entries: list[AuditEntry]
    matching: Annotated[int, Param(description="How many entries match, from start on.")]
    next: Annotated[int | None, Param(description="Ask again with it as start; null if nothing is left.")]
    checkpoint: NotRequired[
        Annotated[str, Param(description="The signed head of the tree that proofs lead to.")]
    ]
