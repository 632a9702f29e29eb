"""What a registry should have beyond its rules: enough words to be found by, and reasons that say something.

A registry that does not is valid. The warnings have positions and rules as faults have.
"""

from collections.abc import Iterator
from typing import Final

from sources.matching.analysis import analyse
from threegood.registry.document import read_document
from threegood.registry.faults import Fault
from threegood.registry.files import REGISTRY_FILE, RegistryFiles, vocabulary_file
from threegood.registry.positions import find_positions, pointer_to
from threegood.registry.records import Category, CategoryVocabulary, OutOfScopeTopic, Registry
from threegood.registry.rules import OUT_OF_SCOPE, Breach

USUAL_PATTERNS: Final = 8
USUAL_ALIASES: Final = 5
USUAL_KEYWORDS: Final = 100
USUAL_TOPICS_PER_CATEGORY: Final = 10
USUAL_TOPIC_KEYWORDS: Final = 3
# Without stop words and punctuation: "the best book there is" has two.
WORDS_OF_A_REASON: Final = 4


def warnings(registry: Registry, files: RegistryFiles) -> list[Fault]:
    """The warnings about a valid registry, which is in `files`, in the order of the files."""
    contents = {REGISTRY_FILE: files.registry, **files.vocabulary}
    found: dict[str, list[Breach]] = {}
    for file, breach in _advice(registry):
        found.setdefault(file, []).append(breach)
    return sorted(
        warning for file, breaches in found.items() for warning in _located(file, contents[file], breaches)
    )


def _located(file: str, data: bytes, breaches: list[Breach]) -> Iterator[Fault]:
    positions = find_positions(read_document(data, file=file).text).values
    for breach in breaches:
        pointer = pointer_to(*breach.at)
        yield Fault(file, *positions[pointer], pointer, breach.rule, breach.sentence)


def _advice(registry: Registry) -> Iterator[tuple[str, Breach]]:
    for slug, category in registry.categories.items():
        for breach in _of_category(category):
            yield REGISTRY_FILE, breach._replace(at=("categories", slug, *breach.at))
    # A category without a file has no vocabulary on purpose, or not yet.
    for slug, words in registry.vocabulary.categories.items():
        for breach in _of_vocabulary(words):
            yield vocabulary_file(slug), breach
    for breach in _of_topics(registry.vocabulary.out_of_scope, len(registry.categories)):
        yield vocabulary_file(OUT_OF_SCOPE), breach


def _of_category(category: Category) -> Iterator[Breach]:
    if len(category.query_patterns) < USUAL_PATTERNS:
        yield Breach(
            "few-patterns",
            f"These are {len(category.query_patterns)} patterns. With fewer than {USUAL_PATTERNS}, many "
            "questions do not find the category: add other ways in which people ask.",
            ("query_patterns",),
        )
    for index, source in enumerate(category.sources):
        if len(analyse(source.why)) < WORDS_OF_A_REASON:
            yield Breach(
                "weak-reason",
                "This reason tells little. Write what a reader learns from the source, and which readers it "
                "suits.",
                ("sources", index, "why"),
            )


def _of_vocabulary(words: CategoryVocabulary) -> Iterator[Breach]:
    if len(words.aliases) < USUAL_ALIASES:
        yield Breach(
            "few-aliases",
            f"The aliases here are {len(words.aliases)}. With fewer than {USUAL_ALIASES}, the topic is not "
            "found by its other names: add abbreviations, spellings, and its names in other languages.",
            ("aliases",) if "aliases" in words.model_fields_set else (),
        )
    if len(words.keywords) < USUAL_KEYWORDS:
        yield Breach(
            "few-keywords",
            f"The keywords here are {len(words.keywords)}. With fewer than {USUAL_KEYWORDS}, questions that "
            "do not name the topic are refused: add its concepts, tools, commands and error messages.",
            ("keywords",) if "keywords" in words.model_fields_set else (),
        )


def _of_topics(topics: tuple[OutOfScopeTopic, ...], categories: int) -> Iterator[Breach]:
    if 0 < len(topics) < categories * USUAL_TOPICS_PER_CATEGORY:
        yield Breach(
            "few-topics",
            f"The topics here are {len(topics)}. With fewer than {USUAL_TOPICS_PER_CATEGORY} for each "
            "category, questions about its neighbours are answered with its sources: add those.",
            ("topics",),
        )
    for index, topic in enumerate(topics):
        if len(topic.keywords) < USUAL_TOPIC_KEYWORDS:
            yield Breach(
                "few-topic-keywords",
                f"A topic outside the registry should have {USUAL_TOPIC_KEYWORDS} keywords or more; here are "
                f"{len(topic.keywords)}. Add the words in which people ask for it.",
                ("topics", index, "keywords"),
            )
