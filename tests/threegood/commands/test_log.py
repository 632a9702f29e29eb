"""`threegood log`: a log is updated, shown, verified and remembered; that of the reference is read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Ended, threegood
from tests.support.processes import ROOT
from tests.support.registries import a_category, write_registry
from tests.support.serving import Served
from threegood.trust.private_keys import key_to_pem, new_key, read_key

REFERENCE = ROOT / "tests/fixtures/reference_audit_log.json"


class Desk:
    """A curator's folder with a registry, a key, and where a verifier keeps its state."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.log = folder / "log"
        self.key = self.new_key("key.pem")
        self.write("apples", "bread")

    def new_key(self, name: str) -> Path:
        file = self.folder / name
        file.write_bytes(key_to_pem(new_key()))
        return file

    def write(self, *slugs: str, key: Path | None = None) -> None:
        """Write the registry with these categories."""
        curator = {"name": "Ada", "pubkey": str(read_key(key or self.key).public)}
        self.registry = write_registry(
            self.folder, {slug: a_category(slug.title()) for slug in slugs}, curator=curator
        )

    def update(self, *options: str | Path) -> Ended:
        return threegood("log", "update", self.registry, "--key", self.key, *options)

    def verify(self, place: str | Path | None = None, *options: str | Path) -> Ended:
        return threegood("log", "verify", place or self.log, "--state", self.state, *options)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    assert desk.update("--origin", "example.com/log") == Ended(0, f"{desk.log}: 9 added, 9 in all\n", "")
    return desk


def checks_failed(ended: Ended) -> list[str]:
    return [line.split()[1].rstrip(":") for line in ended.err.splitlines() if line.startswith("FAILED")]


def test_a_change_is_added_and_the_log_still_follows_what_was_seen(desk: Desk) -> None:
    assert "seen for the first time" in desk.verify().out

    desk.write("apples", "cheese")
    assert desk.update().out == f"{desk.log}: 8 added, 17 in all\n"

    ended = desk.verify()
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("ok     example.com/log: 17 entries, root sha256:")
    assert "first time" not in ended.out


def test_show_lists_the_last_entries_and_the_verifier_key(desk: Desk) -> None:
    ended = threegood("log", "show", desk.log, "--last", "2")

    *entries, head = ended.out.splitlines()
    assert [entry.split()[0] for entry in entries] == ["7", "8"]
    assert head.startswith("example.com/log, entries: 9; verifier key: example.com/log+")


def test_an_earlier_log_is_an_alarm_once_a_later_one_was_seen(desk: Desk) -> None:
    earlier = {file: file.read_bytes() for file in [*desk.log.iterdir(), desk.registry]}
    desk.write("apples", "cheese")
    desk.update()
    desk.verify()

    for file, content in earlier.items():
        file.write_bytes(content)

    ended = desk.verify()
    assert (ended.code, checks_failed(ended)) == (1, ["rolled-back"])


def test_another_log_by_another_key_is_an_alarm(desk: Desk) -> None:
    desk.verify()
    for file in desk.log.iterdir():
        file.unlink()
    desk.key = desk.new_key("other.pem")
    desk.write("apples", "bread")
    desk.update("--origin", "example.com/log")

    ended = desk.verify()

    assert (ended.code, checks_failed(ended)) == (1, ["forked", "key-changed"])


def test_a_new_key_is_signed_by_the_former_one(desk: Desk) -> None:
    desk.verify()
    former, desk.key = desk.key, desk.new_key("new.pem")
    desk.write("apples", "bread")
    assert desk.update().code == 2

    assert desk.update("--former-key", former).out == f"{desk.log}: 3 added, 12 in all\n"
    assert desk.verify(None, "--key", str(read_key(desk.key).public)).code == 0
    assert checks_failed(desk.verify(None, "--key", str(read_key(former).public))) == ["checkpoint-key"]


def edit_registry(desk: Desk) -> None:
    desk.registry.write_text(desk.registry.read_text("utf-8").replace("Source 1", "Source one", 1), "utf-8")


