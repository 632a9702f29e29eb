"""Markdown tables: text columns to the left, numbers to the right."""

from collections.abc import Iterator

__all__ = ["head", "row"]


def head(first: str, *others: str, text_columns: int = 0) -> Iterator[str]:
    """The first two lines of a table; the first column and the last `text_columns` hold text."""
    yield row(first, *others)
    yield row("---", *["---:"] * (len(others) - text_columns), *["---"] * text_columns)


def row(*cells: str) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"
