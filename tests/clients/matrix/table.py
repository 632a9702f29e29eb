"""The tested clients, as `python.toml` and `node.toml` list them."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["DRIVERS", "STEPS", "Client", "read_table"]

STEPS: Final = (
    "connect",
    "tools",
    "call",
    "unknown",
    "resources",
    "read",
    "prompts",
    "prompt",
    "close",
)
"""What a driver reports on, in the order of the page."""

_FOLDER: Final = Path(__file__).parent
DRIVERS: Final = _FOLDER / "drivers"
_FILES: Final = (_FOLDER / "python.toml", _FOLDER / "node.toml")
_OPTIONAL: Final = {"arguments", "python", "ci", "note", "known"}
_REQUIRED: Final = {"name", "driver", "versions", "transports"}


class Client(NamedTuple):
    """One version of a client, and how it is run.

    An entry in the lists has several `versions`, each with its `requirements`: exact ones, the client's own
    first. `arguments` are the driver's, `python` is the version that the client needs if not this one, `ci`
    the version that CI runs, `note` a sentence for the page, and `known` says why a step fails.
    """

    name: str
    requirements: tuple[str, ...]
    driver: Path
    arguments: tuple[str, ...]
    transports: tuple[str, ...]
    python: str | None
    in_ci: bool
    note: str | None
    known: Mapping[str, str]

    @property
    def version(self) -> str:
        """The version of the client itself."""
        return _version(self.requirements[0])

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"


def read_table(files: Sequence[Path] = _FILES) -> list[Client]:
    """Every version of every client, in the order of the files; a file that is not there has none.

    Raises:
        ValueError: an entry lacks a field, or names a field, driver, step or version that does not exist.
    """
    entries = [entry for path in files if path.exists() for entry in _entries(path)]
    return [client for entry in entries for client in _clients(entry)]


def _entries(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text()).get("client", [])
    return entries


def _clients(entry: Mapping[str, Any]) -> list[Client]:
    _check(entry)
    return [
        Client(
            name=entry["name"],
            requirements=tuple(requirements),
            driver=DRIVERS / entry["driver"],
            arguments=tuple(entry.get("arguments", ())),
            transports=tuple(entry["transports"]),
            python=entry.get("python"),
            in_ci=_version(requirements[0]) == entry.get("ci"),
            note=entry.get("note"),
            known=entry.get("known", {}),
        )
        for requirements in entry["versions"]
    ]


def _check(entry: Mapping[str, Any]) -> None:
    name = entry.get("name", "an entry without a name")
    if wrong := (entry.keys() | _REQUIRED) - (entry.keys() & _REQUIRED) - _OPTIONAL:
        raise ValueError(f"{name}: missing or unknown: {', '.join(sorted(wrong))}")
    if unknown := entry.get("known", {}).keys() - set(STEPS):
        raise ValueError(f"{name}: no such step: {', '.join(sorted(unknown))}")
    if not (DRIVERS / entry["driver"]).is_file():
        raise ValueError(f"{name}: no such driver: {entry['driver']}")
    versions = [_version(requirements[0]) for requirements in entry["versions"]]
    if entry.get("ci", versions[0]) not in versions:
        raise ValueError(f"{name}: CI's version {entry['ci']} is not in the list")


def _version(requirement: str) -> str:
    """What follows the last `==` of a Python requirement, the last `@` of a Node.js one."""
    return requirement.rpartition("==" if "==" in requirement else "@")[2]
