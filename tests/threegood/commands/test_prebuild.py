"""`threegood prebuild`: a cold start reads the prebuilt server, and answers as if it had built it itself."""

from pathlib import Path

import pytest

from mcpcore import BuiltServer, DefinitionError
from sources.baked import BakedRegistry
from sources.catalog import open_server
from sources.matching import DEFAULT_STRATEGY
from sources.prebuilt import prebuilt_file, read_prebuilt
from sources.settings import ProductSettings
from tests.support.commands import Ended, threegood
from tests.support.messages import modern
from tests.support.registries import a_category, a_registry, baked
from tests.support.servers import Wire


@pytest.fixture
def registry(tmp_path: Path) -> BakedRegistry:
    """A registry in `tmp_path`, which is also the folder of the function."""
    return baked(tmp_path, a_registry({"bread": a_category("Sourdough Bread")}))


def opened(folder: Path, *, prebuilt_in: Path) -> BuiltServer:
    settings = ProductSettings(
        str(folder / "registry"), DEFAULT_STRATEGY, 0.4, 0.7, 0.3, log_no_matches=False, tool_text="json"
    )
    return open_server(settings, prebuilt_in=prebuilt_in)


def prebuild(folder: Path) -> Ended:
    return threegood("prebuild", folder, "--baked", folder / "registry")


def test_the_file_lies_beside_the_handler_and_is_named_after_its_registry(
    tmp_path: Path, registry: BakedRegistry
) -> None:
    digest = registry.manifest.digest
    other = baked(tmp_path / "other", a_registry({"beer": a_category("Beer")})).manifest.digest
    file = tmp_path / f"prebuilt-{digest.removeprefix('sha256:')[:16]}.json"

    assert prebuild(tmp_path) == Ended(0, f"{file}: prebuilt\n", "")
    assert Path(prebuilt_file(tmp_path, digest)) == file
    assert read_prebuilt(tmp_path, digest) == file.read_bytes()
    assert read_prebuilt(tmp_path, other) is None


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_sources", {"query": "bread", "threshold": 0.1, "alternatives": 2}),
        ("get_sources", {"query": "astronomy"}),
        ("get_sources", {"query": 5, "alternatives": 99, "more": None}),
        ("get_sources", {}),
        ("search_categories", {"query": "bread", "limit": 1}),
        ("search_categories", {"query": "bread", "limit": 0}),
        ("list_categories", {}),
        ("get_provenance", {}),
        ("get_endorsements", {"more": 1}),
        ("get_audit_log", {"category": "bread", "proof": True}),
        ("get_audit_log", {"start": -1}),
    ],
)
def test_a_prebuilt_server_answers_as_one_that_was_not(
    tmp_path: Path, name: str, arguments: dict[str, object]
) -> None:
    prebuild(tmp_path)
    prebuilt, plain = (opened(tmp_path, prebuilt_in=folder) for folder in (tmp_path, tmp_path / "none"))
    request = modern("tools/call", {"name": name, "arguments": arguments})

    assert prebuilt.constants == plain.constants
    assert Wire(prebuilt).send(request) == Wire(plain).send(request)


def test_a_damaged_file_stops_the_cold_start(tmp_path: Path, registry: BakedRegistry) -> None:
    prebuild(tmp_path)
    file = Path(prebuilt_file(tmp_path, registry.manifest.digest))
    file.write_bytes(file.read_bytes()[:100])

    with pytest.raises(DefinitionError):
        opened(tmp_path, prebuilt_in=tmp_path)


def test_a_missing_folder_or_registry_is_named(tmp_path: Path, registry: BakedRegistry) -> None:
    missing = tmp_path / "missing"

    assert threegood("prebuild", missing, "--baked", tmp_path / "registry") == Ended(
        2, "", f"{prebuilt_file(missing, registry.manifest.digest)}: No such file or directory.\n"
    )
    assert threegood("prebuild", tmp_path, "--baked", missing).err.startswith(f"{missing}: ")
