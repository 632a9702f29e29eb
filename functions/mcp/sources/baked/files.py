"""The files of a baked registry. They lie directly in its folder.

manifest.json   format, version, curator, digest, signature, counts, and the sizes of the other files
canonical.json  the bytes that the digest and the signature are about
answers.bin     a table (see `table`): slug → the answer of that category
pages.bin       a table: `categories`, `endorsements`, `provenance` → an answer that is the same for everyone
phrases.txt     what queries are compared with (see `phrases`)
"""

from typing import Final

# Raise it when a file changes its form, and when `matching.normalise` changes: the phrases are normalised
# already.
FORMAT: Final = 1

MANIFEST: Final = "manifest.json"
CANONICAL: Final = "canonical.json"
ANSWERS: Final = "answers.bin"
PAGES: Final = "pages.bin"
PHRASES: Final = "phrases.txt"
