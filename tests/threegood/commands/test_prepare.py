"""`python -m threegood prepare`: what a cold start reads instead of finding it out."""

from pathlib import Path

import pytest

from mcpcore import BuiltServer, DefinitionError
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import build_strategy
from sources.prepared import prepared_file, read_prepared
from tests.support.messages import modern
from tests.support.registries import a_category, a_registry, baked
from tests.support.servers import Wire
from threegood.commands.command import run


@pytest.fixture
def registry(tmp_path: Path) -> BakedRegistry:
    return baked(tmp_path, a_registry({"bread": a_category("Sourdough Bread")}))


def built(registry: BakedRegistry, prepared: bytes | None) -> BuiltServer:
    return build_server(registry, build_strategy("lexicon", registry)).build(prepared)


def test_the_file_lies_beside_the_handler_under_the_name_of_its_registry(
    tmp_path: Path, registry: BakedRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prepare", str(tmp_path), "--baked", str(tmp_path / "registry")]) == 0

    file = prepared_file(tmp_path, registry.manifest.digest)
    assert capsys.readouterr().out == f"{file}: prepared\n"
    assert file.name == f"prepared-{registry.manifest.digest.removeprefix('sha256:')[:16]}.json"
    assert read_prepared(tmp_path, registry.manifest.digest) == file.read_bytes()


def test_nothing_is_read_for_another_registry(tmp_path: Path, registry: BakedRegistry) -> None:
    run(["prepare", str(tmp_path), "--baked", str(tmp_path / "registry")])
    other = baked(tmp_path / "other", a_registry({"beer": a_category("Beer")}))

    assert registry.manifest.digest != other.manifest.digest
    assert read_prepared(tmp_path, other.manifest.digest) is None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_sources", {"query": "sourdough"}),
        ("get_sources", {"query": "bread", "threshold": 0.1, "alternatives": 2}),
        ("get_sources", {"query": "astronomy"}),
        ("get_sources", {"query": ""}),
        ("get_sources", {"query": 5, "alternatives": 99, "more": None}),
        ("get_sources", {}),
        ("get_sources", {"query": "bread", "threshold": 1}),
        ("search_categories", {"query": "bread", "limit": 1}),
        ("search_categories", {"query": "bread", "limit": 0}),
        ("list_categories", {}),
        ("get_provenance", {}),
        ("get_endorsements", {}),
        ("get_endorsements", {"more": 1}),
    ],
)
def test_the_product_answers_as_it_does_unprepared(
    tmp_path: Path, registry: BakedRegistry, name: str, arguments: dict[str, object]
) -> None:
    run(["prepare", str(tmp_path), "--baked", str(tmp_path / "registry")])
    kept = built(registry, read_prepared(tmp_path, registry.manifest.digest))
    plain = built(registry, None)
    request = modern("tools/call", {"name": name, "arguments": arguments})

    assert kept.constants == plain.constants
    assert Wire(kept).send(request) == Wire(plain).send(request)


def test_a_file_that_was_damaged_stops_the_cold_start(tmp_path: Path, registry: BakedRegistry) -> None:
    run(["prepare", str(tmp_path), "--baked", str(tmp_path / "registry")])
    kept = read_prepared(tmp_path, registry.manifest.digest)
    assert kept is not None

    with pytest.raises(DefinitionError, match="Prepare it again"):
        built(registry, kept[: len(kept) // 2])


def test_without_a_folder_or_a_registry_it_says_what_is_missing(
    tmp_path: Path, registry: BakedRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing"
    assert run(["prepare", str(missing), "--baked", str(tmp_path / "registry")]) == 2
    said = capsys.readouterr().err
    name = prepared_file(missing, registry.manifest.digest)
    assert said == f"{name}: No such file or directory.\n"

    assert run(["prepare", str(tmp_path), "--baked", str(missing)]) == 2
    assert str(missing) in capsys.readouterr().err
