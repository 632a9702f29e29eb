"""What aics-tlog finds of a log of static files, as JSON; run in an environment of its own.

    python read_log.py FOLDER VERIFIER_KEY

In FOLDER are the files as they are served. The proof of every entry, and of every earlier size, is made of
tiles.
"""

import json
import sys
from pathlib import Path

import aics_tlog as tlog  # type: ignore[import-not-found]  # not in the environment that checks types


def main(folder: Path, key: str) -> None:
    """Verify the checkpoint, then the tiles against it; print what they prove."""
    note = tlog.parse_note((folder / "checkpoint").read_text("utf-8"))
    head = tlog.verify_checkpoint(note, tlog.parse_vkey(key))
    assert head.ok, head.error
    reader = tlog.FileSystemTileReader(folder)
    tlog.audit_tiles(reader, head.size, head.root, entries=True)
    found = {
        "origin": head.origin,
        "size": head.size,
        "root": head.root.hex(),
        "entries": [tlog.read_entry(reader, index, head.size).decode() for index in range(head.size)],
        "inclusion": [
            [each.hex() for each in tlog.inclusion_proof_from_tiles(reader, index, head.size)]
            for index in range(head.size)
        ],
        "consistency": [
            [each.hex() for each in tlog.consistency_proof_from_tiles(reader, old, head.size)]
            for old in range(1, head.size)
        ],
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
