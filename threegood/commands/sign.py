"""`threegood sign`: writes `registry.sig`, the signature that is committed beside the registry."""

import re
import time
from pathlib import Path
from typing import Final

import click

from threegood.commands.log_beside import continue_log
from threegood.commands.output import CannotBegin, remark, show
from threegood.commands.registry_file import load_registry, registry_argument
from threegood.commands.signing_key import passphrase_file_option, signer_from_agent, signer_from_file
from threegood.registry.files import read_files
from threegood.registry.records import Registry
from threegood.registry.validate import validate
from threegood.suggesting.atomic_file import replace_file
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.keys import DEMONSTRATION_KEY, NoPublicKey, PublicKey
from threegood.trust.registry_edit import with_curator
from threegood.trust.rotation import sign_rotation
from threegood.trust.signer import Signer
from threegood.trust.statement import RegistrySignature, Signed, sign_registry, signature_file
from threegood.trust.versions import is_older

_DURATION: Final = re.compile(r"([1-9][0-9]{0,4})([dw])")
_SECONDS: Final = {"d": 86_400, "w": 604_800}


def _duration(_ctx: click.Context, _option: click.Parameter, value: str) -> int:
    found = _DURATION.fullmatch(value)
    if found is None:
        raise click.BadParameter("write a number of days or weeks, such as 365d or 52w")
    return int(found[1]) * _SECONDS[found[2]]


@click.command(epilog="Example: threegood sign registry.json --key ~/three-good-sources.key")
@registry_argument
@click.option("--key", metavar="FILE", help="The curator's private key.")
@click.option("--agent", is_flag=True, help="Sign with the curator's key in ssh-agent instead.")
@click.option("--expires", default="365d", callback=_duration, help="How long it holds: 365d, 52w.")
@click.option("--curator", metavar="NAME", help="Make the registry yours first: put NAME and your key in.")
@click.option("--old-key", metavar="FILE|agent", help="The former private key, which signs the new one.")
@click.option("--agent-key", metavar="KEY", help="The public key in ssh-agent, if it is a new one.")
@passphrase_file_option
def sign(
    registry: Path,
    key: str | None,
    agent: bool,
    expires: int,
    curator: str | None,
    old_key: str | None,
    agent_key: str | None,
    passphrase_file: str | None,
) -> None:
    """Sign a registry and its vocabulary.

    The signature goes into registry.sig beside it, to be committed. A registry that has changed needs a
    higher version than the one that was signed last.
    """
    if (key is not None) == agent:
        raise click.UsageError("Name either --key FILE or --agent.")
    content, last = load_registry(registry), RegistrySignature.beside(registry)
    text = ""
    signer: Signer = (
        signer_from_agent(_agent_key(agent_key, content))
        if key is None
        else signer_from_file(key, passphrase_file)
    )
    now = time.time()
    old = _old_signer(last, old_key, passphrase_file)
    rotations = _rotations(last, signer.public, old, now)
    if curator is not None or old_key is not None:
        data, vocabulary = read_files(registry)
        text = with_curator(data.decode("utf-8"), curator, signer.public)
        content = validate(text.encode("utf-8"), vocabulary)
    _check(content, signer.public, last)
    signature = sign_registry(content, signer, now=now, valid_seconds=expires, rotations=rotations)
    added = continue_log(registry.parent / "log", content, signer=signer, former=old, now=now)
    if text:
        replace_file(registry, text.encode("utf-8"))
    replace_file(signature_file(registry), signature.to_bytes())
    statement = signature.statement
    show([added])
    show([f"{signature_file(registry)}: version {statement.version} signed until {statement.expires_at}"])
    if statement.demonstration:
        remark("This is the demonstration key, which anyone has: the signature proves nobody's judgement.")


def _agent_key(named: str | None, registry: Registry) -> PublicKey:
    try:
        return PublicKey.read(named or registry.curator.pubkey)
    except NoPublicKey as error:
        raise CannotBegin(str(error)) from error


def _old_signer(
    last: RegistrySignature | None, old_key: str | None, passphrase_file: str | None
) -> Signer | None:
    if last is None or old_key is None:
        return None
    return signer_from_agent(last.key) if old_key == "agent" else signer_from_file(old_key, passphrase_file)


def _rotations(
    last: RegistrySignature | None,
    new: PublicKey,
    old: Signer | None,
    now: float,
) -> tuple[Signed, ...]:
    """The rotations up to the key `new`; empty after the demonstration key, which proves nothing.

    Raises:
        CannotBegin: the key is another one than before, and the old one is not there to sign it.
    """
    if last is None or _was_demonstration(last, new):
        return ()
    if last.key == new:
        return last.rotations
    if old is None:
        raise CannotBegin(
            f"The registry was last signed by {last.key}, and this key is {new}. Readers take another key "
            "only if the old one signs it: add --old-key FILE. Lost? See docs/trust.md."
        )
    if old.public != last.key:
        raise CannotBegin(f"--old-key is {old.public}; the registry was last signed by {last.key}.")
    return (*last.rotations, sign_rotation(old, new, now=now))


def _check(registry: Registry, key: PublicKey, last: RegistrySignature | None) -> None:
    """Refuse what a reader would refuse."""
    if registry.curator.pubkey != str(key):
        raise CannotBegin(
            f"The private key belongs to {key}, but curator.pubkey in the registry is "
            f"{registry.curator.pubkey}. Use the key of that curator, or make the registry yours: "
            "--curator NAME."
        )
    if last is None or _was_demonstration(last, key):
        return
    before, digest = last.statement, digest_of(canonical_bytes(registry))
    if before.version == registry.version and before.digest != digest:
        raise CannotBegin(
            f"The registry has changed since version {before.version} was signed. Raise its version: readers "
            "take two registries of one version for a forgery."
        )
    if is_older(registry.version, before.version):
        raise CannotBegin(f"Version {before.version} is signed already: {registry.version} is older.")


def _was_demonstration(last: RegistrySignature, key: PublicKey) -> bool:
    return last.key == DEMONSTRATION_KEY != key
