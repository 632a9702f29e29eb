"""Markdown tables: words to the left, numbers to the right."""

from collections.abc import Iterator

__all__ = ["head", "row"]


def head(first: str, *others: str, worded: int = 0) -> Iterator[str]:
    """The first two lines of a table; the first column and the last `worded` hold words."""
    yield row(first, *others)
    yield row("---", *["---:"] * (len(others) - worded), *["---"] * worded)


def row(*cells: str) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"
