"""docs/verify-an-answer.md: its program passes what the function answers, and refuses what was forged."""

import copy
import json
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from tests.support.exchanges import modern, through_handler
from tests.support.forged_answers import CURATOR, FORGERIES, Forgery, bake_signed
from tests.support.node import find_node
from tests.support.processes import ROOT
from threegood.__main__ import main
from threegood.trust.answer import CHECKS
from threegood.trust.keys import DEMONSTRATION_KEY

PAGE: Final = (ROOT / "docs/verify-an-answer.md").read_text()
# WebCrypto has Ed25519.
OLDEST_NODE: Final = (22, 0)
NAMED_ALIKE: Final = {
    "changed source": "sources",
    "changed url": "sources",
    "changed rank": "sources",
    "changed why": "sources",
    "other category's path": "root",
    "truncated path": "path",
    "other root": "root",
    "other key": "key",
    "expired": "expiry",
    "unsigned": "unsigned",
}
"""The forgeries that the program refuses for a reason of that name."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (text,) = re.findall(r"^```js\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    file = tmp_path_factory.mktemp("javascript") / "verify.mjs"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def response(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the function answers, as the client that asked receives it."""
    folder = bake_signed(tmp_path_factory.mktemp("node") / "baked")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"REGISTRY_DIR": str(folder), "SESSIONS_TABLE": "none"}.items():
            patch.setenv(name, value)
        send = through_handler(runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"])
        arguments = {"query": "piano", "proof": True}
        found: dict[str, Any] = send(modern("tools/call", name="get_sources", arguments=arguments)).message()
    return found


def run(program: Path, response: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    file = program.with_name("answer.json")
    file.write_text(json.dumps(response))
    node = find_node(OLDEST_NODE).program
    return subprocess.run(
        [node, str(program), str(file), CURATOR.public.hex],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def forged(response: dict[str, Any], forgery: Forgery) -> dict[str, Any]:
    lie = copy.deepcopy(response)
    forgery.forge(lie["result"])
    if lie["result"]["content"] == response["result"]["content"]:
        lie["result"]["content"][0]["text"] = json.dumps(lie["result"]["structuredContent"])
    return lie


def verify_answer(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["verify-answer", *arguments], input=text)


def test_the_program_has_thirty_lines_at_most(program: Path) -> None:
    assert len([line for line in program.read_text().splitlines() if line]) <= 30


def test_the_program_passes_an_answer_of_the_function(program: Path, response: dict[str, Any]) -> None:
    ran = run(program, response)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("piano: as signed by ")


@pytest.mark.parametrize("name", NAMED_ALIKE)
def test_the_program_says_why_it_refuses(program: Path, response: dict[str, Any], name: str) -> None:
    (forgery,) = (each for each in FORGERIES if each.name == name)

    ran = run(program, forged(response, forgery))

    assert ran.returncode == 1
    assert f"refused: {NAMED_ALIKE[name]}\n" in ran.stderr


# It leaves `_meta` alone, and does not mind what else the curator has signed.
@pytest.mark.parametrize(
    "forgery",
    [each for each in FORGERIES if each.name not in {*NAMED_ALIKE, "other registry", "statement with more"}],
    ids=lambda forgery: forgery.name,
)
def test_the_program_passes_no_other_forgery(
    program: Path, response: dict[str, Any], forgery: Forgery
) -> None:
    assert run(program, forged(response, forgery)).returncode == 1


@pytest.mark.parametrize("key", [str(CURATOR.public), CURATOR.public.zbase32, CURATOR.public.pem])
def test_the_command_passes_it_too_by_a_key_in_any_spelling(response: dict[str, Any], key: str) -> None:
    ran = verify_answer(json.dumps(response), "--key", key)

    assert ran.exit_code == 0
    assert ran.output.startswith(
        "piano: Piano. Category, sources, ranks and reasons are as they were signed\n"
    )


def test_the_command_takes_the_key_of_the_registry_file_here(
    response: dict[str, Any], tmp_path: Path
) -> None:
    named: dict[str, Any] = json.loads((ROOT / "tests/fixtures/registries/valid.json").read_bytes())
    keys = {"own": str(CURATOR.public), "other": str(DEMONSTRATION_KEY)}
    with pytest.MonkeyPatch.context() as patch:
        for name, key in keys.items():
            named["curator"]["pubkey"] = key
            (tmp_path / name).write_text(json.dumps(named))
        patch.setenv("REGISTRY", str(tmp_path / "own"))
        own = verify_answer(json.dumps(response["result"]))
        patch.setenv("REGISTRY", str(tmp_path / "other"))
        other = verify_answer(json.dumps(response["result"]))

    assert (other.exit_code, own.exit_code) == (1, 0)
    assert "FAILED key: It is signed by " in other.output


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_the_command_names_each_check_that_fails(response: dict[str, Any], forgery: Forgery) -> None:
    ran = verify_answer(json.dumps(forged(response, forgery)), "--key", str(CURATOR.public))

    assert ran.exit_code == 1
    assert re.findall(r"^FAILED (\w+):", ran.output, re.MULTILINE) == list(forgery.caught_by)


def test_a_key_in_no_spelling_is_an_error_of_its_own() -> None:
    ran = verify_answer("{}", "--key", "ed25519:77")

    assert ran.exit_code == 2
    assert "is no Ed25519 public key" in ran.output


def test_the_page_has_every_check() -> None:
    table = PAGE.split("## What is checked")[1].split("\n\nIt does not")[0]
    named = re.findall(r"^\| ([a-z, ]+) \|", table, re.MULTILINE)

    assert [check for names in named[1:] for check in names.split(", ")] == ["proof", *CHECKS]
