"""The table of what a build ships."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from bench.size import as_markdown, parts

FILES: Final = {
    "McpFunction/handler.py": 1,
    "McpFunction/__pycache__/handler.cpython-313.pyc": 2,
    "CoreLayer/python/mcpcore/server/server.py": 3,
    "RegistryLayer/registry/lexicon.bin": 4,
    "DependenciesLayer/python/Stemmer.cpython-313-x86_64-linux-gnu.so": 5,
    "DependenciesLayer/python/six.py": 6,
    "DependenciesLayer/python/__pycache__/six.cpython-313.pyc": 7,
    "DependenciesLayer/python/six-1.17.0.dist-info/METADATA": 8,
    "DependenciesLayer/python/pydantic/v1/__pycache__/main.cpython-313.pyc": 9,
    "DependenciesLayer/python/pydantic_core-2.50.4.dist-info/METADATA": 10,
}


def test_bytes_are_counted_by_what_they_belong_to(tmp_path: Path) -> None:
    for name, size in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))

    assert parts(tmp_path) == {
        "function": {"handler": 3},
        "core": {"mcpcore": 3},
        "registry": {"lexicon": 4},
        "dependencies": {"stemmer": 5, "six": 21, "pydantic": 9, "pydantic_core": 10},
    }


def test_a_folder_that_is_no_build_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make build has not been here"):
        parts(tmp_path)


def test_the_table_tells_parts_their_large_entries_and_the_sum() -> None:
    def build(fast: int) -> dict[str, Counter[str]]:
        small = {part: Counter({"small": 100_000}) for part in ("function", "core", "registry")}
        return {**small, "dependencies": Counter({"fast": fast, "tiny": 50_000})}

    assert list(as_markdown({"x86_64": build(3_000_000), "arm64": build(550_000)})) == [
        "| MB | x86_64 | arm64 |",
        "| --- | ---: | ---: |",
        "| function | 0.1 | 0.1 |",
        "| core | 0.1 | 0.1 |",
        "| registry | 0.1 | 0.1 |",
        "| dependencies | 3.0 | 0.6 |",
        "| of it fast | 3.0 | 0.6 |",
        "| all | 3.4 | 0.9 |",
    ]
