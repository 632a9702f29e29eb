"""The tools as typed methods over a registry and a strategy; `catalog` registers them."""

from collections.abc import Iterator, Sequence
from time import time
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from mcpcore import Context, NoMatch, Param, ToolError, ToolResult
from sources.answers import (
    AuditLogResult,
    CategoriesResult,
    CategoryAnswer,
    CategoryProof,
    EndorsementsResult,
    MatchedTerm,
    MatchExplanation,
    ProvenanceResult,
    RankedCategory,
    ScoredCategory,
    ScoredName,
    SearchResult,
    SourcesResult,
)
from sources.baked import BakedRegistry
from sources.finding import Finder, Found, NotFound, Ranked, Searched, clipped, named, shown
from sources.matching import Evidence, Match, Strategy, normalise

if TYPE_CHECKING:
    from sources.audit import AuditPart

_MAX_QUERY_CHARACTERS: Final = 500

Query = Annotated[
    str,
    Param(
        min_length=1,
        max_length=_MAX_QUERY_CHARACTERS,
        description='The topic in a few plain words, such as "learn rust" or "self-hosted email".',
    ),
]
Threshold = Annotated[
    float,
    Param(
        ge=0,
        le=1,
        description=(
            "The least score of a match that is good enough: higher is stricter. "
            "Leave it out for the server's own setting."
        ),
    ),
]
Alternatives = Annotated[
    int,
    Param(ge=0, le=10, description="How many further categories to name, those that match next best."),
]
Proof = Annotated[
    bool,
    Param(
        description="Whether to add a proof that the curator signed these sources, for a program to check."
    ),
]
Limit = Annotated[
    int,
    Param(ge=1, le=50, description="How many categories to list at most."),
]

Since = Annotated[
    str,
    Param(max_length=40, description="Entries from this day or time on, as in 2026-02-03T00:00:00Z."),
]
LogCategory = Annotated[str, Param(max_length=100, description="Entries about the category with this slug.")]
Action = Annotated[
    str,
    Param(
        max_length=40, description='Entries with this action, such as "source_added" or "category_updated".'
    ),
]
Start = Annotated[int, Param(ge=0, description="The index to begin at; next of the answer before.")]
WithProof = Annotated[bool, Param(description="With each entry's proof, and the signed head of the tree.")]

# How much of the log an answer has at most: some 5,000 tokens, unless one entry is longer.
_MAX_ENTRIES: Final = 20
_MAX_ENTRIES_BYTES: Final = 20_000

# How many pieces of evidence structured content and text list.
_MAX_TERMS: Final = 8
_MAX_TERMS_IN_TEXT: Final = 3

# The member of every result's `_meta` that says which registry it was made from.
REGISTRY_META: Final = "three-good-sources/registry"

_EXPIRED: Final = (
    "The signature has expired, and the curator has not renewed it: it shows what was valid until then."
)

# The field of evidence for the query as a whole.
_WHOLE_QUERY: Final = "phrase"


class RegistryTools:
    """The tools over one registry; `log_no_matches` logs the words of queries without a match."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy, *, log_no_matches: bool = False) -> None:
        self._log_no_matches = log_no_matches
        self._registry = registry
        self._finder = Finder(registry, strategy)
        facts = registry.manifest
        self._meta = {REGISTRY_META: {"version": facts.version, "digest": facts.digest}}

    def get_sources(
        self,
        query: Query,
        threshold: Threshold | None = None,
        alternatives: Alternatives = 0,
        proof: Proof = False,
        *,
        context: Context,
    ) -> ToolResult[SourcesResult]:
        """The three sources of the category that matches `query` best.

        Raises:
            NoMatch: no category reaches `threshold`, or the query has nothing to match.
        """
        found = self._finder.find(query, threshold, others=max(1, alternatives))
        if isinstance(found, NotFound):
            context.count_metric("no_matches")
            if self._log_no_matches:
                context.log_field("no_match", normalise(query))
            raise NoMatch(found.reason, meta=self._meta)
        context.count_metric("matches")
        category = cast("CategoryAnswer", found.answer.structured)
        further = found.others[:alternatives]
        structured = SourcesResult(
            category=category["category"],
            sources=category["sources"],
            match=_explanation(found),
            alternatives=[_scored(each) for each in further],
        )
        if proof:
            structured["proof"] = cast("CategoryProof", self._registry.proof(found.match.slug))
        return ToolResult(structured, "\n\n".join(_answer_paragraphs(found, further)), self._meta)

    def search_categories(self, query: Query, limit: Limit = 10) -> ToolResult[SearchResult]:
        """The categories near `query`, best first, whether or not one reaches the threshold.

        Raises:
            NoMatch: the query has nothing to match.
        """
        found = self._finder.search(query, limit=limit)
        if isinstance(found, NotFound):
            raise NoMatch(found.reason, meta=self._meta)
        structured = SearchResult(
            categories=[_ranked(each) for each in found.ranked], threshold=found.threshold
        )
        if found.out_of_scope is not None:
            structured["outside"] = found.out_of_scope
        return ToolResult(structured, "\n".join(_search_lines(found)), self._meta)

    def list_categories(self) -> ToolResult[CategoriesResult]:
        """Every category of the registry."""
        return self._page("categories")

    def get_provenance(self) -> ToolResult[ProvenanceResult]:
        """The registry's curator, version, digest and signature, and how to verify them."""
        answer = self._registry.page("provenance")
        status = self._registry.manifest.status_at(time())
        if status != "expired":
            return ToolResult(cast("ProvenanceResult", answer.structured), answer.text, self._meta)
        structured = cast("ProvenanceResult", {**answer.structured, "status": status})
        return ToolResult(structured, f"{_EXPIRED}\n\n{answer.text}", self._meta)

    def get_endorsements(self) -> ToolResult[EndorsementsResult]:
        """The endorsements of the registry."""
        return self._page("endorsements")

    def _page(self, name: str) -> ToolResult[Any]:
        answer = self._registry.page(name)
        return ToolResult(answer.structured, answer.text, self._meta)

    def get_audit_log(
        self,
        since: Since | None = None,
        category: LogCategory | None = None,
        action: Action | None = None,
        start: Start = 0,
        proof: WithProof = False,
    ) -> ToolResult[AuditLogResult]:
        """The entries of the transparency log that match, the oldest first, a part at a time.

        Raises:
            ToolError: `since` is no time.
        """
        from sources.audit import AuditFilter, audit_part  # few requests read the log

        log = self._registry.log()
        wanted = AuditFilter(since, category, action, start)
        try:
            part = audit_part(log, wanted, limit=_MAX_ENTRIES, limit_bytes=_MAX_ENTRIES_BYTES, proof=proof)
        except ValueError as error:
            raise ToolError(f"{error}.") from None
        structured = AuditLogResult(entries=part.entries, matching=part.matching, next=part.next)
        checkpoint = log.checkpoint()
        if proof and checkpoint is not None:
            structured["checkpoint"] = checkpoint.decode("utf-8")
        return ToolResult(structured, "\n".join(_log_lines(part)), self._meta)


