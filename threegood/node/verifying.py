"""Verifies a node from outside: what its pages serve, what it answers over MCP, and who signed that."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx2

from sources.resources import CATEGORY_TEMPLATE, HEALTH_PATH, REGISTRY_PATH, SIGNATURE_PATH
from threegood.baking.provenance import render_provenance
from threegood.baking.render import render_categories, render_category, render_endorsements
from threegood.baking.rendered import Rendered
from threegood.node.published_log import NotPublished, log_of_node
from threegood.node.smoke import Endpoint, connected, sentence
from threegood.registry.records import Registry
from threegood.trust.canonical import digest_of, registry_in
from threegood.trust.checks import Finding, Signing, check_signature
from threegood.trust.keys import PublicKey
from threegood.trust.log_checks import verify_log
from threegood.trust.statement import MalformedSignature, RegistrySignature, root_of

__all__ = ["Verified", "endpoint_of", "verify_node"]

_TIMEOUT_SECONDS: Final = 30.0
_MAX_NAMED: Final = 3
# What a node may say of itself, by whether its registry is signed.
_STATUS: Final = {True: ("signed", "expired"), False: ("edited", "unsigned")}


class Verified(NamedTuple):
    """What the checks of a node have found, and whose registry it serves, if that could be read."""

    findings: list[Finding]
    registry: Registry | None = None
    digest: str = ""
    signature: RegistrySignature | None = None


def endpoint_of(url: str, token: str) -> Endpoint:
    """The MCP endpoint of the node that `url` names, with or without `/mcp`."""
    base = url.rstrip("/").removesuffix("/mcp")
    return Endpoint(f"{base}/mcp", token)


def verify_node(endpoint: Endpoint, *, now: float, pinned: PublicKey | None = None) -> Verified:
    """All checks of a node; `pinned` is the key that its curator is known to have."""
    findings: list[Finding] = []
    pages = {path: _page(endpoint, path) for path in (REGISTRY_PATH, SIGNATURE_PATH, HEALTH_PATH)}
    findings += [found for found in pages.values() if isinstance(found, Finding)]
    canonical, signed, health = (pages[path] for path in (REGISTRY_PATH, SIGNATURE_PATH, HEALTH_PATH))
    if not isinstance(canonical, bytes):
        return Verified(findings)
    digest = digest_of(canonical)
    try:
        registry = registry_in(canonical)
    except ValueError as error:
        return Verified([*findings, Finding("canonical form", False, sentence(error))], digest=digest)
    findings.append(Finding("canonical form", True, f"{len(canonical)} bytes, {digest}"))
    signature = _signature(signed, findings) if isinstance(signed, bytes) else None
    if signature is not None:
        findings += check_signature(registry, digest, signature, now=now, pinned=pinned)
    if isinstance(health, bytes):
        findings.append(_health(health, registry, digest, signature))
    findings.append(_log(endpoint, json.loads(canonical), now))
    findings += asyncio.run(_answers(endpoint, registry, digest, signature))
    return Verified(findings, registry, digest, signature)


def _page(endpoint: Endpoint, path: str) -> bytes | Finding:
    url = f"{endpoint.url.removesuffix('/mcp')}{path}"
    try:
        response = httpx2.get(url, headers=endpoint.headers, timeout=_TIMEOUT_SECONDS)
    except httpx2.HTTPError as error:
        return Finding(f"GET {path}", False, sentence(error))
    if response.status_code != 200:
        return Finding(f"GET {path}", False, f"status {response.status_code}: {response.text[:200]}")
    return response.content


def _signature(signed: bytes, findings: list[Finding]) -> RegistrySignature | None:
    try:
        signature = RegistrySignature.from_bytes(signed)
    except MalformedSignature as error:
        findings.append(Finding("registry.sig", False, str(error)))
        return None
    same = signature.to_bytes() == signed
    says = "as threegood sign writes it" if same else "Its bytes are not as threegood sign writes them."
    findings.append(Finding("registry.sig", same, says))
    return signature


def _health(health: bytes, registry: Registry, digest: str, signature: RegistrySignature | None) -> Finding:
    expected = {
        "status": "ok",
        "version": registry.version,
        "pubkey": PublicKey.parse(registry.curator.pubkey).zbase32,
        "key": registry.curator.pubkey,
        "digest": digest,
        "demonstration": signature is not None and signature.statement.demonstration,
        "expires_at": None if signature is None else signature.statement.expires_at,
    }
    try:
        found = json.loads(health)
        others = [name for name, value in expected.items() if found[name] != value]
        others += ["signature"] if found["signature"] not in _STATUS[signature is not None] else []
    except (ValueError, LookupError, TypeError):
        others = ["all of it"]
    if others:
        return Finding("health", False, f"It says another {', another '.join(others)} than the registry.")
    return Finding("health", True, "it says the same")


def _log(endpoint: Endpoint, registry: Any, now: float) -> Finding:
    """Whether the log that the node publishes is sound, and says what its registry does."""
    try:
        log = log_of_node(endpoint.url, endpoint.token)
    except NotPublished as error:
        return Finding("log", error.absent, str(error))
    failures = verify_log(log._replace(registry=registry), now=datetime.fromtimestamp(now, UTC)).failures
    says = "; ".join(f"{each.check}: {each.says}" for each in failures[:_MAX_NAMED])
    return Finding("log", not failures, says or f"{len(log.entries)} entries, signed")


async def _answers(
    endpoint: Endpoint, registry: Registry, digest: str, signature: RegistrySignature | None
) -> list[Finding]:
    """What the node answers over MCP, compared with what is made of the registry that it serves."""
    signing = Signing() if signature is None else Signing("signed", signature)
    provenance = render_provenance(registry, signing, digest=digest, root=root_of(registry))
    pages = {
        "list_categories": render_categories(registry),
        "get_endorsements": render_endorsements(registry),
    }
    try:
        async with connected(endpoint) as client:
            said = await _structured(client, "get_provenance")
            findings = [_provenance(said, json.loads(provenance.structured))]
            for tool, page in pages.items():
                findings.append(_same(tool, page, await _structured(client, tool)))
            findings.append(await _categories(client, registry))
    except Exception as error:  # whatever it is, it is what the check has found
        return [Finding("MCP", False, sentence(error))]
    return findings


async def _structured(client: Any, tool: str) -> Mapping[str, Any]:
    result = await client.call_tool(tool, {})
    if result.is_error:
        raise ValueError(f"{tool} answers with an error")
    return result.structured_content or {}


def _provenance(said: Mapping[str, Any], expected: Mapping[str, Any]) -> Finding:
    """Whether the node says of itself what was verified; it may know that the signature has expired."""
    others = [name for name in expected if name != "status" and said.get(name) != expected[name]]
    if others:
        return Finding("get_provenance", False, f"It says another {', another '.join(others)}.")
    if said.get("status") == "edited":
        return Finding("get_provenance", False, "The registry was edited since its curator signed it.")
    return Finding("get_provenance", True, f"it says the same; status: {said.get('status')}")


def _same(check: str, page: Rendered, said: Mapping[str, Any]) -> Finding:
    same = said == json.loads(page.structured)
    return Finding(check, same, "as the registry says" if same else "Another answer than the registry has.")


async def _categories(client: Any, registry: Registry) -> Finding:
    """Every category as a resource: that is what `get_sources` answers."""
    others = []
    for slug, category in registry.categories.items():
        (contents,) = (await client.read_resource(CATEGORY_TEMPLATE.replace("{slug}", slug))).contents
        if json.loads(contents.model_dump()["text"]) != json.loads(
            render_category(slug, category).structured
        ):
            others.append(slug)
    if others:
        named = ", ".join(_named(others))
        return Finding("answers", False, f"Other sources than the registry has: {named}.")
    return Finding("answers", True, f"all {len(registry.categories)} categories as the registry has them")


def _named(slugs: list[str]) -> Iterator[str]:
    yield from slugs[:_MAX_NAMED]
    if len(slugs) > _MAX_NAMED:
        yield f"and {len(slugs) - _MAX_NAMED} more"


def is_url(target: str) -> bool:
    """Whether `target` is the address of a node."""
    return urlsplit(target).scheme in ("http", "https")
