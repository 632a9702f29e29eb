"""Reads a baked registry: of its files, only what a request needs."""

from sources.baked.errors import (
    BakedRegistryError,
    FormatMismatch,
    RecordDamaged,
    RegistryDamaged,
    RegistryMissing,
)
from sources.baked.files import (
    ANSWERS,
    CANONICAL,
    FORMAT,
    LEXICON,
    LOG,
    MANIFEST,
    PAGES,
    PHRASES,
    PROOFS,
    SIGNATURE,
)
from sources.baked.lexicon import Lexicon
from sources.baked.phrases import PhraseLine
from sources.baked.registry import BakedAnswer, BakedRegistry, Manifest

__all__ = [
    "ANSWERS",
    "CANONICAL",
    "FORMAT",
    "LEXICON",
    "LOG",
    "MANIFEST",
    "PAGES",
    "PHRASES",
    "PROOFS",
    "SIGNATURE",
    "BakedAnswer",
    "BakedRegistry",
    "BakedRegistryError",
    "FormatMismatch",
    "Lexicon",
    "Manifest",
    "PhraseLine",
    "RecordDamaged",
    "RegistryDamaged",
    "RegistryMissing",
]
