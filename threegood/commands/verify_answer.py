"""`threegood verify-answer`: checks one answer of a node by the proof that it carries."""

import sys
from datetime import UTC, datetime
from typing import IO

import click

from threegood.commands.output import CannotBegin, counted, remark, show
from threegood.commands.registry_file import default_registry, load_registry
from threegood.trust.answer import CHECKS, Facts, NoProof, checked, result_in
from threegood.trust.keys import DEMONSTRATION_KEY, SPELLINGS, NoPublicKey, PublicKey


@click.command("verify-answer", epilog="Example: threegood verify-answer answer.json --key ed25519:…")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--key", metavar="KEY", help=f"The curator's public key, or a file with it: {SPELLINGS}.")
def verify_answer(file: IO[bytes], key: str | None) -> None:
    """Verify an answer by the proof that it carries.

    The answer is one of get_sources, asked for with proof=true.

    FILE holds the result of the tool, or the whole JSON-RPC response; - is the standard input. Without --key
    the answer must be signed by the key that the registry file here names.
    """
    expected = _expected(key)
    try:
        verdict = checked(result_in(file.read()), key=expected, now=datetime.now(UTC))
    except NoProof as error:
        remark(f"FAILED proof: {error}")
        sys.exit(1)
    for failure in verdict.failures:
        remark(f"FAILED {failure.check}: {failure.why}")
    if verdict.failures:
        remark(f"{counted(len(verdict.failures), 'check')} of {len(CHECKS)} failed: do not trust this answer")
        sys.exit(1)
    show(_lines(verdict.facts, expected))


def _expected(key: str | None) -> PublicKey:
    try:
        return PublicKey.read(key or load_registry(default_registry()).curator.pubkey)
    except NoPublicKey as error:
        raise CannotBegin(str(error)) from error


def _lines(facts: Facts, key: PublicKey) -> list[str]:
    signed = facts.statement
    lines = [
        f"{facts.slug}: {facts.name}. Category, sources, ranks and reasons are as they were signed",
        f"Registry {signed.get('version')} of {signed.get('curator')}, {signed.get('digest')}",
        f"Signed at {signed['signed_at']}, holds until {signed['expires_at']}, by {key}",
    ]
    if key == DEMONSTRATION_KEY or signed.get("demonstration"):
        lines.append("This is the demonstration key, which anybody has: it proves nobody's judgement")
    return [*lines, "Not signed: how the query matched, and which categories come next"]
