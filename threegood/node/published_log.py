"""Reads a transparency log where it is published: from a node, a baked layer, or its curator's folder."""

import json
from pathlib import Path
from typing import Any, Final

import httpx2

from sources.baked import MANIFEST, BakedRegistry, RecordDamaged
from sources.resources import REGISTRY_PATH
from threegood.trust.log import ENTRIES, read_log
from threegood.trust.log_checks import Published
from threegood.trust.notes import Checkpoint, NoteInvalid, unverified_text
from threegood.trust.tiles import entries_of, tile_paths

_TIMEOUT_SECONDS: Final = 30.0
_MAX_SIZE: Final = 1_000_000
"""More entries than a registry could have; a node could name any number."""


class NotPublished(Exception):
    """Something of the log is not to be had; the message says what and why. `absent` if there is no log."""

    def __init__(self, message: str, *, absent: bool = False) -> None:
        self.absent = absent
        super().__init__(message)


def log_of_node(url: str, token: str | None = None) -> Published:
    """The log of the node at `url`, with or without the path `/mcp`, and the registry that it serves.

    Raises:
        NotPublished: the node does not answer, or a page of the log is missing or malformed.
    """
    base = url.rstrip("/").removesuffix("/mcp")
    headers = {"authorization": f"Bearer {token}"} if token else {}
    with httpx2.Client(headers=headers, timeout=_TIMEOUT_SECONDS) as client:
        checkpoint = _fetched(client, f"{base}/log/checkpoint")
        size = _size(checkpoint, base)
        tiles = {path: _fetched(client, f"{base}/log/{path}") for path in tile_paths(size)}
        registry = _json(_fetched(client, f"{base}{REGISTRY_PATH}"), base)
    return _published(checkpoint, size, tiles, registry)


def log_in_layer(folder: Path) -> Published:
    """The log in a baked registry, and the registry beside it.

    Raises:
        NotPublished: there is no log, or a part of it is not as it was baked.
        BakedRegistryError: the registry cannot be opened.
    """
    baked = BakedRegistry.open(folder)
    try:
        checkpoint = baked.log().checkpoint()
        if checkpoint is None:
            raise NotPublished(f"{folder}: this registry was baked without a log.")
        size = _size(checkpoint, str(folder))
        tiles = {path: baked.log().tile(path) or b"" for path in tile_paths(size)}
        registry = json.loads(baked.canonical())
    except RecordDamaged as damaged:
        raise NotPublished(f"{folder}: {damaged}.") from damaged
    return _published(checkpoint, size, tiles, registry)


def log_in_folder(folder: Path, registry: Path | None) -> Published:
    """The log as its curator keeps it, and the content of the registry file, if there is one.

    Raises:
        NotPublished: there is no log.
        LogRefused: one of its files is missing or cut off.
        OSError: a file cannot be read.
    """
    log = read_log(folder)
    if log is None:
        raise NotPublished(f"{folder}: there is no log here. `threegood log update` begins one.")
    content = None if registry is None else _without_schema(_json(registry.read_bytes(), str(registry)))
    return Published(log.lines, log.checkpoint, None, content)


def published_log(place: str, *, token: str = "", registry: Path | None = None) -> Published:
    """The log at `place`: the URL of a node, a baked folder, or a curator's folder beside `registry`.

    Raises:
        NotPublished, LogRefused, BakedRegistryError, OSError: as the functions above.
    """
    if place.startswith(("http://", "https://")):
        return log_of_node(place, token)
    folder = Path(place)
    if (folder / MANIFEST).exists():
        return log_in_layer(folder)
    if not (folder / ENTRIES).exists() and (folder / "log" / ENTRIES).exists():
        folder = folder / "log"
    beside = registry or folder.parent / "registry.json"
    return log_in_folder(folder, beside if beside.exists() else None)


def _published(checkpoint: bytes, size: int, tiles: dict[str, bytes], registry: Any) -> Published:
    by_name = {path.partition(".p/")[0]: content for path, content in tiles.items()}
    try:
        entries = tuple(entries_of(by_name, size))
    except ValueError as error:
        raise NotPublished(f"A bundle of entries is malformed: {error}.") from None
    return Published(entries, checkpoint, by_name, registry)


def _fetched(client: httpx2.Client, url: str) -> bytes:
    try:
        response = client.get(url)
    except httpx2.HTTPError as error:
        raise NotPublished(f"{url}: {type(error).__name__}: {error}") from error
    if response.status_code != 200:
        absent = response.status_code == 404 and url.endswith("/checkpoint")
        raise NotPublished(f"{url}: the node answers {response.status_code}.", absent=absent)
    return response.content


def _size(checkpoint: bytes, place: str) -> int:
    try:
        size = Checkpoint.parse(unverified_text(checkpoint)).size
    except NoteInvalid as invalid:
        raise NotPublished(f"{place}: the checkpoint is malformed: {invalid}.") from None
    if size > _MAX_SIZE:
        raise NotPublished(f"{place}: a log of {size} entries is not read, {_MAX_SIZE} at most.")
    return size


def _json(data: bytes, place: str) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise NotPublished(f"{place}: the registry is no JSON.") from None


def _without_schema(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "$schema"}
