"""The rules of the registry: what each value must be, and the message if it is not.

A rule takes a value parsed from JSON and yields its breaches, if any. Rules over several values read the raw
parts and skip those of an unexpected type, which another rule reports: so all faults of a registry are
reported at once. This module does not use pydantic; `records` applies these rules to its fields.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from sources.answers import SOURCE_TYPES

SOURCES_PER_CATEGORY: Final = 3
MIN_PATTERNS: Final = 3
MAX_ALIASES: Final = 60
MAX_KEYWORDS: Final = 500
MAX_OUT_OF_SCOPE_KEYWORDS: Final = 60
MAX_SLUG_LENGTH: Final = 100
MAX_URL_LENGTH: Final = 2048

# What the file of the out-of-scope topics is called, where others are called after a category.
OUT_OF_SCOPE: Final = "out-of-scope"

SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
PUBKEY: Final = re.compile(r"ed25519:[0-9a-f]{64}")
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

# CommonMark. Some clients render a text and others show it as it is: there, marks are noise, and in the
# former, a link hides its address.
_MARKDOWN: Final = {
    "a link": re.compile(r"\[[^\]]*\]\([^)]*\)"),
    "bold type": re.compile(r"\*\*(?=\S).+?(?<=\S)\*\*|(?<!\w)__(?=\S).+?(?<=\S)__(?!\w)"),
    "a backtick": re.compile(r"`"),
    "a heading": re.compile(r"^\s*#{1,6}\s"),
    "a list": re.compile(r"^\s*([-*+]|[0-9]{1,9}[.)])\s"),
}

# The port that a URL has if it names none.
_DEFAULT_PORTS: Final = {"https": 443, "http": 80}

# Control, surrogate and private-use characters, line and paragraph separators.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
# Printable, but deceptive: bidirectional overrides reverse a line, tag characters hide text from people that
# a model reads. Other format characters are allowed, since emoji and several scripts need them.
_DECEIVING = re.compile("[\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


class Breach(NamedTuple):
    """One broken rule: its short stable id, a sentence for the curator, and its path below the value."""

    rule: str
    sentence: str
    at: tuple[str | int, ...] = ()


def plain_text(value: str, *, limit: int) -> Iterator[Breach]:
    """One line of plain text of at most `limit` characters: no white space around it, no Markdown in it."""
    if not value.strip():
        yield Breach("text-blank", "This text is blank. Write it, or remove what it belongs to.")
        return
    if value != value.strip():
        yield Breach("text-trimmed", "This text begins or ends with white space. Remove it.")
    # Forbidden characters are not printable either, and asking that of the whole text is fast.
    strange = None if value.isprintable() else next((char for char in value if _is_forbidden(char)), None)
    if strange is not None:
        yield Breach(
            "text-characters",
            f"This text holds the character U+{ord(strange):04X}. Line breaks, control characters and "
            "invisible characters are not plain text: remove it.",
        )
    marks = next((kind for kind, form in _MARKDOWN.items() if form.search(value)), None)
    if marks is not None:
        yield Breach(
            "text-markdown",
            f"This text holds Markdown: {marks}. Texts are plain here: say it in words, without marks.",
        )
    if len(value) > limit:
        yield Breach(
            "text-length", f"This text has {len(value)} characters; at most {limit} are allowed. Shorten it."
        )


def _is_forbidden(char: str) -> bool:
    return unicodedata.category(char) in _UNPRINTABLE or _DECEIVING.match(char) is not None


def slug(value: str) -> Iterator[Breach]:
    """A category's name in addresses: lower-case words of letters and digits, joined by single hyphens."""
    if not SLUG.fullmatch(value):
        yield Breach(
            "slug",
            "This is no slug. Use lower-case letters a-z and digits in words joined by single hyphens, "
            'such as "learn-rust".',
        )
    elif len(value) > MAX_SLUG_LENGTH:
        yield Breach(
            "slug",
            f"This slug has {len(value)} characters; at most {MAX_SLUG_LENGTH} are allowed. Shorten it.",
        )
    elif value == OUT_OF_SCOPE:
        yield Breach("slug", "The file of the out-of-scope topics has this name. Choose another slug.")


