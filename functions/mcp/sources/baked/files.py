"""The files of a baked registry. They lie directly in its folder.

manifest.json   format, version, curator, digest, signature, counts, and the sizes of the other files
canonical.json.gz
                the bytes that the digest and the signature are about, compressed (RFC 1952)
answers.bin     a table (see `table`): slug → the answer of that category
pages.bin       a table: `categories`, `endorsements`, `provenance` → an answer that is the same for everyone
phrases.txt     what the strategy `reference` compares queries with (see `phrases`)
lexicon.bin     what the strategy `lexicon` compares them with (see `lexicon`)
"""

from typing import Final

# Raise it when a file changes its form, and when `matching.normalise`, `matching.analysis` or
# `matching.spelling` change: phrases, keys and variants are made with them already.
FORMAT: Final = 2

MANIFEST: Final = "manifest.json"
CANONICAL: Final = "canonical.json.gz"
ANSWERS: Final = "answers.bin"
PAGES: Final = "pages.bin"
PHRASES: Final = "phrases.txt"
LEXICON: Final = "lexicon.bin"
