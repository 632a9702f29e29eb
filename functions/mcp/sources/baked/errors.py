"""Why a baked registry cannot be opened, or a part of it cannot be served.

BakedRegistryError          folder
├── RegistryMissing
├── FormatMismatch          found, expected
└── RegistryDamaged         file
RecordDamaged               file, offset; an InternalError, which ends the request that reads it
"""

from typing import Final

from mcpcore import InternalError

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
    """`file` is missing, unreadable, or not what the manifest states."""

    def __init__(self, folder: str, *, file: str) -> None:
        self.file = file
        super().__init__(folder, f"{file} is missing or not as it was baked.")


class RecordDamaged(InternalError):
    """What a request reads from `file`, in the block that begins at `offset`, is not as it was baked."""

    def __init__(self, file: str, *, offset: int = 0) -> None:
        self.file = file
        self.offset = offset
        super().__init__(
            f"{file} is not as it was baked, in the block at offset {offset}: deploy it again",
            message="The registry of this server is damaged, so there is no answer; tell its operator",
        )

    def __str__(self) -> str:
        """The reason: what is logged of an exception that escapes from a page."""
        return self.reason
