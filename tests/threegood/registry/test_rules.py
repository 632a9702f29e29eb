"""The rules one by one: which values they accept, and which they refuse."""

from typing import Any, Final

import pytest

from threegood.registry import rules


def broken(breaches: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(breach.rule, breach.at) for breach in breaches]


SCRIPTS: Final = ("日本語", "हिन्दी", "two 👩\u200d👩", "\u0645\u06cc\u200c\u062e\u0648")
NO_MARKUP: Final = (
    "a [b] (c), 2 ** 3",
    "#1 of 3-2-1, 1.5 m",
    "snake__case__name",
    "f(**a, **b)",
    "-x and *x",
)
MARKUP: Final = ("see [this](x)", "a ![](b.png)", "so **bold** x", "__bold__", "run `make`", "# A heading")
LISTS: Final = ("###### Six", "- one", "* one", "+ one", "1. one", "2) two")
FORBIDDEN: Final = "\n\t\x00\x7f\u2028\u202e\ufeff\U000e0041\ue000\ud800"


@pytest.mark.parametrize("text", ["a", "A b, c: d!", "x" * 20, *SCRIPTS, *NO_MARKUP])
def test_plain_text_of_any_script_passes(text: str) -> None:
    assert broken(rules.plain_text(text, limit=20)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((text, ["text-blank"]) for text in ("", " \n\t", "\u3000")),
        *((text, ["text-trimmed"]) for text in (" a", "a\u00a0")),
        *((f"a{char}b", ["text-characters"]) for char in FORBIDDEN),
        *((text, ["text-markdown"]) for text in (*MARKUP, *LISTS)),
        ("x" * 21, ["text-length"]),
        (" a\nb" + "x" * 20, ["text-trimmed", "text-characters", "text-length"]),
    ],
)
def test_other_text_has_all_its_breaches(text: str, found: list[str]) -> None:
    assert broken(rules.plain_text(text, limit=20)) == [(rule, ()) for rule in found]


KEY: Final = "ed25519:"
SLUGS: Final = ("a", "1", "learn-rust", "3d-printing-2", "x" * 100)
NO_SLUGS: Final = ("", "-", "a-", "-a", "a--b", "A", "a b", "a_b", "é", "a\n", "\u0661", "[key]", "x" * 101)
VERSIONS: Final = ("0.0.1", "1.4.0", "10.20.30", "1.0.0-rc.1", "1.0.0+2026", "1.0.0-a-b+c")
NO_VERSIONS: Final = ("", "1", "1.2", "v1.2.3", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3\n", "\u0661.0.0")
DAYS: Final = ("2026-03-31", "2024-02-29", "0001-01-01", "9999-12-31")
NO_DAYS: Final = ("", "2026-02-29", "2026-13-01", "2026-1-1", "20260331", "2026-W01-1", "2026-03-31T00:00")
NO_KEYS: Final = ("", "0a" * 32, KEY + "0A" * 32, KEY + "0a" * 31, KEY + "0a" * 33, "rsa:" + "0a" * 32)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        *((rules.slug, value) for value in SLUGS),
        *((rules.version, value) for value in VERSIONS),
        *((rules.day, value) for value in DAYS),
        (rules.pubkey, KEY + "0a" * 32),
    ],
)
def test_a_slug_a_version_a_day_and_a_public_key_pass(rule: Any, value: str) -> None:
    assert broken(rule(value)) == []


@pytest.mark.parametrize(
    ("rule", "value", "found"),
    [
        *((rules.slug, value, "slug") for value in (*NO_SLUGS, rules.OUT_OF_SCOPE)),
        *((rules.version, value, "version") for value in NO_VERSIONS),
        *((rules.day, value, "date") for value in NO_DAYS),
        *((rules.pubkey, value, "pubkey") for value in NO_KEYS),
    ],
)
def test_any_other_text_in_their_place_is_refused(rule: Any, value: str, found: str) -> None:
    assert broken(rule(value)) == [(found, ())]


@pytest.mark.parametrize(
    "path", ["", "/", "/a?b=c#d", ":8443/%20", "/ü", "/@user"], ids=lambda path: path or "no path"
)
@pytest.mark.parametrize("host", ["https://example.org", "http://example.org", "HTTPS://BÜCHER.EXAMPLE"])
def test_a_url_that_anyone_can_open_passes(host: str, path: str) -> None:
    assert broken(rules.web_address(host + path)) == []


