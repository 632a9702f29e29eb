"""Reading labelled queries, and the faults of lines that are none."""

from pathlib import Path
from typing import Final

import pytest

from tests.eval.queries import FaultyQueries, Query, read_queries

SLUGS: Final = frozenset({"learn-rust", "sourdough-bread"})


def read(folder: Path, content: str | bytes) -> list[Query]:
    file = folder / "queries.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_queries(file, SLUGS)


def faults_of(folder: Path, content: str | bytes) -> list[str]:
    with pytest.raises(FaultyQueries) as refusal:
        read(folder, content)
    return str(refusal.value).replace(f"{folder / 'queries.jsonl'}:", "").splitlines()


def test_a_label_is_a_slug_a_list_of_fair_slugs_or_null(tmp_path: Path) -> None:
    assert read(
        tmp_path,
        '{"query": "rust", "expect": "learn-rust", "style": "keywords"}\n'
        '{"query": "crust", "expect": ["learn-rust", "sourdough-bread"], "style": "typo"}\n'
        '{"query": "rust removal", "expect": null, "style": "oos-near"}\n',
    ) == [
        Query(1, "rust", ("learn-rust",), "keywords"),
        Query(2, "crust", ("learn-rust", "sourdough-bread"), "typo"),
        Query(3, "rust removal", (), "oos-near"),
    ]


def test_a_query_without_a_style_is_unlabelled(tmp_path: Path) -> None:
    assert read(tmp_path, '{"query": "rust", "expect": null}') == [Query(1, "rust", (), "unlabelled")]


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    (query,) = read(tmp_path, '\n  \r\n{"query": "rust", "expect": null}\r\n\n')
    assert query.line == 3


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    (query,) = read(tmp_path, b'\xef\xbb\xbf{"query": "rust", "expect": null}')
    assert query.text == "rust"


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    (query,) = read(tmp_path, '{"query": "one\u2028two\x85three", "expect": null}')
    assert query.text == "one\u2028two\x85three"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("[1, 2]", "it is not a JSON object"),
        ('{"expect": null}', 'it has no "query"'),
        ('{"query": "rust"}', 'it has no "expect"'),
        ('{"query": null, "expect": null}', '"query" must be a string'),
        ('{"query": "rust", "expect": null, "style": null}', '"style" must be a string'),
        ('{"query": "rust", "expect": 1}', '"expect" must be a slug, a list of slugs, or null'),
        ('{"query": "rust", "expect": []}', '"expect" must be a slug, a list of slugs, or null'),
        (
            '{"query": "rust", "expect": ["learn-rust", 1]}',
            '"expect" must be a slug, a list of slugs, or null',
        ),
        ('{"query": "rust", "expect": "go"}', 'the registry has no category "go"'),
    ],
)
def test_a_line_that_is_no_query_is_listed_with_its_number_and_fault(
    tmp_path: Path, line: str, fault: str
) -> None:
    assert faults_of(tmp_path, f"\n{line}\n") == [f"2: {fault}"]


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[" * 100_000], ids=["cut short", "not UTF-8", "too deep"])
def test_a_line_that_is_not_json_is_a_fault(tmp_path: Path, line: bytes) -> None:
    (fault,) = faults_of(tmp_path, line)
    assert fault.startswith("1: it is not JSON: ")


def test_all_faulty_lines_are_listed(tmp_path: Path) -> None:
    content = '{"query": "a"}\n{"query": "b", "expect": null}\n[]\n'
    assert faults_of(tmp_path, content) == ['1: it has no "expect"', "3: it is not a JSON object"]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_a_query_is_refused(tmp_path: Path, content: str) -> None:
    assert faults_of(tmp_path, content) == [" there is no query in it"]


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FaultyQueries, match=r"none\.jsonl: No such file or directory"):
        read_queries(tmp_path / "none.jsonl", SLUGS)
