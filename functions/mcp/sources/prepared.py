"""Where the prepared build of the server lies: beside the handler, named after its registry."""

from pathlib import Path


def prepared_file(folder: Path, digest: str) -> Path:
    """The file in `folder` for the registry with that digest (`sha256:` and hexadecimal digits)."""
    return folder / f"prepared-{digest.rpartition(':')[2][:16]}.json"


def read_prepared(folder: Path, digest: str) -> bytes | None:
    """What was prepared for this registry; None if nothing was, as when the server runs from its sources."""
    try:
        return prepared_file(folder, digest).read_bytes()
    except FileNotFoundError:
        return None
