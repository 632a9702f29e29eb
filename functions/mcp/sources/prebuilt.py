"""The file beside the handler that holds the prebuilt server, named after the digest of its registry."""

from pathlib import Path


def prebuilt_file(folder: Path, digest: str) -> Path:
    """The path in `folder` for the registry with that digest (`sha256:` and hexadecimal digits)."""
    hexadecimal = digest.removeprefix("sha256:")
    return folder / f"prebuilt-{hexadecimal[:16]}.json"


def read_prebuilt(folder: Path, digest: str) -> bytes | None:
    """The prebuilt server for this registry; `None` if there is none, as in a source checkout."""
    try:
        return prebuilt_file(folder, digest).read_bytes()
    except FileNotFoundError:
        return None
