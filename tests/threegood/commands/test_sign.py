"""`threegood sign`, and `threegood bake` with what it has written."""

import json
from pathlib import Path
from typing import Any

import pytest

from sources.baked import BakedRegistry
from tests.support.commands import threegood
from tests.support.processes import ROOT
from tests.support.registries import CURATORS_KEY, fixture
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.checks import check_signature
from threegood.trust.private_keys import key_to_pem
from threegood.trust.rotation import leads_to
from threegood.trust.statement import RegistrySignature, root_of

DEMONSTRATION = ROOT / "tests" / "fixtures" / "demonstration.key"


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a valid registry under its usual name, its curator's key, and a new key."""
    (tmp_path / "registry.json").write_bytes(fixture("valid"))
    (tmp_path / "key.pem").write_bytes(key_to_pem(CURATORS_KEY))
    monkeypatch.chdir(tmp_path)
    threegood("keygen", "new.pem")
    return tmp_path


def signature() -> RegistrySignature:
    found = RegistrySignature.beside(Path("registry.json"))
    assert found is not None
    return found


def edit(old: bytes, new: bytes) -> None:
    file = Path("registry.json")
    assert old in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(old, new))


def test_a_signature_states_the_registry_and_holds_a_year() -> None:
    ended = threegood("sign", "--key", "key.pem")
    registry = validate(fixture("valid"))
    members: dict[str, Any] = json.loads(Path("registry.sig").read_bytes())
    statement = json.loads(members["statement"])

    assert (ended.code, ended.err) == (0, "")
    assert list(members) == ["statement", "key", "signature"]
    assert (members["key"], list(statement)) == (registry.curator.pubkey, sorted(statement))
    assert statement.pop("expires_at")[4:] == statement.pop("signed_at")[4:]
    assert statement == {
        "categories": 2,
        "curator": "Ada Example",
        "digest": digest_of(canonical_bytes(registry)),
        "kind": "three-good-sources/registry",
        "root": root_of(registry),
        "version": "1.2.0",
    }
    assert all(each.ok for each in check_signature(registry, statement["digest"], signature(), now=0))


def test_baking_takes_the_signature_and_no_key() -> None:
    threegood("sign", "--key", "key.pem")
    Path("key.pem").unlink()

    ended = threegood("bake", "--out", "baked")

    assert (ended.out, ended.err) == ("baked: baked, signed; categories: 2\n", "")
    assert BakedRegistry.open("baked").signature() == Path("registry.sig").read_bytes()


def test_an_edited_registry_is_baked_unsigned_with_a_warning() -> None:
    threegood("sign", "--key", "key.pem")
    edit(b"wet dough", b"dry dough")

    ended = threegood("bake", "--out", "baked")

    assert (ended.code, ended.out) == (
        0,
        "baked: baked, edited since it was signed, so unsigned; categories: 2\n",
    )
    assert ended.err.startswith("registry.sig: warning: it is not of this registry, which was edited since")
    assert (BakedRegistry.open("baked").manifest.status, BakedRegistry.open("baked").signature()) == (
        "edited",
        None,
    )


def test_a_wrong_or_malformed_signature_is_not_baked() -> None:
    threegood("sign", "--key", "key.pem")
    signed = json.loads(Path("registry.sig").read_bytes())
    Path("registry.sig").write_text(json.dumps({**signed, "signature": "A" * 86 + "=="}))
    wrong = threegood("bake", "--out", "baked")
    Path("registry.sig").write_text("{}")
    malformed = threegood("bake", "--out", "baked")

    assert (wrong.code, malformed.code, Path("baked").exists()) == (1, 2, False)
    assert wrong.err.startswith("The signature of the registry is wrong. signature: It does not verify")
    assert malformed.err.startswith("registry.sig: This is no registry.sig")


