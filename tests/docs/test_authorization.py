"""docs/authorization.md: its parameters and descriptions are the real ones, and its verifier works."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.exchanges import Reply, Send, modern, through_handler
from tests.support.processes import ROOT
from tests.support.sam_template import load_template

TEXT: Final = (ROOT / "docs" / "authorization.md").read_text()
PARAMETERS: Final = {
    name for name in load_template()["Parameters"] if name.startswith("Auth") or name == "ApiKeys"
}


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_table_of_settings_has_every_parameter() -> None:
    named = re.findall(r"^\| (`.+?`) \|", section("Settings"), re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(named))) == sorted(PARAMETERS)


def test_every_parameter_that_is_named_exists() -> None:
    named = set(re.findall(r"`(Auth[A-Z]\w+)", TEXT)) | set(re.findall(r"\b(Auth[A-Z]\w+|ApiKeys)=", TEXT))
    # A class of the core, and a property of SAM's events.
    assert named - PARAMETERS - {"AuthorizationError"} == set()


def test_a_description_that_is_explained_is_one_that_is_sent() -> None:
    """Each cell of the table has the beginnings of descriptions."""
    folder = ROOT / "layers/core"
    sources = "".join(path.read_text() for path in folder.rglob("*.py") if "authorization" in str(path))
    rows = re.findall(
        r"^\| (?:401 `invalid_token`)? ?\| (.+?) \|", section("What an error means"), re.MULTILINE
    )
    explained = [each for row in rows for each in row.split("; ")]
    assert len(explained) > 10
    assert [each for each in explained if each.removesuffix(" …") not in sources] == []


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https:)([^)#]+)[)#]", TEXT))))
def test_what_is_linked_is_there(link: str) -> None:
    assert (ROOT / "docs" / link).exists()


@pytest.mark.parametrize("anchor", sorted(set(re.findall(r"\]\(#([^)]+)\)", TEXT))))
def test_a_section_that_is_linked_is_there(anchor: str) -> None:
    titles = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


# The verifier of one's own


@pytest.fixture(name="send")
def _send(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Send:
    monkeypatch.setenv("TOKEN", "right")
    monkeypatch.setenv("CLIENT_DIGEST_KEY", "a key of this stack")
    (example,) = re.findall(r"^```python\n# handler\.py\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, tmp_path / "handler.py", "exec"), names)
    return through_handler(names["lambda_handler"])


def called(send: Send, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> Reply:
    sent = modern("tools/call", name=tool, arguments=arguments)
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return send(sent._replace(headers={**sent.headers, **headers}))


def test_who_shows_the_token_is_let_in_and_nobody_else(send: Send) -> None:
    without, wrong, right = (called(send, "list_orders", {}, token) for token in (None, "wrong", "right"))

    assert [reply.status for reply in (without, wrong, right)] == [401, 401, 200]
    assert without.headers["www-authenticate"] == "Bearer"
    assert 'error_description="it is not the token of this server"' in wrong.headers["www-authenticate"]
    assert json.loads(right.body)["result"]["structuredContent"] == ["bread"]


def test_a_tool_whose_scope_is_lacking_is_refused_with_the_scope_to_ask_for(send: Send) -> None:
    reply = called(send, "place_order", {"article": "bread"}, "right")

    assert reply.status == 403
    assert 'error="insufficient_scope"' in reply.headers["www-authenticate"]
    assert 'scope="orders:write"' in reply.headers["www-authenticate"]
