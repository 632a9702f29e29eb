"""Why a baked registry cannot be opened.

BakedRegistryError          folder
├── RegistryMissing
├── FormatMismatch          found, expected
└── RegistryDamaged         file
"""

from typing import Final

_REMEDY: Final = "Run `make bake`."


class BakedRegistryError(Exception):
    """The baked registry in `folder` cannot be opened."""

    def __init__(self, folder: str, reason: str) -> None:
        self.folder = folder
        super().__init__(f"{folder}: {reason} {_REMEDY}")


class RegistryMissing(BakedRegistryError):
    """The folder does not exist, or has no manifest."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "there is no baked registry here.")


class FormatMismatch(BakedRegistryError):
    """The registry was baked in the format `found`, by another version of this code."""

    def __init__(self, folder: str, *, found: object, expected: int) -> None:
        self.found = found
        self.expected = expected
        super().__init__(
            folder, f"this registry was baked in format {found}, but this code reads format {expected}."
        )


class RegistryDamaged(BakedRegistryError):
    """`file` is missing, unreadable, or has another length than the manifest states."""

    def __init__(self, folder: str, *, file: str) -> None:
        self.file = file
        super().__init__(folder, f"{file} is missing or not as it was baked.")
