"""Attacks on content, version, key and answers; each is caught by the check that the table names.

What a test calls an attack is done with everything that an attacker may have: the node, its files, the way to
it, keys of their own. What they do not have is the curator's private key, unless the name says so.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from sources.baked import MANIFEST
from sources.baked.registry import checksum_of
from tests.support.commands import threegood
from tests.support.processes import ROOT
from tests.support.registries import (
    CURATOR,
    SIGNED_AT,
    a_category,
    a_registry,
    content_of,
    files_of,
    fixture,
    signing_by,
)
from tests.support.signed_node import Tamper, replacing, signed_node
from threegood.registry.records import Registry
from threegood.registry.validate import validate
from threegood.trust.checks import UNSIGNED, Signing
from threegood.trust.private_keys import FileSigner, new_key, read_key
from threegood.trust.rotation import sign_rotation
from threegood.trust.signer import Signer
from threegood.trust.statement import RegistrySignature, sign_text

ATTACKER: Final = FileSigner(new_key())
DEMONSTRATION: Final = read_key(ROOT / "tests" / "fixtures" / "demonstration.key")


def registry_with(**changes: Any) -> Registry:
    return validate(json.dumps({**content_of("valid"), **changes}).encode())


def owned_by(signer: Signer, **changes: Any) -> Registry:
    """The registry with another curator's key, perhaps of the same name."""
    return registry_with(curator={"name": "Ada Example", "pubkey": str(signer.public)}, **changes)


REGISTRY: Final = registry_with()
SIGNING: Final = signing_by(CURATOR, REGISTRY)


def signature_of(signing: Signing) -> RegistrySignature:
    assert signing.signature is not None
    return signing.signature


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def failed(out: str) -> set[str]:
    """The names of the checks that failed."""
    lines = [line.split(maxsplit=1) for line in out.splitlines()]
    return {says.partition(":")[0] for word, says in lines if word == "FAILED"}


class Desk:
    """Verifies nodes from one place, which remembers what it saw."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nodes = 0

    def verify(
        self, registry: Registry, signing: Signing, tamper: Tamper | None = None, *arguments: str
    ) -> set[str]:
        """The failed checks of a node with this registry; all nodes have one address for the memory."""
        self._nodes += 1
        folder = write(self._folder / f"node-{self._nodes}", files_of(registry, signing))
        state = self._folder / "state.json"
        with signed_node(folder, tamper or (lambda _path, body: body)) as url:
            if state.exists():
                (seen,) = json.loads(state.read_text()).values()
                state.write_text(json.dumps({url: seen}))
            ended = threegood("verify", url, "--state", state, *arguments)
        assert ended.code == (1 if failed(ended.out) else 0), ended.err
        return failed(ended.out)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_an_honest_node_passes_every_check_again_and_again(desk: Desk) -> None:
    newer = registry_with(version="1.2.1")

    assert desk.verify(REGISTRY, SIGNING) == set()
    assert desk.verify(REGISTRY, SIGNING, None, "--key", CURATOR.public.zbase32) == set()
    assert desk.verify(newer, signing_by(CURATOR, newer)) == set()


# Somebody between the node and its readers, or the node itself.
ON_THE_WAY: Final[dict[str, tuple[Tamper, str]]] = {
    "another source in the registry": (
        replacing("/registry", "https://rust.example/book", "https://evil.example"),
        "digest",
    ),
    "a space in the registry": (replacing("/registry", '{"categories"', '{ "categories"'), "canonical form"),
    "a registry that is cut off": (
        lambda at, body: body[:-9] if at == "/registry" else body,
        "canonical form",
    ),
    "another source in an answer": (
        replacing("/mcp", "https://rust.example/book", "https://evil.example"),
        "answers",
    ),
    "another name in the list": (replacing("/mcp", "Learning Rust", "Learning Dust"), "list_categories"),
    "another endorsement": (replacing("/mcp", "We read every", "We love every"), "get_endorsements"),
    "another version in get_provenance": (replacing("/mcp", "1.2.0", "1.2.9"), "get_provenance"),
    "another key in get_provenance": (
        replacing("/mcp", CURATOR.public.hex, ATTACKER.public.hex),
        "get_provenance",
    ),
    "an edited registry that get_provenance admits": (
        replacing("/mcp", '"status":"signed"', '"status":"edited"'),
        "get_provenance",
    ),
    "another version in health": (replacing("/health", "1.2.0", "1.2.9"), "health"),
    "no status in health": (replacing("/health", '"signature": "signed"', '"signature": "sig"'), "health"),
    "a longer validity": (replacing("/registry.sig", "2126-", "2226-"), "signature"),
    "another version in the statement": (replacing("/registry.sig", "1.2.0", "1.2.9"), "signature"),
    "another letter case in the signature": (
        lambda at, body: body.replace('"signature": "', '"signature": "A') if at == "/registry.sig" else body,
        "signature",
    ),
    "a space in the signature file": (
        replacing("/registry.sig", '  "key"', '   "key"'),
        "registry.sig",
    ),
    "a signature file of another kind": (
        replacing("/registry.sig", "three-good-sources/registry", "three-good-sources/rotation"),
        "registry.sig",
    ),
}


@pytest.mark.parametrize(("tamper", "check"), ON_THE_WAY.values(), ids=ON_THE_WAY)
def test_a_changed_reply_is_caught(desk: Desk, tamper: Tamper, check: str) -> None:
    assert check in desk.verify(REGISTRY, SIGNING, tamper)


@pytest.mark.parametrize("path", ["/registry", "/registry.sig"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.999])
def test_one_changed_byte_in_a_served_file_is_caught(desk: Desk, path: str, share: float) -> None:
    def flipping(at: str, body: str) -> str:
        place = int(share * len(body))
        return f"{body[:place]}{chr(ord(body[place]) ^ 1)}{body[place + 1 :]}" if at == path else body

    found = desk.verify(REGISTRY, SIGNING, flipping)

    assert found & {"canonical form", "digest", "registry.sig", "signature", "curator key"}


class Signed(NamedTuple):
    """A registry, and a signature that does not fit it."""

    registry: Registry
    signing: Signing


def restated(**changes: Any) -> Signed:
    """The curator's own signature of a statement that is not about this registry."""
    statement = signature_of(SIGNING).statement._replace(**changes)
    return Signed(REGISTRY, Signing("signed", RegistrySignature(sign_text(statement.text(), CURATOR))))