def test_a_changed_registry_needs_a_higher_version() -> None:
    threegood("sign", "--key", "key.pem")
    before = Path("registry.sig").read_bytes()
    renewed = threegood("sign", "--key", "key.pem", "--expires", "2w")
    edit(b"wet dough", b"dry dough")

    changed = threegood("sign", "--key", "key.pem")
    edit(b"1.2.0", b"1.1.9")
    older = threegood("sign", "--key", "key.pem")
    edit(b"1.1.9", b"1.10.0")

    assert renewed.code == 0
    assert before != Path("registry.sig").read_bytes()
    assert changed.err.startswith(
        "The registry has changed since version 1.2.0 was signed. Raise its version"
    )
    assert older.err == "Version 1.2.0 is signed already: 1.1.9 is older.\n"
    assert threegood("sign", "--key", "key.pem").code == 0
    assert signature().statement.version == "1.10.0"


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("new.pem", "The private key belongs to ed25519:"),
        ("none.pem", "none.pem: the key file cannot be read (No such file or directory).\n"),
        ("~nobody-at-all/key.pem", "~nobody-at-all/key.pem: the key file cannot be read"),
    ],
)
def test_a_key_that_does_not_fit_signs_nothing(key: str, reason: str) -> None:
    ended = threegood("sign", "--key", key)

    assert (ended.code, ended.out, Path("registry.sig").exists()) == (2, "", False)
    assert ended.err.startswith(reason)


def test_another_key_signs_only_after_the_old_one_has_signed_it() -> None:
    threegood("sign", "--key", "key.pem")
    old = signature().key
    edit(b"1.2.0", b"1.3.0")

    refused = threegood("sign", "--key", "new.pem", "--curator", "Ada Example")
    stranger = threegood("sign", "--key", "new.pem", "--old-key", "new.pem")
    untouched = Path("registry.json").read_bytes()
    rotated = threegood("sign", "--key", "new.pem", "--old-key", "key.pem")

    assert refused.err.startswith(f"The registry was last signed by {old}, and this key is ed25519:")
    assert "--old-key is ed25519:" in stranger.err
    assert untouched == fixture("valid").replace(b"1.2.0", b"1.3.0")
    assert (rotated.code, rotated.err) == (0, "")
    assert leads_to(signature().rotations, old, signature().key)
    registry = validate(Path("registry.json").read_bytes())
    digest = digest_of(canonical_bytes(registry))
    assert all(each.ok for each in check_signature(registry, digest, signature(), now=0))

    threegood("sign", "--key", "new.pem")
    assert len(signature().rotations) == 1


def test_what_the_demonstration_key_signs_says_so_and_a_fork_replaces_it_by_one_command() -> None:
    shown = threegood("sign", "--key", DEMONSTRATION, "--curator", "Demonstration")
    labelled = signature().statement.demonstration
    mine = threegood("sign", "--key", "new.pem", "--curator", 'Bea "B" Example')

    assert shown.err == (
        "This is the demonstration key, which anyone has: the signature proves nobody's judgement.\n"
    )
    assert (mine.code, mine.err) == (0, "")
    assert (labelled, signature().statement.demonstration) == (True, False)
    assert signature().statement.curator == 'Bea "B" Example'
    assert signature().rotations == ()
    assert threegood("bake", "--out", "baked").out == "baked: baked, signed; categories: 2\n"


def test_the_shipped_registry_is_signed_by_the_demonstration_key() -> None:
    found = RegistrySignature.beside(ROOT / "registry.json")

    assert found is not None
    assert (found.statement.demonstration, found.signed.verified()) == (True, True)


def test_a_key_with_a_passphrase_and_one_in_an_agent_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THREEGOOD_PASSPHRASE", "correct horse")
    threegood("keygen", "locked.pem", "--passphrase")
    assert threegood("sign", "--key", "locked.pem", "--curator", "Bea").code == 0

    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    assert threegood("sign", "--agent").err.startswith("SSH_AUTH_SOCK is not set")
    monkeypatch.delenv("THREEGOOD_PASSPHRASE")
    assert "this key is encrypted" in threegood("sign", "--key", "locked.pem").err
