"""The text of web pages, and its recording in a folder, so that the same words can be found again."""

import json
import os
import re
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from threegood.suggesting.fetching import Response

_PLAIN: Final = ("text/plain", "text/markdown")
# Not the words of a page, but of its site, or of programs.
_DROPPED: Final = (
    "script, style, noscript, template, svg, nav, footer, aside, form, button, iframe, pre, [hidden]"
)
# Elements within a line: the words of "steam the <b>cold milk</b>" stay together.
_INLINE: Final = "a abbr b bdi bdo cite code dfn em font i kbd mark q s samp small span strong sub sup u var"
_HEADINGS: Final = "title, h1, h2, h3, h4"
_MARKDOWN_HEADING: Final = re.compile(r"^#{1,4}\s+(.*)$", re.MULTILINE)
_FENCED_CODE: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_META_CHARSET: Final = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_META_WITHIN_BYTES: Final = 1024
# A private-use character, which texts do not have and which is no white space.
_BLOCK_END: Final = "\ue000"


class Page(NamedTuple):
    """The headings of a page, its title among them, and all of its lines, the headings among them."""

    url: str
    headings: tuple[str, ...]
    lines: tuple[str, ...]


class Recording:
    """The pages that were recorded in `folder`, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, url: str) -> Page | None:
        """The recorded page of that address; `None` if there is none."""
        try:
            content = json.loads(self._file(url).read_bytes())
            return Page(content["url"], tuple(content["headings"]), tuple(content["lines"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, page: Page) -> None:
        """Record a page, replacing an earlier recording of the same address."""
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(page._asdict(), indent=1, ensure_ascii=False) + "\n"
        replace_file(self._file(page.url), text.encode("utf-8", "replace"))

    def _file(self, url: str) -> Path:
        return self._folder / f"{sha256(url.encode('utf-8')).hexdigest()[:16]}.json"


def page_of(url: str, response: Response) -> Page:
    """The text of the page that was found at `url`."""
    text = response.body.decode(_charset(response), "replace")
    if response.content_type in _PLAIN:
        text = _FENCED_CODE.sub("", text)
        return Page(url, tuple(_MARKDOWN_HEADING.findall(text)), _lines(text))
    tree = LexborHTMLParser(text)
    for node in tree.css(_DROPPED):
        node.decompose()
    tree.unwrap_tags(_INLINE.split())
    tree.merge_text_nodes()
    headings = tuple(" ".join(node.text(separator=" ").split()) for node in tree.css(_HEADINGS))
    title = tuple(" ".join(node.text().split()) for node in tree.css("title"))
    texts = "" if tree.body is None else tree.body.text(separator=_BLOCK_END)
    # A line break within a block is a space.
    return Page(url, headings, (*title, *_lines(" ".join(texts.split()).replace(_BLOCK_END, "\n"))))


def replace_file(file: Path, data: bytes) -> None:
    """Write `file` as a whole: a reader finds the former bytes or these."""
    descriptor, scratch = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        os.chmod(scratch, mode)
        os.replace(scratch, file)
    except BaseException:
        os.unlink(scratch)
        raise


def _lines(text: str) -> tuple[str, ...]:
    return tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _charset(response: Response) -> str:
    declared = _META_CHARSET.search(response.body[:_META_WITHIN_BYTES])
    named = response.charset or (declared[1].decode("ascii") if declared else "utf-8")
    try:
        "".encode(named)
    except LookupError:
        return "utf-8"
    return named
