"""`threegood verify`: a node, a registry file or a baked folder, from the signature to the answers."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from threegood.baking.comparing import compare_folder
from threegood.commands.output import CannotBegin, counted, remark, show
from threegood.commands.registry_file import A_PATH, BAKED_FOLDER, load_registry
from threegood.node.sightings import Sightings, default_state
from threegood.node.verifying import endpoint_of, is_url, verify_node
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.checks import Finding, check_signature
from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.statement import RegistrySignature, signature_file


@click.command(epilog="Example: threegood verify https://sources.example/mcp --key ada.pem")
@click.argument("target", default=str(BAKED_FOLDER))
@click.option("--key", metavar="KEY", help="The curator's public key, in any spelling, or a file with it.")
@click.option("--state", type=A_PATH, help="The file that remembers what nodes served.  [XDG_STATE_HOME]")
@click.option("--token", envvar="MCP_TOKEN", default="", help="An access token or API key [MCP_TOKEN].")
@click.option("--registry", type=A_PATH, help="The registry that a baked folder should be of.")
@click.option("--allow-unsigned", is_flag=True, help="Let a folder pass that is unsigned, edited or expired.")
def verify(
    target: str, key: str | None, state: Path | None, token: str, registry: Path | None, allow_unsigned: bool
) -> None:
    """Verify a node, a registry or a baked folder.

    TARGET is the URL of a node, a registry.json with its registry.sig, or the folder that was baked. The exit
    code is 1 if a check fails.
    """
    pinned, now = _pinned(key), time.time()
    if is_url(target):
        findings = _verify_node(target, token, Sightings(state or default_state()), pinned, now)
    elif Path(target).is_dir():
        source = None if registry is None else load_registry(registry)
        findings = compare_folder(
            Path(target), now=now, source=source, unsigned=allow_unsigned, pinned=pinned
        )
    else:
        findings = _verify_file(Path(target), pinned, now)
    _report(target, findings)


def _report(target: str, findings: Iterator[Finding]) -> None:
    failed = 0
    for each in findings:
        show([f"{'ok' if each.ok else 'FAILED':7}{each.check}: {each.says}"])
        failed += not each.ok
    if failed:
        remark(f"{target}: {counted(failed, 'check')} failed; docs/trust.md says what each means")
        sys.exit(1)


def _pinned(key: str | None) -> PublicKey | None:
    try:
        return None if key is None else PublicKey.read(key)
    except NoPublicKey as error:
        raise CannotBegin(str(error)) from error


def _verify_node(
    url: str, token: str, sightings: Sightings, pinned: PublicKey | None, now: float
) -> Iterator[Finding]:
    endpoint = endpoint_of(url, token)
    verified = verify_node(endpoint, now=now, pinned=pinned)
    findings = list(verified.findings)
    if verified.signature is not None:
        findings += sightings.check(endpoint.url, verified.signature)
    yield from findings
    # A failure is not remembered: what was seen before stays what the node is compared with.
    if verified.signature is not None and all(each.ok for each in findings):
        sightings.remember(endpoint.url, verified.signature)


def _verify_file(file: Path, pinned: PublicKey | None, now: float) -> Iterator[Finding]:
    registry, signature = load_registry(file), RegistrySignature.beside(file)
    if signature is None:
        yield Finding("signature", False, f"There is no {signature_file(file)}: `threegood sign` writes it.")
        return
    digest = digest_of(canonical_bytes(registry))
    yield from check_signature(registry, digest, signature, now=now, pinned=pinned)
