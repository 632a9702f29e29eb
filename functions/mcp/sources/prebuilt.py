"""The file beside the handler that holds the prebuilt server, named after the digest of its registry."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def prebuilt_file(folder: "Path | str", digest: str) -> str:
    """The path in `folder` for the registry with that digest (`sha256:` and hexadecimal digits)."""
    hexadecimal = digest.removeprefix("sha256:")
    return f"{folder}/prebuilt-{hexadecimal[:16]}.json"


def read_prebuilt(folder: "Path | str", digest: str) -> bytes | None:
    """The prebuilt server for this registry; `None` if there is none, as in a source checkout."""
    try:
        with open(prebuilt_file(folder, digest), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