def unlabelled() -> Signed:
    registry = owned_by(DEMONSTRATION)
    statement = signature_of(signing_by(DEMONSTRATION, registry)).statement._replace(demonstration=False)
    return Signed(registry, Signing("signed", RegistrySignature(sign_text(statement.text(), DEMONSTRATION))))


def rotated(*, signer: Signer, new: Signer) -> Signed:
    registry = owned_by(ATTACKER, version="1.3.0")
    step = sign_rotation(signer, new.public, now=SIGNED_AT)
    stated = step._replace(
        statement=step.statement.replace(str(signer.public), str(CURATOR.public)), key=str(CURATOR.public)
    )
    return Signed(registry, signing_by(ATTACKER, registry, rotations=(stated,)))


WRONGLY_SIGNED: Final[dict[str, tuple[Callable[[], Signed], str]]] = {
    "signed by a stranger": (
        lambda: Signed(REGISTRY, signing_by(ATTACKER, REGISTRY)),
        "curator key",
    ),
    "the signature of another version": (
        lambda: Signed(registry_with(version="1.3.0"), SIGNING),
        "digest",
    ),
    "another root": (lambda: restated(root=f"sha256:{'0' * 64}"), "root"),
    "another number of categories": (lambda: restated(categories=3), "categories"),
    "another version than the registry's": (lambda: restated(version="9.0.0"), "version"),
    "another curator than the registry's": (lambda: restated(curator="Eve"), "curator"),
    "expired": (
        lambda: Signed(REGISTRY, signing_by(CURATOR, REGISTRY, now=0, valid_seconds=86_400)),
        "expiry",
    ),
    "the demonstration key without its label": (unlabelled, "demonstration"),
    "a curator's key as a demonstration": (lambda: restated(demonstration=True), "demonstration"),
    "a rotation that the new key signed itself": (lambda: rotated(signer=ATTACKER, new=ATTACKER), "rotation"),
    "not signed": (lambda: Signed(REGISTRY, UNSIGNED), "GET /registry.sig"),
    "edited since it was signed": (lambda: Signed(REGISTRY, Signing("edited")), "get_provenance"),
}


@pytest.mark.parametrize(("attack", "check"), WRONGLY_SIGNED.values(), ids=WRONGLY_SIGNED)
def test_a_signature_that_does_not_fit_is_caught(
    desk: Desk, attack: Callable[[], Signed], check: str
) -> None:
    assert check in desk.verify(*attack())


def test_a_rotation_to_somebody_else_is_caught(desk: Desk) -> None:
    registry = owned_by(ATTACKER)
    elsewhere = sign_rotation(CURATOR, DEMONSTRATION.public, now=SIGNED_AT)

    assert "rotation" in desk.verify(registry, signing_by(ATTACKER, registry, rotations=(elsewhere,)))


def test_another_curators_registry_is_caught_by_the_pinned_key(desk: Desk) -> None:
    registry = owned_by(ATTACKER)

    found = desk.verify(registry, signing_by(ATTACKER, registry), None, "--key", CURATOR.public.pem)

    assert found == {"pinned key"}


def test_another_key_later_is_an_alarm_unless_the_old_one_signed_it(desk: Desk) -> None:
    registry = owned_by(ATTACKER, version="1.3.0")
    rotation = sign_rotation(CURATOR, ATTACKER.public, now=SIGNED_AT)
    desk.verify(REGISTRY, SIGNING)

    assert desk.verify(registry, signing_by(ATTACKER, registry)) == {"other key"}
    assert desk.verify(registry, signing_by(ATTACKER, registry, rotations=(rotation,))) == set()
    assert "other key" in desk.verify(
        registry_with(version="1.4.0"), signing_by(CURATOR, registry_with(version="1.4.0"))
    )


