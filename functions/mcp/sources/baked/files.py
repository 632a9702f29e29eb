"""The files of a baked registry, all directly in its folder; `threegood.baking` writes them.

manifest.json   format, version, curator, digest, whether it is signed and until when, counts, size and
                SHA-256 of the other files, and a checksum of all this
registry.sig    the curator's signature, as it lies beside registry.json; absent if the registry is not signed
canonical.json.gz
                the bytes that digest and signature cover, compressed (RFC 1952)
answers.bin     a table (see `table`): slug → the answer of that category
proofs.bin      a table: slug → the proof that the category is in the signed tree, without a text
pages.bin       a table: `categories`, `endorsements`, `provenance`, `registry` → an answer for everyone
phrases.txt     the phrases that the strategy `reference` compares queries with (see `phrases`)
lexicon.bin     the vocabulary that the strategy `lexicon` compares queries with (see `lexicon`)
log.bin         a table: the transparency log as files, and its entries with their proofs (see `log`)

The files that are read in parts, *.bin, have a checksum for each block (see `checked`). The others are
compared with their digest when they are read.
"""

from typing import Final

# Increase it when the layout of a file changes, and when `matching.normalise`, `matching.analysis` or
# `matching.spelling` change: phrases, keys and deletion variants are made with them at build time.
FORMAT: Final = 4

MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "registry.sig"
CANONICAL: Final = "canonical.json.gz"
ANSWERS: Final = "answers.bin"
PAGES: Final = "pages.bin"
PROOFS: Final = "proofs.bin"
PHRASES: Final = "phrases.txt"
LEXICON: Final = "lexicon.bin"
LOG: Final = "log.bin"
