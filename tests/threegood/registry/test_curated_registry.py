"""The published registry: short queries and patterns find their category, and other topics find none."""

from typing import Final

import pytest

from sources.baked import BakedRegistry
from sources.matching import STRATEGIES, Strategy, build_strategy
from tests.support.processes import ROOT
from tests.support.registries import baked
from threegood.registry.advice import warnings
from threegood.registry.files import read_files
from threegood.registry.validate import validate

FILES: Final = read_files(ROOT / "registry.json")
REGISTRY: Final = validate(*FILES)

# Short queries, as people type them instead of a question.
SHORT_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "rust-learning": ("rust", "rustlang"),
    "python-learning": ("python", "python 3"),
    "go-learning": ("go", "golang"),
    "typescript-learning": ("typescript", "ts"),
    "c-programming": ("c", "c language", "learn c", "how do i learn c"),
    "haskell-learning": ("haskell", "functional programming"),
    "git-version-control": ("git", "version control"),
    "regular-expressions": ("regex", "regexp", "regular expression"),
    "postgresql-administration": ("postgres", "postgresql"),
    "sql-query-tuning": ("sql", "slow query"),
    "docker-containers": ("docker", "containers", "dockerfile"),
    "kubernetes-operations": ("kubernetes", "k8s", "kubectl"),
    "terraform-infrastructure": ("terraform", "infrastructure as code", "iac"),
    "aws-lambda-serverless": ("lambda", "aws lambda", "serverless"),
    "rest-api-design": ("rest", "rest api", "http api"),
    "graphql-api-design": ("graphql", "gql"),
    "web-accessibility": ("accessibility", "a11y", "wcag"),
    "css-layout": ("css", "flexbox", "css grid"),
    "react-frontend": ("react", "reactjs", "react.js"),
    "web-performance": ("core web vitals", "page speed"),
    "software-testing": ("testing", "unit tests", "tdd", "tests"),
    "linux-performance-profiling": ("profiling", "flame graphs", "linux performance"),
    "computer-architecture": ("cpu", "risc-v", "computer architecture"),
    "operating-systems": ("os", "operating system", "kernel"),
    "algorithms-data-structures": ("algorithms", "data structures", "dsa"),
    "distributed-systems": ("distributed systems", "raft", "consensus"),
    "compilers-interpreters": ("compiler", "compilers", "interpreter"),
    "threat-modeling": ("threat model", "threat modelling", "stride"),
    "linux-hardening": ("hardening", "linux hardening", "server hardening"),
    "password-management": ("passwords", "password manager", "2fa"),
    "web-application-security": ("web security", "owasp", "xss", "appsec"),
    "cryptography-fundamentals": ("cryptography", "encryption"),
    "incident-response": ("incident response", "dfir", "postmortem"),
    "wireguard-vpn": ("wireguard", "vpn"),
    "home-network-dns": ("pihole", "pi-hole", "home dns"),
    "bitcoin-node-setup": ("bitcoin", "btc", "bitcoin node"),
    "lightning-network": ("lightning", "lnd"),
    "nostr-development": ("nostr", "nips"),
    "pubky-development": ("pubky", "pkarr"),
    "self-hosted-email": ("email", "mail server", "postfix"),
    "home-automation-private": ("home assistant", "smart home", "home automation"),
    "backup-strategy": ("backup", "backups", "restic"),
    "self-hosted-media": ("jellyfin", "media server", "plex"),
    "mcp-development": ("mcp", "model context protocol", "mcp server"),
    "machine-learning-foundations": ("machine learning", "ml"),
    "deep-learning": ("deep learning", "neural networks"),
    "llm-prompt-engineering": ("prompt engineering", "prompting"),
    "llm-evaluation": ("evals", "llm evals", "llm benchmarks"),
    "statistics-foundations": ("statistics", "stats"),
    "linear-algebra": ("linear algebra", "linalg", "matrices"),
    "technical-writing": ("technical writing", "documentation", "docs"),
    "personal-finance": ("personal finance", "budgeting", "investing"),
    "first-aid": ("first aid", "cpr", "bleeding"),
    "evidence-based-nutrition": ("nutrition", "diet"),
    "sourdough-bread": ("sourdough", "bread"),
    "bicycle-repair": ("bike repair", "bicycle", "bike"),
    "arduino-electronics": ("arduino", "electronics"),
    "3d-printing": ("3d printing", "3d printer"),
    "amateur-radio": ("ham radio", "amateur radio", "ham"),
    "chess-improvement": ("chess",),
}

# Topics that the registry does not have, each spelt nearly like a pattern.
ELSEWHERE: Final = (
    "cooking",
    "photography",
    "javascript",
    "poker",
    "ruby",
    "perl",
    "macos",
    "vps",
    "money",
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(tmp_path_factory.mktemp("curated"), REGISTRY)


@pytest.fixture(params=STRATEGIES)
def strategy(request: pytest.FixtureRequest, registry: BakedRegistry) -> Strategy:
    return build_strategy(request.param, registry)


def accepted(strategy: Strategy, query: str) -> str | None:
    match = strategy.rank(query, limit=1).accepted(strategy.threshold)
    return None if match is None else match.slug


def test_there_are_sixty_categories_and_the_table_names_them_all() -> None:
    assert len(REGISTRY.categories) == 60
    assert list(SHORT_FORMS) == list(REGISTRY.categories)


@pytest.mark.parametrize("slug", SHORT_FORMS)
def test_a_short_form_finds_its_category(registry: BakedRegistry, slug: str) -> None:
    lexicon = build_strategy("lexicon", registry)
    found = {form: accepted(lexicon, form) for form in SHORT_FORMS[slug]}

    assert found == dict.fromkeys(SHORT_FORMS[slug], slug)


@pytest.mark.parametrize("slug", REGISTRY.categories)
def test_every_pattern_finds_its_own_category(strategy: Strategy, slug: str) -> None:
    patterns = REGISTRY.categories[slug].query_patterns

    assert [pattern for pattern in patterns if accepted(strategy, pattern) != slug] == []


@pytest.mark.parametrize("query", ELSEWHERE)
def test_a_topic_that_the_registry_does_not_have_finds_nothing(strategy: Strategy, query: str) -> None:
    assert accepted(strategy, query) is None


def test_every_category_has_a_vocabulary_and_nothing_gets_a_warning() -> None:
    assert REGISTRY.vocabulary.categories.keys() == REGISTRY.categories.keys()
    assert warnings(REGISTRY, FILES) == []