def version(value: str) -> Iterator[Breach]:
    """A version of three numbers, with a pre-release or build part if wanted."""
    if not VERSION.fullmatch(value):
        yield Breach("version", 'This is no version. Write three numbers with dots between, such as "1.4.0".')


def day(value: str) -> Iterator[Breach]:
    """A date of the calendar in the form YYYY-MM-DD."""
    if not (DAY.fullmatch(value) and _in_the_calendar(value)):
        yield Breach(
            "date", 'This is no date. Write year, month and day of a real day, such as "2026-03-31".'
        )


def _in_the_calendar(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def pubkey(value: str) -> Iterator[Breach]:
    """An Ed25519 public key in hexadecimal, with the name of its algorithm before it."""
    if not PUBKEY.fullmatch(value):
        yield Breach(
            "pubkey",
            'This is no public key. Write "ed25519:" and the 64 lower-case hexadecimal digits of the key; '
            "`threegood pubkey KEY` prints that for a key in z-base-32, PEM or JWK, and "
            "`threegood keygen FILE` for a new one.",
        )


def source_type(value: Any) -> Iterator[Breach]:
    """One of the types of source."""
    if isinstance(value, str) and value not in SOURCE_TYPES:
        close = get_close_matches(value, SOURCE_TYPES, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        yield Breach(
            "source-type", f"There is no such type of source.{hint} The types are {_listed(SOURCE_TYPES)}."
        )


def rank(value: int) -> Iterator[Breach]:
    """The rank of a source among the three of its category."""
    if not 1 <= value <= SOURCES_PER_CATEGORY:
        yield Breach("rank", "This rank does not exist. The three sources have the ranks 1, 2 and 3.")


def web_address(value: str) -> Iterator[Breach]:
    """A URL that anyone can open: https or http, with a host and without credentials or white space."""
    if any(char.isspace() or _is_forbidden(char) for char in value):
        yield Breach(
            "url-whitespace", "This URL holds white space or an invisible character. Remove or encode it."
        )
        return
    if len(value) > MAX_URL_LENGTH:
        yield Breach(
            "url-length", f"This URL has {len(value)} characters; at most {MAX_URL_LENGTH} are allowed."
        )
    try:
        parts = urlsplit(value)
        _ = parts.port  # reading it raises ValueError if the port is no number
    except ValueError:
        yield Breach("url", "This URL cannot be read. Copy it again from the address bar of a browser.")
        return
    if parts.scheme not in ("https", "http"):
        yield Breach("url-scheme", 'This URL does not begin with "https://". Write the whole address.')
        return
    if "." not in (parts.hostname or "").strip("."):
        yield Breach(
            "url-host",
            "This URL names no host that everybody can reach: a name with a dot, such as "
            '"example.org". Write the whole address.',
        )
    if "@" in parts.netloc:
        yield Breach(
            "url-credentials", "This URL holds a user name or password. Remove everything up to the @."
        )


def http_is_explained(source: Any) -> Iterator[Breach]:
    """A source has an `http_reason` exactly if its URL is a plain http one."""
    url, reason = _part(source, "url"), _part(source, "http_reason")
    if not isinstance(url, str):
        return
    scheme = url.partition(":")[0].lower()
    if scheme == "http" and not reason:
        yield Breach(
            "http-unexplained",
            'This URL is plain http. Use https, or state in "http_reason" why there is no https.',
            ("url",),
        )
    if scheme == "https" and reason:
        yield Breach(
            "http-reason", "The URL is https, so there is nothing to explain. Remove this.", ("http_reason",)
        )


def three_sources(sources: Any) -> Iterator[Breach]:
    """Exactly three sources, in the order of their ranks, at three different URLs."""
    if not isinstance(sources, list | tuple):
        return
    if len(sources) != SOURCES_PER_CATEGORY:
        yield Breach(
            "source-count",
            f"A category has exactly three sources, and here are {len(sources)}. Name the best three.",
        )
    yield from _in_order([_part(source, "rank") for source in sources])
    yield from _at_different_urls([_part(source, "url") for source in sources])


def _in_order(ranks: Sequence[Any]) -> Iterator[Breach]:
    for index, (found, expected) in enumerate(zip(ranks, range(1, SOURCES_PER_CATEGORY + 1), strict=False)):
        if type(found) is int and 1 <= found <= SOURCES_PER_CATEGORY and found != expected:
            yield Breach(
                "rank-order",
                f"This rank must be {expected}: the sources stand in the order of their ranks, 1, 2, 3.",
                (index, "rank"),
            )


def _at_different_urls(urls: Sequence[Any]) -> Iterator[Breach]:
    seen: dict[str, int] = {}
    for index, url in enumerate(urls):
        if not isinstance(url, str):
            continue
        first = seen.setdefault(_page(url), index)
        if first != index:
            yield Breach(
                "same-url",
                f"Source {first + 1} of this category has this URL already. Pick three different sources.",
                (index, "url"),
            )


def _page(url: str) -> str:
    """The same text for two spellings of a page's URL, with any fragment."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return url
    host = parts.hostname or ""
    place = host if port == _DEFAULT_PORTS.get(parts.scheme) else f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{place}{parts.path.rstrip('/')}{query}"


def enough_patterns(patterns: Any) -> Iterator[Breach]:
    """At least three query patterns; the module `patterns` checks that each of them adds something."""
    if isinstance(patterns, list | tuple) and len(patterns) < MIN_PATTERNS:
        yield Breach(
            "pattern-count",
            f"A category has at least {MIN_PATTERNS} query patterns; here are {len(patterns)}. "
            "Add other words in which people ask for this.",
        )


def few_aliases(aliases: Any) -> Iterator[Breach]:
    """Not too many aliases: each alone must mean the topic."""
    if isinstance(aliases, list | tuple) and len(aliases) > MAX_ALIASES:
        yield Breach(
            "alias-count",
            f"A category has at most {MAX_ALIASES} aliases; here are {len(aliases)}. An alias alone means "
            "the topic: make keywords of those that only belong to it.",
        )


def few_keywords(keywords: Any) -> Iterator[Breach]:
    """Not too many keywords: a topic with more would match the queries of its neighbours."""
    if isinstance(keywords, list | tuple) and len(keywords) > MAX_KEYWORDS:
        yield Breach(
            "keyword-count",
            f"A category has at most {MAX_KEYWORDS} keywords; here are {len(keywords)}. One with more would "
            "match the queries of its neighbours: keep the words that distinguish it.",
        )


def some_out_of_scope_keywords(keywords: Any) -> Iterator[Breach]:
    """At least one keyword for an out-of-scope topic, and fewer than for a category."""
    if isinstance(keywords, list | tuple) and not 1 <= len(keywords) <= MAX_OUT_OF_SCOPE_KEYWORDS:
        yield Breach(
            "outside-keyword-count",
            f"A topic outside the registry has 1 to {MAX_OUT_OF_SCOPE_KEYWORDS} keywords; here are "
            f"{len(keywords)}. Name what people ask for by it, and make two topics of a broad one.",
        )


def some_categories(categories: Any) -> Iterator[Breach]:
    """At least one category."""
    if categories == {}:
        yield Breach("no-categories", "The registry has no category. Add one.")


def _part(record: Any, name: str) -> Any:
    """A member of a JSON object or a field of a record; `None` if there is neither."""
    return record.get(name) if isinstance(record, dict) else getattr(record, name, None)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