def edit_entry(desk: Desk) -> None:
    file = desk.log / "entries.jsonl"
    file.write_text(file.read_text("utf-8").replace("Source 1", "Source one", 1), "utf-8")


@pytest.mark.parametrize(
    ("edit", "caught_by"),
    [
        (edit_registry, ["registry"]),
        (edit_entry, ["entry-signature", "previous-hash", "tree-root", "registry"]),
    ],
)
def test_an_edit_is_caught(desk: Desk, edit: Callable[[Desk], None], caught_by: list[str]) -> None:
    edit(desk)

    ended = desk.verify()

    assert (ended.code, checks_failed(ended)) == (1, caught_by)
    assert not desk.state.exists()


def test_the_log_is_baked_and_verified_in_the_layer(desk: Desk) -> None:
    baked = desk.folder / "baked"
    assert threegood("bake", desk.registry, "--out", baked).code == 0

    assert desk.verify(baked).code == 0

    (baked / "log.bin").write_bytes(bytes(100) + (baked / "log.bin").read_bytes()[100:])
    ended = desk.verify(baked)
    assert (ended.code, checks_failed(ended)) == (1, ["published"])


def test_a_log_with_faults_is_not_baked_and_one_that_lags_behind_is_a_remark(desk: Desk) -> None:
    edit_registry(desk)
    ended = threegood("bake", desk.registry, "--out", desk.folder / "baked")
    assert (ended.code, "the log does not record this registry" in ended.err) == (0, True)

    edit_entry(desk)
    ended = threegood("bake", desk.registry, "--out", desk.folder / "baked")
    assert (ended.code, "this log has faults (entry-signature" in ended.err) == (2, True)


def test_a_place_without_a_log_says_so(desk: Desk) -> None:
    (desk.folder / "empty").mkdir()
    for file in desk.log.iterdir():
        file.unlink()
    threegood("bake", desk.registry, "--out", desk.folder / "baked")

    assert "begins one" in desk.verify(desk.folder / "empty").err
    assert "baked without a log" in desk.verify(desk.folder / "baked").err
    assert "FAILED published: http://127.0.0.1:9/log/checkpoint" in desk.verify("http://127.0.0.1:9/mcp").err


@pytest.mark.skipif(not (ROOT / "log").exists(), reason="the project's registry has no log")
def test_a_node_is_verified_from_outside(served: Served, tmp_path: Path) -> None:
    for times in ("first", "second"):
        ended = threegood("log", "verify", served.url, "--state", tmp_path)
        assert (ended.code, ended.err) == (0, ""), times
        assert ("first time" in ended.out) is (times == "first")


def test_the_log_of_the_reference_is_verified_and_can_begin_a_log(tmp_path: Path) -> None:
    ended = threegood("log", "import", REFERENCE, "--out", tmp_path / "log")

    assert (ended.code, ended.err) == (0, "")
    assert "40 entries, every signature and hash is right" in ended.out
    assert len((tmp_path / "log/entries.jsonl").read_bytes().splitlines()) == 40
    assert threegood("log", "import", REFERENCE, "--out", tmp_path / "log").code == 2


def test_a_changed_log_of_the_reference_is_refused(tmp_path: Path) -> None:
    entries = json.loads(REFERENCE.read_bytes())
    entries[3]["data"]["name"] = "Another"
    (tmp_path / "log.json").write_text(json.dumps(entries))

    ended = threegood("log", "import", tmp_path / "log.json")

    assert (ended.code, checks_failed(ended)) == (1, ["entry-signature", "previous-hash"])


@pytest.mark.parametrize("content", ["", "{}", "[1]", "[{}]"])
def test_another_file_is_no_audit_log(tmp_path: Path, content: str) -> None:
    (tmp_path / "log.json").write_text(content)

    ended = threegood("log", "import", tmp_path / "log.json")

    assert (ended.code, "this is no audit log" in ended.err) == (2, True)
