"""The rules one by one: what they let pass, and what they do not."""

from typing import Any

import pytest

from threegood.registry import rules


def broken(breaches: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(breach.rule, breach.at) for breach in breaches]


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "A b, c: d!",
        "日本語",
        "हिन्दी",
        "two 👩\u200d👩",
        "\u0645\u06cc\u200c\u062e\u0648",
        "a [b] (c), 2 ** 3",
        "#1 of 3-2-1, 1.5 m",
        "snake__case__name",
        "f(**a, **b)",
        "-x and *x",
        "x" * 20,
    ],
)
def test_plain_text_of_any_script_passes(text: str) -> None:
    assert broken(rules.plain_text(text, limit=20)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["text-blank"]),
        (" \n\t", ["text-blank"]),
        ("\u3000", ["text-blank"]),
        (" a", ["text-trimmed"]),
        ("a\u00a0", ["text-trimmed"]),
        ("a\nb", ["text-characters"]),
        ("a\tb", ["text-characters"]),
        ("a\x00b", ["text-characters"]),
        ("a\x7fb", ["text-characters"]),
        ("a\u2028b", ["text-characters"]),
        ("a\u202eb", ["text-characters"]),
        ("a\ufeffb", ["text-characters"]),
        ("a\U000e0041b", ["text-characters"]),
        ("a\ue000b", ["text-characters"]),
        ("a\ud800b", ["text-characters"]),
        ("x" * 21, ["text-length"]),
        ("see [this](x)", ["text-markdown"]),
        ("a ![](b.png)", ["text-markdown"]),
        ("so **bold** x", ["text-markdown"]),
        ("__bold__", ["text-markdown"]),
        ("run `make`", ["text-markdown"]),
        ("# A heading", ["text-markdown"]),
        ("###### Six", ["text-markdown"]),
        ("- one", ["text-markdown"]),
        ("* one", ["text-markdown"]),
        ("+ one", ["text-markdown"]),
        ("1. one", ["text-markdown"]),
        ("2) two", ["text-markdown"]),
        (" a\nb" + "x" * 20, ["text-trimmed", "text-characters", "text-length"]),
    ],
)
def test_other_text_is_told_all_that_is_wrong_with_it(text: str, found: list[str]) -> None:
    assert broken(rules.plain_text(text, limit=20)) == [(rule, ()) for rule in found]


@pytest.mark.parametrize("slug", ["a", "1", "learn-rust", "3d-printing-2", "x" * 100])
def test_a_slug_passes(slug: str) -> None:
    assert broken(rules.slug(slug)) == []


@pytest.mark.parametrize(
    "slug",
    ["", "-", "a-", "-a", "a--b", "A", "a b", "a_b", "é", "a\n", "\u0661", "[key]", "x" * 101],
)
def test_anything_else_is_no_slug(slug: str) -> None:
    assert broken(rules.slug(slug)) == [("slug", ())]


@pytest.mark.parametrize("version", ["0.0.1", "1.4.0", "10.20.30", "1.0.0-rc.1", "1.0.0+2026", "1.0.0-a-b+c"])
def test_a_version_passes(version: str) -> None:
    assert broken(rules.version(version)) == []


@pytest.mark.parametrize(
    "version", ["", "1", "1.2", "v1.2.3", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3\n", "\u0661.0.0"]
)
def test_anything_else_is_no_version(version: str) -> None:
    assert broken(rules.version(version)) == [("version", ())]


@pytest.mark.parametrize("day", ["2026-03-31", "2024-02-29", "0001-01-01", "9999-12-31"])
def test_a_day_of_the_calendar_passes(day: str) -> None:
    assert broken(rules.day(day)) == []


@pytest.mark.parametrize(
    "day",
    [
        "",
        "2026-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-1-1",
        "20260331",
        "2026-W01-1",
        "2026-03-31T00:00",
        "0000-01-01",
    ],
)
def test_anything_else_is_no_date(day: str) -> None:
    assert broken(rules.day(day)) == [("date", ())]


def test_a_public_key_passes() -> None:
    assert broken(rules.pubkey("ed25519:" + "0a" * 32)) == []


@pytest.mark.parametrize(
    "pubkey",
    [
        "",
        "0a" * 32,
        "ed25519:" + "0A" * 32,
        "ed25519:" + "0a" * 31,
        "ed25519:" + "0a" * 33,
        "rsa:" + "0a" * 32,
    ],
)
def test_anything_else_is_no_public_key(pubkey: str) -> None:
    assert broken(rules.pubkey(pubkey)) == [("pubkey", ())]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org/",
        "http://example.org/a?b=c#d",
        "https://example.org:8443/%20",
        "https://bücher.example/ü",
        "HTTPS://EXAMPLE.ORG/",
        "https://example.org/@user",
    ],
)
def test_a_url_that_anyone_can_open_passes(url: str) -> None:
    assert broken(rules.web_address(url)) == []


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("", ["url-scheme"]),
        ("example.org", ["url-scheme"]),
        ("//example.org", ["url-scheme"]),
        ("ftp://example.org", ["url-scheme"]),
        ("javascript:alert(1)", ["url-scheme"]),
        ("https:", ["url-host"]),
        ("https:///path", ["url-host"]),
        ("https://:443/", ["url-host"]),
        ("https://localhost/", ["url-host"]),
        ("https://intranet./", ["url-host"]),
        ("https://[2001:db8::1]/", ["url-host"]),
        ("https://user@example.org", ["url-credentials"]),
        ("https://user:word@example.org", ["url-credentials"]),
        ("https://@example.org", ["url-credentials"]),
        ("https://user@", ["url-host", "url-credentials"]),
        ("https://[::1", ["url"]),
        ("https://example.org:port/", ["url"]),
        ("https://example.org:99999/", ["url"]),
        (" https://example.org", ["url-whitespace"]),
        ("https://example.org/a b", ["url-whitespace"]),
        ("https://example.org/\n", ["url-whitespace"]),
        ("https://example.org/\u200e\u202e", ["url-whitespace"]),
        ("https://example.org/" + "x" * 2048, ["url-length"]),
    ],
)
def test_other_urls_are_told_what_is_wrong_with_them(url: str, found: list[str]) -> None:
    assert broken(rules.web_address(url)) == [(rule, ()) for rule in found]


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
        ({}, []),
        ("no source", []),
    ],
)
def test_plain_http_needs_a_reason_and_https_none(source: Any, found: list[Any]) -> None:
    assert broken(rules.http_is_explained(source)) == found


