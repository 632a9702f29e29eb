"""Checks one answer of `get_sources` by the proof that it carries; needs neither the node nor its registry.

Each check compares what is shown with what the proof holds, or the proof with itself, so that all of them
together lead from the sources to the curator's key: sources, category, path, root, statement, signature, key.
What the curator does not sign, how well the query matched and which categories come next, is not checked.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import rfc8785

from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.merkle import HASH_BYTES, ProofInvalid, leaf_hash, root_from_inclusion
from threegood.trust.statement import KIND, MalformedSignature, Statement

__all__ = ["CHECKS", "Facts", "Failure", "NoProof", "Verdict", "checked", "result_in"]

CHECKS: Final = (
    "sources",
    "category",
    "text",
    "path",
    "root",
    "size",
    "statement",
    "meta",
    "key",
    "signature",
    "expiry",
)
_SHOWN: Final = ("slug", "name", "description")


class NoProof(Exception):
    """What was given is no answer with a signed proof; the message says what is missing."""


class Failure(NamedTuple):
    """A check that failed, one of `CHECKS`, and why."""

    check: str
    why: str


class Facts(NamedTuple):
    """What is signed of an answer: its category, and the statement's members by name."""

    slug: str
    name: str
    statement: Mapping[str, Any]


class Verdict(NamedTuple):
    """What the answer claims to be, and the checks that failed; none if it is that."""

    facts: Facts
    failures: list[Failure]


class _Answer(NamedTuple):
    result: Mapping[str, Any]
    shown: Mapping[str, Any]
    proof: Mapping[str, Any]
    category: Mapping[str, Any]
    statement: Mapping[str, Any]


def result_in(text: str | bytes) -> Mapping[str, Any]:
    """The result of a tool in JSON: that itself, or the JSON-RPC response that has it.

    Raises:
        NoProof: it is neither.
    """
    try:
        found = _parsed(text)
        found = found["result"] if "jsonrpc" in found else found
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NoProof("This is no result of a tool in JSON, nor a JSON-RPC response with one.") from None
    if not isinstance(found, dict) or not isinstance(found.get("structuredContent"), dict):
        raise NoProof("This result has no structuredContent: a tool failed, or the client is older.")
    return found


def checked(result: Mapping[str, Any], *, key: PublicKey, now: datetime) -> Verdict:
    """What of an answer of `get_sources` the curator with this key has signed; all checks are made.

    Raises:
        NoProof: there is no proof, it is not signed, or it is malformed.
    """
    answer = _read(result)
    checks = (_sources(answer), _text(answer), _tree(answer), _statement(answer), _signature(answer, key=key))
    failures = [failure for check in (*checks, _expiry(answer, now)) for failure in check]
    facts = Facts(str(answer.category.get("slug")), str(answer.category.get("name")), answer.statement)
    return Verdict(facts, failures)


