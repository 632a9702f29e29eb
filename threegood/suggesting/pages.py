"""The text of a web page, and its links."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

from threegood.suggesting.fetching import Response

_PLAIN: Final = ("text/plain", "text/markdown")
# The words of a site or of programs. Its footer leads away; navigation may be the contents of a book.
_NO_LINKS: Final = "footer"
_NO_TEXT: Final = "script, style, noscript, template, svg, nav, aside, form, button, iframe, pre, [hidden]"
# Elements within a line: the words of "steam the <b>cold milk</b>" stay together.
_INLINE: Final = "a abbr b bdi bdo cite code dfn em font i kbd mark q s samp small span strong sub sup u var"
_HEADINGS: Final = "title, h1, h2, h3, h4"
_MARKDOWN_HEADING: Final = re.compile(r"^#{1,4}\s+(.*)$", re.MULTILINE)
_FENCED_CODE: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
# HTML within Markdown, and the marks of code within a line.
_MARKS: Final = re.compile(r"</?[a-zA-Z][^>\n]*>|`")
_META_CHARSET: Final = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_META_WITHIN_BYTES: Final = 1024
# A private-use character, which texts do not have and which is no white space.
_BLOCK_END: Final = "\ue000"


class Page(NamedTuple):
    """The text of the page that was found at `url`.

    `headings` are its title and headings, `lines` its title and all of its text. `links` are the addresses of
    pages below it, which is where a book has its chapters, and a documentation its parts.
    """

    url: str
    headings: tuple[str, ...]
    lines: tuple[str, ...]
    links: tuple[str, ...]


def page_of(url: str, response: Response) -> Page:
    """The text of the page that was found at `url`."""
    text = _decoded(response)
    if response.content_type in _PLAIN:
        text = _MARKS.sub("", _FENCED_CODE.sub("", text))
        return Page(url, tuple(_MARKDOWN_HEADING.findall(text)), _lines(text), ())
    tree = LexborHTMLParser(text)
    _drop(tree, _NO_LINKS)
    hrefs = [node.attributes.get("href") or "" for node in tree.css("a[href]")]
    links = tuple(dict.fromkeys(_below(response.url, hrefs)))
    _drop(tree, _NO_TEXT)
    tree.unwrap_tags(_INLINE.split())
    tree.merge_text_nodes()
    headings = tuple(" ".join(node.text(separator=" ").split()) for node in tree.css(_HEADINGS))
    title = tuple(" ".join(node.text().split()) for node in tree.css("title"))
    texts = "" if tree.body is None else tree.body.text(separator=_BLOCK_END)
    # A line break within a block is a space.
    return Page(url, headings, (*title, *_lines(" ".join(texts.split()).replace(_BLOCK_END, "\n"))), links)


def _drop(tree: LexborHTMLParser, selector: str) -> None:
    for node in tree.css(selector):
        node.decompose()


def _below(url: str, hrefs: Iterable[str]) -> Iterator[str]:
    """The addresses, without fragments, of the pages below `url`; only a folder has any."""
    folder = url.removesuffix("index.html")
    for href in hrefs if folder.endswith("/") else ():
        try:
            link = urldefrag(urljoin(url, href)).url
        except ValueError:  # no address, such as http://[
            continue
        if link.startswith(folder) and link not in (url, folder) and "?" not in link:
            yield link


def _lines(text: str) -> tuple[str, ...]:
    return tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _decoded(response: Response) -> str:
    declared = _META_CHARSET.search(response.body[:_META_WITHIN_BYTES])
    named = response.charset or (declared[1].decode("ascii") if declared else "utf-8")
    try:
        return response.body.decode(named, "replace")
    except (LookupError, UnicodeError):
        return response.body.decode("utf-8", "replace")
