"""A ranking as lines of text, with the sums behind the score of the strategy `lexicon`."""

from collections.abc import Iterator, Sequence
from typing import Final

from sources.matching import Index, Match, Ranking
from sources.matching.claims import Claim
from sources.matching.lexical import QueryEvidence, score, score_features, weigh_query
from sources.matching.parsed_query import ParsedQuery, parse_query
from sources.matching.strategy import MAX_QUERY_LENGTH, Vocabulary
from sources.matching.weights import BIAS, CLAIM_SCORES, COMMON_WORD, COVERAGE, LEAD, STRENGTH
from threegood.reports.score_breakdown import (
    NEGLIGIBLE_WEIGHT,
    WordScore,
    nearest_out_of_scope,
    score_breakdown,
)

_CLAIMS: Final = {
    Claim.COMMON_WORD: "The query is a name of it that is one common word",
    Claim.SEVERAL: "The content words of the query are names of several categories, this one among them",
    Claim.PART: "All content words of the query stand in its names",
    Claim.WHOLE: "The content words of the query are a name of it",
    Claim.EXACT: "The query equals its slug, its name, an alias or a pattern, word for word",
}


def ranking_lines(ranking: Ranking, threshold: float) -> Iterator[str]:
    """The answer to a query, and the ranked categories with their evidence."""
    if not ranking.terms:
        yield "Refused: without stop words, punctuation and symbols nothing is left to compare."
        return
    answer = ranking.accepted(threshold)
    yield f"Refused: no category reaches {threshold:g}." if answer is None else f"Answered: {answer.slug}."
    yield f"Compared: {', '.join(ranking.terms)}."
    for rank, match in enumerate(ranking.matches, 1):
        yield ""
        below = "" if match.score >= threshold else f"  (below {threshold:g})"
        yield f"{rank:2}. {match.slug}  {match.score:.3f}{below}"
        for evidence in match.evidence:
            yield f"    {_source(evidence.words, evidence.read_as, evidence.field)}"


def score_lines(query: str, ranking: Ranking, index: Index) -> Iterator[str]:
    """The parts of the best score, the evidence for an out-of-scope topic, and words with no weight."""
    query, vocabulary = query[:MAX_QUERY_LENGTH], index.vocabulary()
    parsed = parse_query(query, vocabulary)
    if ranking.matches:
        found = weigh_query(query, parsed, vocabulary, limit=len(ranking.matches))
        yield from _best_score_lines(ranking.matches[0], parsed, found, index)
    yield from _out_of_scope_lines(parsed, ranking, vocabulary)
    yield from _word_lines(parsed, ranking, vocabulary)


def _best_score_lines(best: Match, parsed: ParsedQuery, found: QueryEvidence, index: Index) -> Iterator[str]:
    topic = next(topic for topic in found.categories if index.slug_at(topic) == best.slug)
    yield ""
    yield f"Why {best.slug} scores {best.score:.3f}:"
    yield from _table(score_breakdown(parsed, topic, index.vocabulary()))
    category = found.categories[topic]
    if category.claim is not Claim.NONE:
        yield f"    {_CLAIMS[category.claim]}: that scores {CLAIM_SCORES[category.claim]:g} at least."
    if category.claim is Claim.EXACT:
        return
    strength, coverage, lead, common = score_features(found, topic)
    yield f"    strength {strength:6.2f}  the logarithm of the evidence, {category.total:.2f}"
    yield f"    coverage {coverage:6.2f}  of the weight of the query, {found.total_weight:.2f}"
    against = found.out_of_scope_evidence
    if found.has_out_of_scope:
        yield f"    lead     {lead:6.2f}  over the nearest out-of-scope topic, with {against:.2f}"
    else:
        yield f"    lead     {lead:6.2f}  as ever in a registry without out-of-scope topics"
    if common:
        yield f"    common   {common:6.2f}  since all evidence is one common word"
    found_score = score(found._replace(categories={topic: category._replace(claim=Claim.NONE)}), topic)
    yield (
        f"    score = logistic({BIAS:g} + {STRENGTH:g} * {strength:.2f} + {COVERAGE:g} * {coverage:.2f} "
        f"+ {LEAD:g} * {lead:.2f} + {COMMON_WORD:g} * {common:g}) = {found_score:.3f}"
    )


def _out_of_scope_lines(parsed: ParsedQuery, ranking: Ranking, vocabulary: Vocabulary) -> Iterator[str]:
    topic = nearest_out_of_scope(parsed, vocabulary)
    if topic is None:
        return
    nearer = ", nearer than every category" if ranking.out_of_scope is not None else ""
    yield ""
    yield f"Nearest out-of-scope topic: {vocabulary.out_of_scope_name(topic)}{nearer}"
    yield from _table([each for each in score_breakdown(parsed, topic, vocabulary) if each.evidence > 0])


def _word_lines(parsed: ParsedQuery, ranking: Ranking, vocabulary: Vocabulary) -> Iterator[str]:
    words = score_breakdown(parsed, 0, vocabulary)
    negligible = [each.word for each in words if each.weight <= NEGLIGIBLE_WEIGHT]
    if ranking.unknown or negligible:
        yield ""
    if ranking.unknown:
        yield f"Not in the vocabulary: {', '.join(ranking.unknown)}."
    if negligible:
        yield f"Almost no weight: {', '.join(negligible)}."


def _table(words: Sequence[WordScore]) -> Iterator[str]:
    """A line for each of `words`: its weight, its evidence for the topic, and where that comes from."""
    width = max(len(word) for word in ("word", *(each.word for each in words)))
    yield f"    {'word':{width}}  weight  evidence  source"
    for each in words:
        source = _source(each.words, each.read_as, each.field) if each.field else "-"
        yield f"    {each.word:{width}}  {each.weight:6.2f}  {each.evidence:8.2f}  {source}"


def _source(words: str, read_as: str, field: str) -> str:
    quoted = f'"{words}"' if words == read_as else f'"{words}" read as "{read_as}"'
    return f"{quoted}: {field}"
