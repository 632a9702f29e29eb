"""`threegood suggest`: words for the vocabulary of a category, what each would change, and those accepted."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from threegood.commands.output import CannotBegin, remark, show
from threegood.commands.registry_file import A_PATH, default_registry, load_registry
from threegood.registry.records import Registry
from threegood.reports.missing_words import logged_queries
from threegood.suggesting.accepting import Accepted, VocabularyFile
from threegood.suggesting.fetching import PAUSE_SECONDS, Fetcher, Unfetchable
from threegood.suggesting.pages import Page
from threegood.suggesting.reading import Reader, Recording, linked_pages
from threegood.suggesting.suggestions import Suggestions, suggestions

_PAGES_FOLDER: Final = Path(".threegood/pages")
_MEMBERS: Final = {"k": "keywords", "a": "aliases"}
_QUESTION: Final = "Add it as a keyword (k) or an alias (a), skip it (s), or stop here (q)?"


@click.command(epilog="Example: threegood suggest sourdough-bread --no-matches no-matches.log")
@click.argument("slug")
@click.option("--registry", type=A_PATH, default=default_registry, help="The registry file.")
@click.option(
    "--no-matches",
    type=A_PATH,
    metavar="FILE",
    help="The function's log, or one query a line: propose words of the queries near the category too.",
)
@click.option("--limit", type=click.IntRange(min=1), default=30, help="How many words to propose.")
@click.option("--accept", "keywords", multiple=True, metavar="WORD", help="Add a keyword; repeatable.")
@click.option("--accept-alias", "aliases", multiple=True, metavar="WORD", help="Add an alias; repeatable.")
@click.option("--all", "count", type=click.IntRange(min=1), metavar="N", help="Add the N best as keywords.")
@click.option("--json", "as_json", is_flag=True, help="Print the proposals as JSON, and ask nothing.")
@click.option("--pages", type=A_PATH, help=f"Folder of recorded pages; {_PAGES_FOLDER} beside the registry.")
@click.option(
    "--below",
    type=click.IntRange(min=0),
    default=4,
    metavar="N",
    help="How many pages below each source to read too.",
)
@click.option("--refresh", is_flag=True, help="Fetch recorded pages again.")
@click.option("--offline", is_flag=True, help="Read recorded pages only.")
@click.option(
    "--pause",
    type=click.FloatRange(min=0),
    default=PAUSE_SECONDS,
    metavar="SECONDS",
    help="Time between two requests to a site.",
)
def suggest(
    slug: str,
    registry: Path,
    no_matches: Path | None,
    limit: int,
    keywords: tuple[str, ...],
    aliases: tuple[str, ...],
    count: int | None,
    as_json: bool,
    pages: Path | None,
    below: int,
    refresh: bool,
    offline: bool,
    pause: float,
) -> None:
    """Propose words for the vocabulary of a category.

    They come from the pages of its three sources, from queries without a match and from near topics. On a
    terminal you decide on each; elsewhere they are listed. --accept, --accept-alias and --all ask nothing.
    """
    if refresh and offline:
        raise click.UsageError("--refresh and --offline exclude each other.")
    content = load_registry(registry)
    _check_slug(slug, content)
    accepted = [
        *(Accepted("keywords", word) for word in keywords),
        *(Accepted("aliases", word) for word in aliases),
    ]
    if not accepted or count is not None or as_json:
        recording = Recording(pages or registry.parent / _PAGES_FOLDER)
        urls = [source.url for source in content.categories[slug].sources]
        with closing(Fetcher(pause_seconds=pause)) as fetcher:
            reader = Reader(recording, None if offline else fetcher, refresh=refresh)
            read = _read_sources(urls, reader, below=below)
        queries = [] if no_matches is None else _queries(no_matches)
        remark(f"{registry}: baking a part of it in memory, with and without the proposals")
        found = suggestions(content, slug, read, queries, limit=max(limit, count or 0))
        accepted += _decided(found, count, as_json=as_json, ask=not accepted)
    if accepted:
        _write(VocabularyFile(registry, slug), accepted)


def _check_slug(slug: str, registry: Registry) -> None:
    if slug not in registry.categories:
        close = get_close_matches(slug, registry.categories, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        raise CannotBegin(f'The registry has no category "{slug}".{hint}')


def _queries(file: Path) -> list[str]:
    return list(dict.fromkeys(logged_queries(file.read_text(encoding="utf-8", errors="replace"))))


def _read_sources(urls: Sequence[str], reader: Reader, *, below: int) -> list[Page]:
    """The pages at these addresses, and so many of the pages below each that it links to."""
    sources = _read_pages("Reading the sources", urls, reader)
    return [*sources, *_read_pages("Reading pages below", linked_pages(sources, each=below), reader)]


def _read_pages(label: str, urls: Sequence[str], reader: Reader) -> list[Page]:
    """The pages that can be read; each other one is a remark."""
    read: list[Page] = []
    missing: list[str] = []
    hidden = not urls or not sys.stderr.isatty()
    with click.progressbar(urls, label=label, file=sys.stderr, hidden=hidden) as progress:
        for url in progress:
            try:
                read.append(reader.read(url))
            except Unfetchable as reason:
                missing.append(f"{url}: left out, since {reason}.")
    for sentence in missing:
        remark(sentence)
    return read


def _decided(found: Suggestions, count: int | None, *, as_json: bool, ask: bool) -> Iterator[Accepted]:
    """Show the suggestions, and give those that are accepted."""
    if as_json:
        show(json.dumps(found.as_json(), indent=2).splitlines())
    elif count is None and ask and sys.stdin.isatty() and sys.stdout.isatty():
        yield from _asked(found)
        return
    else:
        show([found.summary(), *(line for each in found.best for line in ("", *each.lines()))])
    yield from (Accepted("keywords", each.word) for each in found.best[: count or 0])


def _asked(found: Suggestions) -> Iterator[Accepted]:
    show([found.summary()])
    for number, suggestion in enumerate(found.best, 1):
        show(["", f"{number} of {len(found.best)}", *suggestion.lines()])
        answer = click.prompt(
            _QUESTION, type=click.Choice(["k", "a", "s", "q"]), show_choices=False, default="s"
        )
        if answer == "q":
            return
        if answer in _MEMBERS:
            yield Accepted(_MEMBERS[answer], suggestion.word)


def _write(file: VocabularyFile, accepted: Sequence[Accepted]) -> None:
    refused = file.add(accepted)
    for word, sentence in refused:
        remark(f'"{word}" is refused. {sentence}')
    if len(refused) == len(accepted):
        raise CannotBegin(f"{file.path}: nothing was added.")
    show(
        [
            f"{file.path}: {len(accepted) - len(refused)} added.",
            "Next: bake the registry with `make bake`, and see what has changed with `threegood report`.",
        ]
    )
