"""A ranking in lines to be read, with the sums behind the score of the strategy `lexicon`."""

from collections.abc import Iterator, Sequence

from sources.matching import Index, Match, Ranking
from sources.matching.lexical import (
    BIAS,
    COVERAGE,
    LEAD,
    STRENGTH,
    Weighed,
    measures,
    weigh,
)
from sources.matching.reading import Reading, read
from sources.matching.strategy import LONGEST_QUERY, Lexicon
from threegood.reports.score_breakdown import NEXT_TO_NOTHING, Told, nearest_outside, told


def ranked(ranking: Ranking, threshold: float) -> Iterator[str]:
    """What a query gets, and the categories that were ranked, each with what speaks for it."""
    if not ranking.terms:
        yield "Refused: without stop words, punctuation and symbols nothing is left to compare."
        return
    answer = ranking.accepted(threshold)
    yield f"Refused: no category reaches {threshold:g}." if answer is None else f"Answered: {answer.slug}."
    yield f"Compared: {', '.join(ranking.terms)}."
    for place, match in enumerate(ranking.matches, 1):
        yield ""
        below = "" if match.score >= threshold else f"  (below {threshold:g})"
        yield f"{place:2}. {match.slug}  {match.score:.3f}{below}"
        for evidence in match.evidence:
            yield f"    {_by(evidence.words, evidence.read_as, evidence.field)}"


def explained(query: str, ranking: Ranking, index: Index) -> Iterator[str]:
    """How the best score comes about, what speaks for a topic outside, and which words say nothing."""
    query, lexicon = query[:LONGEST_QUERY], index.lexicon()
    reading = read(query, lexicon)
    if ranking.matches:
        found = weigh(query, reading, lexicon, limit=len(ranking.matches))
        yield from _why(ranking.matches[0], reading, found, index)
    yield from _outside(reading, ranking, lexicon)
    yield from _silent(reading, ranking, lexicon)


def _why(best: Match, reading: Reading, found: Weighed, index: Index) -> Iterator[str]:
    topic = next(topic for topic in found.evidence if index.slug_at(topic) == best.slug)
    evidence = found.evidence[topic]
    yield ""
    yield f"Why {best.slug} scores {best.score:.3f}:"
    yield from _table(told(reading, topic, index.lexicon()))
    if topic in found.exact:
        yield "    The query is its slug, its name, an alias or a pattern, word for word: that scores 1."
        return
    strength, covered, lead = measures(evidence, against=found.against, total=found.total)
    yield f"    strength {strength:6.2f}  the logarithm of its evidence, {evidence:.2f}"
    yield f"    covered  {covered:6.2f}  of the weight of the query, {found.total:.2f}"
    yield f"    lead     {lead:6.2f}  over the nearest topic outside, with {found.against:.2f}"
    yield (
        f"    score = logistic({BIAS:g} + {STRENGTH:g} * {strength:.2f} + {COVERAGE:g} * {covered:.2f} "
        f"+ {LEAD:g} * {lead:.2f}) = {best.score:.3f}"
    )


def _outside(reading: Reading, ranking: Ranking, lexicon: Lexicon) -> Iterator[str]:
    topic = nearest_outside(reading, lexicon)
    if topic is None:
        return
    nearer = ", nearer than any category" if ranking.outside is not None else ""
    yield ""
    yield f"Nearest topic outside: {lexicon.outside(topic)}{nearer}"
    yield from _table([each for each in told(reading, topic, lexicon) if each.evidence > 0])


def _silent(reading: Reading, ranking: Ranking, lexicon: Lexicon) -> Iterator[str]:
    words = told(reading, 0, lexicon)
    silent = [each.word for each in words if each.weight <= NEXT_TO_NOTHING]
    if ranking.unknown or silent:
        yield ""
    if ranking.unknown:
        yield f"In no vocabulary: {', '.join(ranking.unknown)}."
    if silent:
        yield f"Telling next to nothing: {', '.join(silent)}."


def _table(words: Sequence[Told]) -> Iterator[str]:
    """A line for each of `words`: what it weighs, how much of that it tells for the topic, and by what."""
    width = max(len(word) for word in ("word", *(each.word for each in words)))
    yield f"    {'word':{width}}  weight  tells  by"
    for each in words:
        by = _by(each.words, each.read_as, each.field) if each.field else "-"
        yield f"    {each.word:{width}}  {each.weight:6.2f}  {each.evidence:5.2f}  {by}"


def _by(words: str, read_as: str, field: str) -> str:
    said = f'"{words}"' if words == read_as else f'"{words}" read as "{read_as}"'
    return f"{said}: {field}"
