"""The baked registry: the form of its files, and reading from them what a request needs and no more."""

from sources.baked.errors import BakedRegistryError, FormatMismatch, RegistryDamaged, RegistryMissing
from sources.baked.files import ANSWERS, CANONICAL, FORMAT, LEXICON, MANIFEST, PAGES, PHRASES
from sources.baked.lexicon import Lexicon, Term, pack_lexicon
from sources.baked.phrases import PhraseLine, pack_phrases
from sources.baked.registry import Answer, BakedRegistry, Manifest
from sources.baked.table import pack_table

__all__ = [
    "ANSWERS",
    "CANONICAL",
    "FORMAT",
    "LEXICON",
    "MANIFEST",
    "PAGES",
    "PHRASES",
    "Answer",
    "BakedRegistry",
    "BakedRegistryError",
    "FormatMismatch",
    "Lexicon",
    "Manifest",
    "PhraseLine",
    "RegistryDamaged",
    "RegistryMissing",
    "Term",
    "pack_lexicon",
    "pack_phrases",
    "pack_table",
]
