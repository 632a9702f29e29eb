"""Why a baked registry cannot be opened.

BakedRegistryError          folder
├── RegistryMissing
├── FormatMismatch          found, expected
└── RegistryDamaged         file
"""

from pathlib import Path
from typing import Final

_AGAIN: Final = "Run `make bake`."


class BakedRegistryError(Exception):
    """There is no baked registry to be had from `folder`."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        super().__init__(f"{folder}: {reason} {_AGAIN}")


class RegistryMissing(BakedRegistryError):
    """The folder is not there, or nothing was baked into it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "there is no baked registry here.")


class FormatMismatch(BakedRegistryError):
    """It was baked by another version of this code that writes the format `found`."""

    def __init__(self, folder: Path, *, found: object, expected: int) -> None:
        self.found = found
        self.expected = expected
        super().__init__(
            folder, f"this registry was baked in format {found}, but this code reads format {expected}."
        )


class RegistryDamaged(BakedRegistryError):
    """`file` is missing, unreadable, or not as long as it was baked."""

    def __init__(self, folder: Path, *, file: str) -> None:
        self.file = file
        super().__init__(folder, f"{file} is missing or not as it was baked.")