def _explanation(found: Found) -> MatchExplanation:
    explanation = MatchExplanation(
        score=found.match.score,
        strategy=found.strategy,
        terms=_terms(found.match),
        runner_up=_runner_up(found.others[0]) if found.others else None,
    )
    if found.out_of_scope is not None:
        explanation["outside"] = found.out_of_scope
    return explanation


def _runner_up(other: Ranked) -> ScoredName:
    return ScoredName(slug=other.category["slug"], name=other.category["name"], score=other.match.score)


def _scored(other: Ranked) -> ScoredCategory:
    return ScoredCategory(**other.category, score=other.match.score)


def _ranked(each: Ranked) -> RankedCategory:
    return RankedCategory(**_scored(each), terms=_terms(each.match))


def _terms(match: Match) -> list[MatchedTerm]:
    return [_term(evidence) for evidence in match.evidence[:_MAX_TERMS]]


def _term(evidence: Evidence) -> MatchedTerm:
    term = MatchedTerm(words=evidence.words, field=evidence.field)
    if evidence.read_as != evidence.words:
        term["read_as"] = evidence.read_as
    return term


def _answer_paragraphs(found: Found, further: Sequence[Ranked]) -> Iterator[str]:
    """The paragraphs of an answer: the sources, why the category matched, and the next categories."""
    yield found.answer.text
    yield f"Matched with a score of {shown(found.match.score)}{_because(found.match)}."
    if found.out_of_scope is not None:
        yield (
            f"The query rather seems to be about {found.out_of_scope}, a topic that this registry has no "
            "sources for: a low threshold let this match pass."
        )
    if further:
        lines = (f"- {named(each.category)}: {shown(each.match.score)}" for each in further)
        yield "\n".join(["See also (ask for one by its slug):", *lines])


def _search_lines(found: Searched) -> Iterator[str]:
    """The lines of a search result: hints, then the categories with scores and evidence."""
    yield from found.hints
    if not found.ranked:
        yield (
            "No category is near this query. Try other words for the topic; "
            "list_categories shows all there is."
        )
        return
    yield f"{len(found.ranked)} near this query, best first; get_sources answers from {found.threshold:g} on:"
    for each in found.ranked:
        yield f"- {named(each.category)}: {shown(each.match.score)}{_because(each.match)}"
        yield f"  {each.category['description']}"


def _log_lines(part: "AuditPart") -> Iterator[str]:
    """The lines of a part of the log: a heading, an entry each, and how to go on."""
    yield f"{part.matching} {'entry matches' if part.matching == 1 else 'entries match'}."
    for entry in part.entries:
        about = entry["category"] or ""
        name = entry["data"].get("name") or entry["data"].get("pubkey") or ""
        yield f"{entry['index']}. {entry['timestamp']} {entry['action']} {about}: {name}".replace(" : ", ": ")
    if part.next is not None:
        yield f"Go on with start={part.next}."


def _because(match: Match) -> str:
    """The evidence as the rest of a sentence; empty if the score is zero."""
    if match.score == 0:
        return ""
    fields: dict[str, list[str]] = {}
    for evidence in match.evidence:
        fields.setdefault(_quoted(evidence), []).append(evidence.field)
    evidence_texts = [
        words if where == [_WHOLE_QUERY] else f"{words} ({', '.join(dict.fromkeys(where))})"
        for words, where in fields.items()
    ]
    return f", by {', '.join(evidence_texts[:_MAX_TERMS_IN_TEXT])}" if evidence_texts else ""


def _quoted(evidence: Evidence) -> str:
    words, read_as = clipped(evidence.words), clipped(evidence.read_as)
    if evidence.field == _WHOLE_QUERY:
        return f'{"the phrase" if words == read_as else "a phrase like"} "{read_as}"'
    return f'"{words}"' if words == read_as else f'"{words}" read as "{read_as}"'