def test_an_older_version_later_is_an_alarm(desk: Desk) -> None:
    older = registry_with(version="1.1.9")
    desk.verify(REGISTRY, SIGNING)

    assert desk.verify(older, signing_by(CURATOR, older)) == {"rollback"}
    assert desk.verify(older, signing_by(CURATOR, older)) == {"rollback"}  # a failure is not remembered


def test_two_registries_of_one_version_are_an_alarm(desk: Desk) -> None:
    other = registry_with(updated="2026-04-01")
    desk.verify(REGISTRY, SIGNING)

    assert desk.verify(other, signing_by(CURATOR, other)) == {"two of a version"}


def test_a_signature_from_before_the_last_one_is_an_alarm(desk: Desk) -> None:
    desk.verify(REGISTRY, signing_by(CURATOR, REGISTRY, now=SIGNED_AT + 60))

    assert desk.verify(REGISTRY, SIGNING) == {"older signature"}


# The files of the layer.
FILES: Final = tuple(files_of(REGISTRY, SIGNING))


def verify_folder(folder: Path, *arguments: str | Path) -> set[str]:
    ended = threegood("verify", folder, *arguments)
    assert ended.code > 0 or not failed(ended.out)
    return failed(ended.out) or ({"not opened"} if ended.code == 2 else set())


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_byte_in_any_file_of_the_layer_is_caught(tmp_path: Path, name: str) -> None:
    files = files_of(REGISTRY, SIGNING)
    for at in {0, 9, len(files[name]) // 2, len(files[name]) - 1}:
        data = bytearray(files[name])
        data[at] ^= 0x11
        folder = write(tmp_path / str(at), {**files, name: bytes(data)})

        assert verify_folder(folder) & {"bytes", "canonical form", "not opened"}


def with_manifest(files: dict[str, bytes], **facts: Any) -> dict[str, bytes]:
    """The files with a manifest that states their digests, as whoever changes a file can write it."""
    manifest = {**json.loads(files[MANIFEST]), **facts}
    manifest["files"] = {
        name: {"size": len(data), "sha256": sha256(data).hexdigest()}
        for name, data in files.items()
        if name != MANIFEST
    }
    del manifest["checksum"]
    manifest["checksum"] = checksum_of(manifest)
    return {**files, MANIFEST: json.dumps(manifest).encode()}


def test_a_folder_is_compared_with_its_registry_and_not_with_its_manifest(tmp_path: Path) -> None:
    files = files_of(REGISTRY, SIGNING)
    evil = validate(fixture("valid").replace(b"https://rust.example/book", b"https://evil.example"))
    answers = {**files, "answers.bin": files_of(evil, SIGNING)["answers.bin"]}
    unsigned = {name: data for name, data in files.items() if name != "registry.sig"}

    assert verify_folder(write(tmp_path / "honest", files)) == set()
    assert verify_folder(write(tmp_path / "a", with_manifest(answers))) == {"answers"}
    assert verify_folder(write(tmp_path / "b", with_manifest(files, version="9.9.9"))) == {"answers"}
    assert "signature" in verify_folder(write(tmp_path / "c", with_manifest(unsigned, status="unsigned")))
    assert "digest" in verify_folder(write(tmp_path / "d", files_of(evil, SIGNING)))


def test_another_vocabulary_is_caught_where_the_registrys_files_are_given(tmp_path: Path) -> None:
    words = a_registry({"apples": a_category("Apples", keywords=["cox"])}, endorsements=[])
    other = a_registry({"apples": a_category("Apples", keywords=["pear"])}, endorsements=[])
    signing = signing_by(CURATOR, words)
    files = {**files_of(words, signing), "lexicon.bin": files_of(other, signing)["lexicon.bin"]}
    folder = write(tmp_path / "baked", with_manifest(files))
    source = write(tmp_path / "source", {"registry.json": words_file(words)}) / "registry.json"
    write(source.parent / "vocabulary", {"apples.json": b'{"keywords": ["cox"]}'})

    assert verify_folder(folder, "--registry", source) == {"answers"}


def words_file(registry: Registry) -> bytes:
    content = registry.model_dump(mode="json", exclude_unset=True, exclude={"vocabulary"})
    return json.dumps(content).encode()


def test_the_file_and_its_signature_are_verified_without_a_node(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "mirror",
        {"registry.json": fixture("valid"), "registry.sig": signature_of(SIGNING).to_bytes()},
    )
    file = folder / "registry.json"
    honest = threegood("verify", file)
    file.write_bytes(fixture("valid").replace(b"rust.example/book", b"evil.example/book"))
    changed = threegood("verify", file)
    (folder / "registry.sig").unlink()

    assert (honest.code, failed(honest.out)) == (0, set())
    assert (changed.code, failed(changed.out)) == (1, {"digest", "root"})
    assert failed(threegood("verify", file).out) == {"signature"}
