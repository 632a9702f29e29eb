"""The proposals for a category with what each would change: found, tried, and told as lines or as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from threegood.registry.records import Registry
from threegood.suggesting.pages import Page
from threegood.suggesting.proposals import Proposal, propose
from threegood.suggesting.topics import OtherTopics, OwnTexts, Use
from threegood.suggesting.trial import Change, Trial, Trials

# How many examples of each kind are listed; JSON has all of them.
_EXAMPLES: Final = 3


class Suggestion(NamedTuple):
    """A proposal, what would change with it, and the other topics that have it as a text of their own."""

    proposal: Proposal
    change: Change
    others: tuple[Use, ...]

    @property
    def word(self) -> str:
        """What would be added to the vocabulary."""
        return self.proposal.phrase.text

    def lines(self) -> Iterator[str]:
        """The word, its origins, and what would change."""
        yield self.word
        yield f"    {'; '.join(_origins(self.proposal))}"
        patterns, queries, lost = self.change
        yield from _listed("finds, held out", map(_quoted, patterns))
        yield from _listed("finds, without a match until now", map(_quoted, queries))
        yield from _listed("takes from another category", (f'"{text}" of {slug}' for slug, text in lost))
        yield from _listed("shared with", map(str, self.others))
        if self._refusing is not None:
            yield f"    refused as an alias: {self._refusing}"

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object, with all examples."""
        tally = self.proposal.tally
        return {
            "word": self.word,
            "on_pages": None if tally is None else {"times": tally.times, "pages": tally.pages},
            "in_queries": list(self.proposal.queries),
            "near": [str(use) for use in self.proposal.near],
            "finds_patterns": list(self.change.patterns),
            "finds_queries": list(self.change.queries),
            "takes": [{"slug": slug, "pattern": text} for slug, text in self.change.lost],
            "shared_with": [str(use) for use in self.others],
            "refused_as_alias": None if self._refusing is None else str(self._refusing),
        }

    @property
    def _refusing(self) -> Use | None:
        """The text of another topic for which the rules refuse the word as an alias."""
        return next((use for use in self.others if use.excludes_alias), None)


class Suggestions(NamedTuple):
    """The suggestions for a category, the best first, and the trial of all of them together."""

    slug: str
    best: tuple[Suggestion, ...]
    trial: Trial

    def summary(self) -> str:
        """What all of them together would change."""
        trial = self.trial
        if not self.best:
            return f"Nothing is proposed: the pages and the queries have no words that {self.slug} lacks."
        return (
            f"Held-out patterns that find {self.slug}: {trial.found_before} of {trial.patterns}; "
            f"with all {len(self.best)} proposals as keywords: {trial.found_after}."
        )

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        _, patterns, before, after = self.trial
        return {
            "slug": self.slug,
            "held_out_patterns": {"all": patterns, "found": before, "found_with_proposals": after},
            "proposals": [suggestion.as_json() for suggestion in self.best],
        }


def suggestions(
    registry: Registry, slug: str, pages: Sequence[Page], queries: Sequence[str], *, limit: int
) -> Suggestions:
    """At most `limit` suggestions; `queries` are those without a match."""
    others = OtherTopics(registry, slug)
    trials = Trials(registry, slug, queries)
    corrected = trials.corrected_queries()
    proposals = propose(pages, corrected, OwnTexts(registry, slug), others, limit=limit)
    trial = trials.try_out([each.phrase for each in proposals])
    best = (
        Suggestion(proposal, change, tuple(others.uses(proposal.phrase)))
        for proposal, change in zip(proposals, trial.changes, strict=True)
    )
    return Suggestions(slug, tuple(best), trial)


def _origins(proposal: Proposal) -> Iterator[str]:
    tally, queries = proposal.tally, proposal.queries
    if tally is not None:
        heading = ", also in a heading" if tally.in_heading else ""
        times = "once" if tally.times == 1 else f"{tally.times} times"
        yield f"{times} on {_counted(tally.pages, 'source page')}{heading}"
    if queries:
        plural = "query" if len(queries) == 1 else "queries"
        yield f'in {len(queries)} {plural} without a match, as "{queries[0]}"'
    if proposal.near:
        yield "in the category's own texts, and a keyword of a near topic"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _listed(title: str, examples: Iterator[str]) -> Iterator[str]:
    """One line with the first examples, and the number of the others."""
    texts = list(examples)
    if texts:
        more = f" and {len(texts) - _EXAMPLES} more" if len(texts) > _EXAMPLES else ""
        yield f"    {title}: {', '.join(texts[:_EXAMPLES])}{more}"
