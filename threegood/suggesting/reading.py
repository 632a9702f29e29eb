"""The pages of the sources, recorded so that later runs find the same words without a network."""

import json
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path

from threegood.suggesting.atomic_file import replace_file
from threegood.suggesting.fetching import Fetcher, Unfetchable
from threegood.suggesting.pages import Page, page_of


class Recording:
    """The pages that were recorded in `folder`, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, url: str) -> Page | None:
        """The recorded page of that address; `None` if there is none."""
        try:
            content = json.loads(self._file(url).read_bytes())
            texts = (tuple(content[field]) for field in Page._fields[1:])
            return Page(content["url"], *texts)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, page: Page) -> None:
        """Record a page, replacing an earlier recording of the same address."""
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(page._asdict(), indent=1, ensure_ascii=False) + "\n"
        replace_file(self._file(page.url), text.encode("utf-8", "replace"))

    def _file(self, url: str) -> Path:
        return self._folder / f"{sha256(url.encode('utf-8')).hexdigest()[:16]}.json"


class Reader:
    """Reads pages from a recording, or else from the network, and records them.

    Without a `fetcher`, recorded pages are read only; with `refresh`, they are fetched again.
    """

    def __init__(self, recording: Recording, fetcher: Fetcher | None, *, refresh: bool) -> None:
        self._recording = recording
        self._fetcher = fetcher
        self._refresh = refresh

    def read(self, url: str) -> Page:
        """The page at `url`.

        Raises:
            Unfetchable: it is neither recorded nor can it be fetched.
            OSError: it cannot be recorded.
        """
        page = None if self._refresh else self._recording.read(url)
        if page is not None:
            return page
        if self._fetcher is None:
            raise Unfetchable("it is not recorded, and --offline fetches nothing")
        page = page_of(url, self._fetcher.fetch(url))
        self._recording.write(page)
        return page


def linked_pages(pages: Iterable[Page], *, each: int) -> list[str]:
    """The addresses of at most `each` pages below each page, from all of its links at even distances.

    Addresses of different sites alternate, so that the pauses of one pass while another is asked.
    """
    chosen = (page.links[:: max(1, -(-len(page.links) // each))] if each else () for page in pages)
    return list(dict.fromkeys(link for link in chain.from_iterable(zip_longest(*chosen)) if link))