@pytest.mark.parametrize(
    ("urls", "found"),
    [
        ("|example.org|//example.org|ftp://example.org|javascript:alert(1)", ["url-scheme"]),
        ("https:|https:///path|https://:443/|https://localhost/|https://intranet./", ["url-host"]),
        ("https://[2001:db8::1]/", ["url-host"]),
        ("https://user@example.org|https://user:word@example.org|https://@example.org", ["url-credentials"]),
        ("https://user@", ["url-host", "url-credentials"]),
        ("https://[::1|https://example.org:port/|https://example.org:99999/", ["url"]),
        (" https://example.org|https://example.org/a b|https://example.org/\n", ["url-whitespace"]),
        ("https://example.org/\u200e\u202e", ["url-whitespace"]),
        ("https://example.org/" + "x" * 2048, ["url-length"]),
    ],
)
def test_other_urls_have_their_breaches(urls: str, found: list[str]) -> None:
    breaches = [broken(rules.web_address(url)) for url in urls.split("|")]

    assert breaches == [[(rule, ()) for rule in found]] * len(breaches)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ({"url": "https://a.example"}, []),
        ({"url": "http://a.example", "http_reason": "old"}, []),
        ({"url": "http://a.example"}, [("http-unexplained", ("url",))]),
        ({"url": "HTTP://a.example"}, [("http-unexplained", ("url",))]),
        ({"url": "https://a.example", "http_reason": "old"}, [("http-reason", ("http_reason",))]),
        ({"url": "ftp://a.example", "http_reason": "old"}, []),
        ({"url": 1}, []),
        ("no source", []),
    ],
)
def test_plain_http_needs_a_reason_and_https_none(source: Any, found: list[Any]) -> None:
    assert broken(rules.http_is_explained(source)) == found


def three(*urls: str) -> list[dict[str, Any]]:
    return [{"rank": rank, "url": url} for rank, url in enumerate(urls, start=1)]


SAME_URL: Final = [("same-url", (1, "url")), ("same-url", (2, "url"))]
SAME_SITE: Final = ("https://a.example", "https://A.example/", "http://a.example")
SAME_PAGE: Final = ("https://a.example/x#one", "https://a.example:443/x#two", "http://a.example:80/x/")


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        (three("https://a.example", "https://b.example", "https://c.example"), []),
        (three("https://a.example/x", "https://a.example/X", "https://a.example/x?y"), []),
        (three("https://a.example:80/x", "https://a.example/x", "http://a.example:8080/x"), []),
        (three(*SAME_SITE), SAME_URL),
        (three(*SAME_PAGE), SAME_URL),
        (three("https://[::1", "https://a.example:port", "https://[::1"), [("same-url", (2, "url"))]),
        ([], [("source-count", ())]),
        (three("https://a.example", "https://b.example"), [("source-count", ())]),
        ([{"rank": 3}, {"rank": 2}, {"rank": 1}], [("rank-order", (0, "rank")), ("rank-order", (2, "rank"))]),
        ([{"rank": 1}, {"rank": 1}, {"rank": 3}], [("rank-order", (1, "rank"))]),
        ([{"rank": 1}, {"rank": 7}, {"rank": True}], []),
        ([1, None, "x"], []),
        ("abc", []),
    ],
)
def test_the_three_sources_of_a_category_are_in_order_and_different(sources: Any, found: list[Any]) -> None:
    assert broken(rules.three_sources(sources)) == found


@pytest.mark.parametrize(
    ("rule", "least", "most", "found"),
    [
        (rules.enough_patterns, 3, 1000, "pattern-count"),
        (rules.few_aliases, 0, 60, "alias-count"),
        (rules.few_keywords, 0, 500, "keyword-count"),
        (rules.some_out_of_scope_keywords, 1, 60, "outside-keyword-count"),
    ],
)
def test_a_list_of_words_has_its_bounds(rule: Any, least: int, most: int, found: str) -> None:
    allowed, refused = {least, most}, {least - 1, most + 1} - {-1, 1001}

    assert [broken(rule(["word"] * count)) for count in allowed] == [[], []]
    assert [broken(rule(("word",) * count)) for count in refused] == [[(found, ())]] * len(refused)
    assert [broken(rule(other)) for other in (None, "word" * 600, {"word": 1})] == [[]] * 3


@pytest.mark.parametrize(("categories", "found"), [({}, [("no-categories", ())]), ({"a": 1}, []), ([], [])])
def test_a_registry_has_a_category(categories: Any, found: list[Any]) -> None:
    assert broken(rules.some_categories(categories)) == found


def test_a_misspelt_type_is_answered_with_the_right_one() -> None:
    (breach,) = rules.source_type("vidoe")

    assert breach.sentence == (
        'There is no such type of source. Did you mean "video"? '
        "The types are documentation, tutorial, video, article, tool, repo, forum, book, course and api."
    )