def _read(result: Mapping[str, Any]) -> _Answer:
    shown = result["structuredContent"]
    proof = shown.get("proof")
    if not isinstance(proof, dict):
        raise NoProof("This answer has no proof: ask get_sources again, with proof=true.")
    if proof.get("signed") is None:
        raise NoProof("This answer is not signed: its node serves a registry without a signature.")
    try:
        category, statement = _parsed(proof["category"]), _parsed(proof["signed"]["statement"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NoProof("The proof has no category or no statement in JSON.") from None
    if not isinstance(category, dict) or not isinstance(statement, dict):
        raise NoProof("The category or the statement of the proof is no JSON object.")
    return _Answer(result, shown, proof, category, statement)


def _sources(answer: _Answer) -> Iterator[Failure]:
    if not _same(answer.shown.get("sources"), answer.category.get("sources")):
        yield Failure("sources", "The sources are not those of the signed category, in all of their members.")
    if not _same(answer.shown.get("category"), {name: answer.category.get(name) for name in _SHOWN}):
        yield Failure("category", "Slug, name or description are not those of the signed category.")


def _text(answer: _Answer) -> Iterator[Failure]:
    """Models read the text: it must be the structured content, or prose about the signed sources alone."""
    for block in answer.result.get("content") or ():
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str) or not (_is_json_of(text, answer.shown) or _is_prose(text, answer)):
            yield Failure("text", "A block of content says something else than the signed category.")


def _tree(answer: _Answer) -> Iterator[Failure]:
    proof, statement = answer.proof, answer.statement
    try:
        path = [bytes.fromhex(node) for node in proof["path"]]
        if any(len(node) != HASH_BYTES for node in path):
            raise ProofInvalid("A hash of the path has not 32 bytes.")
        root = root_from_inclusion(
            leaf_hash(proof["category"].encode("utf-8")), index=proof["index"], size=proof["size"], path=path
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        yield Failure("path", f"The path leads to no root. {error}")
        return
    if f"sha256:{root.hex()}" != statement.get("root"):
        yield Failure("root", "The path leads from this category to another root than the signed one.")
    if proof["size"] != statement.get("categories"):
        yield Failure("size", "The tree of the path has another size than the signed one.")


def _statement(answer: _Answer) -> Iterator[Failure]:
    try:
        Statement.parse(answer.proof["signed"]["statement"])
    except MalformedSignature as error:
        yield Failure("statement", str(error))
    meta = answer.result.get("_meta")
    named = meta.get(KIND) if isinstance(meta, dict) else meta
    signed = {name: answer.statement.get(name) for name in ("version", "digest")}
    if named is not None and not _same(named, signed):
        yield Failure(
            "meta", "The answer says in _meta that it is from another registry than the signed one."
        )


def _signature(answer: _Answer, *, key: PublicKey) -> Iterator[Failure]:
    signed = answer.proof["signed"]
    try:
        by = PublicKey.parse(str(signed.get("key")))
    except NoPublicKey:
        by = None
    if by != key:
        yield Failure("key", f"It is signed by {by or 'no key'}, and you expect {key}.")
    try:
        signature = base64.b64decode(signed["signature"], validate=True)
        verified = key.verifies(signature, signed["statement"].encode("utf-8"))
    except (ValueError, KeyError, TypeError):
        verified = False
    if not verified:
        yield Failure("signature", "The statement was not signed by the key that you expect, or was changed.")


def _expiry(answer: _Answer, now: datetime) -> Iterator[Failure]:
    try:
        begin, end = (_time(answer.statement[name]) for name in ("signed_at", "expires_at"))
    except (ValueError, KeyError, TypeError):
        yield Failure("expiry", "The statement does not say from when to when it holds.")
        return
    if now >= end:
        yield Failure("expiry", f"The statement expired at {end:%Y-%m-%dT%H:%M:%SZ}: ask for a newer one.")
    if now < begin:
        yield Failure("expiry", f"The statement was signed in the future, at {begin:%Y-%m-%dT%H:%M:%SZ}.")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _same(shown: object, signed: object) -> bool:
    """Whether both have the same canonical form; in Python alone, 1 and true would be equal."""
    try:
        return rfc8785.dumps(shown) == rfc8785.dumps(signed)  # type: ignore[arg-type]  # any JSON
    except (rfc8785.CanonicalizationError, RecursionError):
        return False


def _parsed(text: str | bytes) -> Any:
    """The JSON in `text`.

    Raises:
        ValueError: it is none, or a member stands twice, of which another reader may take the other.
    """
    return json.loads(text, object_pairs_hook=_without_doubles)


def _without_doubles(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a member stands twice")
    return found


def _is_json_of(text: str, shown: Mapping[str, Any]) -> bool:
    try:
        return _same(_parsed(text), shown)
    except (ValueError, RecursionError):
        return False


def _is_prose(text: str, answer: _Answer) -> bool:
    """Whether `text` begins with the category as `threegood.baking.render` writes it, and adds no address."""
    try:
        prose = _prose(answer.category)
    except (KeyError, TypeError):
        return False
    return text.startswith(f"{prose}\n\n") and "://" not in text[len(prose) :]


def _prose(category: Mapping[str, Any]) -> str:
    paragraphs = [f"{category['name']}\n{category['description']}"]
    for source in category["sources"]:
        lines = [f"{source['rank']}. {source['name']} ({source['type']})", source["url"]]
        lines.append(f"Why: {source['why']}")
        if "http_reason" in source:
            lines.append(f"Plain http, because: {source['http_reason']}")
        paragraphs.append("\n   ".join(lines))
    return "\n\n".join(paragraphs)
