"""Markdown: tables with text columns to the left and numbers to the right, and generated blocks of a page."""

from collections.abc import Iterator

__all__ = ["head", "row", "with_block"]


def head(first: str, *others: str, text_columns: int = 0) -> Iterator[str]:
    """The first two lines of a table; the first column and the last `text_columns` hold text."""
    yield row(first, *others)
    yield row("---", *["---:"] * (len(others) - text_columns), *["---"] * text_columns)


def row(*cells: str) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"


def with_block(page: str, name: str, block: str) -> str:
    """The page with `block` between the marks of that name; without marks, it is appended with them."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if begin not in page:
        page = f"{page.rstrip()}\n\n{begin}\n{end}\n"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{block}\n{end}{after}"
