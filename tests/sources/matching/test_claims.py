"""Claims: queries whose content words are a name of a category, whatever else speaks."""

from collections.abc import Mapping

import pytest

from sources.baked import Lexicon
from sources.matching import build_strategy
from sources.matching.claims import Claim, find_claims
from sources.matching.parsed_query import parse_query
from tests.support.lexicons import Words
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import bake_lexicon

CATEGORIES = {
    "bread": a_category("Bread", aliases=["sourdough", "docs", "big o"], keywords=["oven"]),
    "home-vpn": a_category("WireGuard at Home", aliases=["vpn"]),
    "secret-keeping": a_category("Password Managers", keywords=["xylophone", "threat"]),
    "sql-tuning": a_category("SQL Tuning", keywords=["statistics", "planner statistics"]),
    "statistics": a_category("Statistics", aliases=["statistical inference"]),
    "threats": a_category("Threat Modelling", keywords=["attack tree"]),
}
OUTSIDE = [
    {"name": "Password cracking", "keywords": ["hashcat"]},
    {"name": "Threat intelligence", "keywords": ["feeds"]},
    {"name": "VPN and statistics exams", "keywords": ["proctor"]},
]
SLUGS = sorted(CATEGORIES)

BREAD, VPN, PASSWORDS, _, STATISTICS, THREATS = SLUGS

CLAIMS: Mapping[str, Mapping[str, Claim]] = {
    # One common word is a claim only in the spelling of a whole name.
    "bread": {BREAD: Claim.COMMON_WORD},
    "learn bread": {BREAD: Claim.COMMON_WORD},
    "breads": {},
    "oven": {},
    "docs": {BREAD: Claim.COMMON_WORD},
    "learn docs": {},
    "big o": {BREAD: Claim.EXACT},
    # Keywords claim nothing, however rare.
    "xylophone": {},
    "sourdough xylophone": {},
    # All content words are in the names, in any order, form and language.
    "threat modelling": {THREATS: Claim.EXACT},
    "Learn threat modeling": {THREATS: Claim.WHOLE},
    "modelling of threats": {THREATS: Claim.PART},
    "wireguard": {VPN: Claim.PART},
    "quiero aprender wireguard": {VPN: Claim.PART},
    "VPNs": {VPN: Claim.WHOLE},
    # Names outweigh keywords of others.
    "statistics for beginners": {STATISTICS: Claim.WHOLE},
    # The whole names of several categories claim them all, whatever keywords and longer names hold both.
    "vpn or statistics": {VPN: Claim.SEVERAL, STATISTICS: Claim.SEVERAL},
    "sourdough hashcat": {},
    # Slips of words, of known ones too, in whole names, and of words that ask for material.
    "pasword manger": {PASSWORDS: Claim.WHOLE},
    "thread modellling": {THREATS: Claim.WHOLE},
    "wireguard tutoral for begginers": {VPN: Claim.PART},
    "wiregaurd": {},
    # An out-of-scope topic with as great a claim removes that of a category.
    "cracking a password": {},
    "password manager": {PASSWORDS: Claim.WHOLE},
}


@pytest.fixture(scope="module")
def vocabulary() -> Lexicon:
    return Lexicon(bake_lexicon(a_registry(CATEGORIES, outside=OUTSIDE)))


@pytest.mark.parametrize("query", CLAIMS)
def test_a_query_of_names_claims_its_category(vocabulary: Lexicon, query: str) -> None:
    claims = find_claims(query, parse_query(query, vocabulary), vocabulary)

    assert {SLUGS[topic]: claim for topic, claim in claims.items()} == CLAIMS[query]


def test_a_claim_comes_before_more_evidence_and_has_a_least_score(vocabulary: Lexicon) -> None:
    strategy = build_strategy("lexicon", Words(vocabulary, SLUGS))
    least = {"bread": 0.5, "modelling of threats": 0.85, "statistics for beginners": 0.95, "home vpn": 1.0}

    scores = {query: strategy.rank(query, limit=3).matches[0].score for query in least}

    assert {query: score for query, score in scores.items() if score < least[query]} == {}
    assert strategy.rank("wireguard planner statistics hashcat", limit=1).matches[0].score < 0.5