def three(*urls: str) -> list[dict[str, Any]]:
    return [{"rank": rank, "url": url} for rank, url in enumerate(urls, start=1)]


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        (three("https://a.example", "https://b.example", "https://c.example"), []),
        ([], [("source-count", ())]),
        (three("https://a.example", "https://b.example"), [("source-count", ())]),
        (
            [{"rank": 3}, {"rank": 2}, {"rank": 1}],
            [("rank-order", (0, "rank")), ("rank-order", (2, "rank"))],
        ),
        ([{"rank": 1}, {"rank": 1}, {"rank": 3}], [("rank-order", (1, "rank"))]),
        ([{"rank": 1}, {"rank": 7}, {"rank": True}], []),
        (
            three("https://a.example", "https://A.example/", "http://a.example"),
            [("same-url", (1, "url")), ("same-url", (2, "url"))],
        ),
        (
            three("https://a.example/x#one", "https://a.example:443/x#two", "http://a.example:80/x/"),
            [("same-url", (1, "url")), ("same-url", (2, "url"))],
        ),
        (three("https://a.example/x", "https://a.example/X", "https://a.example/x?y"), []),
        (three("https://a.example:80/x", "https://a.example/x", "http://a.example:8080/x"), []),
        (three("https://[::1", "https://a.example:port", "https://[::1"), [("same-url", (2, "url"))]),
        ([1, None, "x"], []),
        ("abc", []),
    ],
)
def test_the_three_sources_of_a_category_are_in_order_and_different(sources: Any, found: list[Any]) -> None:
    assert broken(rules.three_sources(sources)) == found


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["a", "b", "c"], []),
        (["a", "b", "c", "d"], []),
        (["a", "b"], [("pattern-count", ())]),
        (["a", 1, "b"], []),
        ({"a": 1}, []),
    ],
)
def test_query_patterns_are_at_least_three(patterns: Any, found: list[Any]) -> None:
    assert broken(rules.enough_patterns(patterns)) == found


WORD = "word"


@pytest.mark.parametrize(
    ("rule", "words", "found"),
    [
        (rules.few_aliases, [], []),
        (rules.few_aliases, [WORD] * 60, []),
        (rules.few_aliases, [WORD] * 61, [("alias-count", ())]),
        (rules.few_aliases, (WORD,) * 61, [("alias-count", ())]),
        (rules.few_aliases, WORD * 61, []),
        (rules.few_aliases, None, []),
        (rules.few_keywords, [], []),
        (rules.few_keywords, [WORD] * 400, []),
        (rules.few_keywords, [WORD] * 401, [("keyword-count", ())]),
        (rules.few_keywords, (WORD,) * 401, [("keyword-count", ())]),
        (rules.few_keywords, WORD * 401, []),
        (rules.few_keywords, None, []),
        (rules.some_out_of_scope_keywords, [], [("outside-keyword-count", ())]),
        (rules.some_out_of_scope_keywords, (), [("outside-keyword-count", ())]),
        (rules.some_out_of_scope_keywords, [1], []),
        (rules.some_out_of_scope_keywords, [WORD] * 60, []),
        (rules.some_out_of_scope_keywords, [WORD] * 61, [("outside-keyword-count", ())]),
        (rules.some_out_of_scope_keywords, "", []),
        (rules.some_out_of_scope_keywords, None, []),
    ],
)
def test_a_vocabulary_has_its_bounds(rule: Any, words: Any, found: list[Any]) -> None:
    assert broken(rule(words)) == found


def test_a_type_that_looks_like_one_is_answered_with_that_one() -> None:
    (breach,) = rules.source_type("vidoe")

    assert breach.sentence == (
        'There is no such type of source. Did you mean "video"? '
        "The types are documentation, tutorial, video, article, tool, repo, forum, book, course and api."
    )
