"""What was seen of nodes before: one that goes back to an older registry, or changes its key, is an alarm."""

import json
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from threegood.trust.checks import Finding
from threegood.trust.keys import PublicKey
from threegood.trust.rotation import leads_to
from threegood.trust.statement import MalformedSignature, RegistrySignature
from threegood.trust.versions import is_older

__all__ = ["Sighting", "Sightings", "default_state"]

_FILE: Final = "threegood/nodes.json"


class Sighting(NamedTuple):
    """The registry that a node served when it was verified last."""

    version: str
    digest: str
    key: str
    signed_at: str

    @classmethod
    def of(cls, signature: RegistrySignature) -> "Sighting":
        """That of a registry with this signature."""
        statement = signature.statement
        return cls(statement.version, statement.digest, str(signature.key), statement.signed_at)


class Sightings:
    """The sightings in a file, by the address of the node."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def check(self, node: str, signature: RegistrySignature) -> list[Finding]:
        """What has changed since the node was seen last; nothing is remembered yet.

        Raises:
            ValueError: the file is no file of sightings.
        """
        stated = self._read().get(node)
        if stated is None:
            return [Finding("memory", True, f"the first time that {node} is verified here")]
        before, now = Sighting(**stated), Sighting.of(signature)
        return [_version(before, now), _key(before, signature), _renewal(before, now)]

    def remember(self, node: str, signature: RegistrySignature) -> None:
        """Write down what the node serves now."""
        sightings = {**self._read(), node: Sighting.of(signature)._asdict()}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        scratch = self._file.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps(sightings, indent=2) + "\n", encoding="utf-8")
        scratch.replace(self._file)

    def _read(self) -> dict[str, Any]:
        try:
            sightings: dict[str, Any] = json.loads(self._file.read_bytes())
        except FileNotFoundError:
            return {}
        if not isinstance(sightings, dict):
            raise ValueError(f"{self._file}: this is no file of `threegood verify`.")
        return sightings


def default_state() -> Path:
    """The file of the XDG state directory (XDG Base Directory Specification)."""
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(home).expanduser() / _FILE


def _version(before: Sighting, now: Sighting) -> Finding:
    if is_older(now.version, before.version):
        return Finding("rollback", False, f"Version {now.version}; {before.version} was served before.")
    if now.version == before.version and now.digest != before.digest:
        says = f"Version {now.version} has another digest than before, {before.digest}: there are two of it."
        return Finding("two of a version", False, says)
    return Finding("rollback", True, f"not older than {before.version}, which was seen last")


def _renewal(before: Sighting, now: Sighting) -> Finding:
    older = now.version == before.version and now.signed_at < before.signed_at
    says = "An older signature than the one that was seen last." if older else "no older signature"
    return Finding("older signature", not older, says)


def _key(before: Sighting, signature: RegistrySignature) -> Finding:
    try:
        led = leads_to(signature.rotations, PublicKey.parse(before.key), signature.key)
    except MalformedSignature as error:
        return Finding("other key", False, str(error))
    says = "the key that was seen last, or one that it has signed"
    otherwise = f"It was signed by {before.key} before, and that key has not signed the new one."
    return Finding("other key", led, says if led else otherwise)
