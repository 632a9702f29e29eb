"""The text of web pages."""

import pytest

from threegood.suggesting.fetching import Response
from threegood.suggesting.pages import Page, page_of

HTML = """<title>Steaming milk</title><script>var x</script><nav>Shop</nav><h1>Steaming
milk</h1><p>Steam the <b>cold <i>milk</i></b>.<p>Café.<pre>let x</pre><footer>Cookies</footer>"""


@pytest.mark.parametrize(
    ("content_type", "charset", "body"),
    [
        ("text/html", "utf-8", HTML.encode()),
        ("text/html", None, HTML.encode()),
        ("text/html", None, b'<meta charset="latin-1">' + HTML.encode("latin-1")),
        ("text/html", "no-such", HTML.encode()),
    ],
)
def test_a_page_is_its_own_text_without_that_of_its_site_and_of_programs(
    content_type: str, charset: str | None, body: bytes
) -> None:
    assert page_of("u", Response("v", content_type, charset, body)) == Page(
        "u",
        ("Steaming milk", "Steaming milk"),
        ("Steaming milk", "Steaming milk", "Steam the cold milk.", "Café."),
        (),
    )


def test_markdown_has_headings_and_no_code() -> None:
    body = b"# Milk\n\n```sh\nls\n```\nSteam `it`<br>.\n"

    assert page_of("u", Response("u", "text/plain", None, body)) == Page(
        "u", ("Milk",), ("# Milk", "Steam it."), ()
    )


@pytest.mark.parametrize(
    ("url", "links"),
    [
        ("https://a.example/b/", ("https://a.example/b/c", "https://a.example/b/d/e")),
        ("https://a.example/b/index.html", ("https://a.example/b/c", "https://a.example/b/d/e")),
        ("https://a.example/b", ()),
    ],
)
def test_the_links_of_a_folder_are_the_pages_below_it(url: str, links: tuple[str, ...]) -> None:
    hrefs = ("c#1", "c#2", "/b/d/e", "./", "..", "?page=2", "https://elsewhere.example/b/c", "http://[")
    body = "".join(f'<a href="{href}">x</a>' for href in hrefs) + '<footer><a href="imprint">y</a></footer>'

    assert page_of("u", Response(url, "text/html", None, body.encode())).links == links
