"""The table of what a build ships."""

from pathlib import Path
from typing import Final

import pytest

from bench.size import as_markdown, parts

FILES: Final = {
    "McpFunction/handler.py": 1,
    "McpFunction/__pycache__/handler.cpython-313.pyc": 2,
    "CoreLayer/python/mcpcore/server/server.py": 3,
    "RegistryLayer/registry/lexicon.bin": 4_000_000,
    "DependenciesLayer/python/Stemmer.cpython-313-x86_64-linux-gnu.so": 5,
    "DependenciesLayer/python/six.py": 6,
    "DependenciesLayer/python/__pycache__/six.cpython-313.pyc": 7,
    "DependenciesLayer/python/six-1.17.0.dist-info/METADATA": 8,
    "DependenciesLayer/python/pydantic/v1/__pycache__/main.cpython-313.pyc": 9,
    "DependenciesLayer/python/pydantic_core-2.50.4.dist-info/METADATA": 10,
    "AuthorizationLayer/python/cryptography/x509/__init__.py": 9_000_000,
}


@pytest.fixture
def build(tmp_path: Path) -> Path:
    for name, size in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))
    return tmp_path


def test_bytes_are_counted_by_package(build: Path) -> None:
    assert parts(build) == {
        "function": {"handler": 3},
        "core": {"mcpcore": 3},
        "registry": {"lexicon": 4_000_000},
        "dependencies": {"stemmer": 5, "six": 21, "pydantic": 9, "pydantic_core": 10},
        "authorization": {"cryptography": 9_000_000},
    }


def test_large_entries_are_listed_and_small_ones_only_summed(build: Path) -> None:
    text = "\n".join(as_markdown({"arm64": parts(build)}))
    assert "lexicon" in text
    assert "pydantic" not in text
    assert text.count("4.0") == 3  # the entry, its part, and the sum of all
    assert text.count("9.0") == 2  # the entry and its part, which is attached only with authorization


def test_a_folder_that_is_no_build_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run make build first"):
        parts(tmp_path)
