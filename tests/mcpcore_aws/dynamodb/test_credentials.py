"""Credentials: from the environment first, then from botocore."""

import datetime
import json
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from mcpcore_aws.dynamodb import Credentials, CredentialSource
from mcpcore_aws.errors import NotConfigured
from tests.support.credentials import GIVEN, giving_credentials
from tests.support.processes import ROOT, plain_environment

LAMBDA: Final = {
    "AWS_ACCESS_KEY_ID": "ASIA1",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_SESSION_TOKEN": "token",
}


@pytest.fixture
def no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No credentials anywhere; returns the path of the file that may hold a profile."""
    for name in (*LAMBDA, "AWS_PROFILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "absent"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    return tmp_path / "config"


def test_lambdas_variables_are_read_at_each_request() -> None:
    environment = dict(LAMBDA)
    source = CredentialSource(environment)
    assert source.current() == Credentials("ASIA1", "secret", "token")
    environment["AWS_SESSION_TOKEN"] = "later"
    assert source.current() == Credentials("ASIA1", "secret", "later")


def test_long_term_keys_have_no_session_token() -> None:
    assert CredentialSource(LAMBDA | {"AWS_SESSION_TOKEN": ""}).current().token == ""


@pytest.mark.usefixtures("no_credentials")
@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_half_of_a_key_pair_is_not_used(name: str) -> None:
    with pytest.raises(NotConfigured):
        CredentialSource(LAMBDA | {name: ""}).current()


@pytest.mark.usefixtures("no_credentials")
def test_missing_credentials_are_reported_each_time() -> None:
    source = CredentialSource({})
    for _ in range(2):
        with pytest.raises(NotConfigured, match="no credentials"):
            source.current()


def test_a_profile_is_found_by_botocore(no_credentials: Path) -> None:
    no_credentials.write_text("[default]\naws_access_key_id = AKID\naws_secret_access_key = kept\n")
    source = CredentialSource({})
    source.warm_up()
    assert source.current() == Credentials("AKID", "kept", "")


@pytest.mark.parametrize("use", [CredentialSource.current, CredentialSource.warm_up])
def test_a_missing_profile_is_reported(
    use: Callable[[CredentialSource], object], no_credentials: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_credentials.write_text("[default]\n")
    monkeypatch.setenv("AWS_PROFILE", "absent")
    with pytest.raises(NotConfigured, match="absent"):
        use(CredentialSource({}))


def test_expiring_credentials_are_refreshed(no_credentials: Path, tmp_path: Path) -> None:
    """A program gives credentials that are as good as expired, and counts how often it is asked."""
    expiry = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=1)
    program = tmp_path / "program.py"
    program.write_text(
        "import json, pathlib\n"
        f"asked = pathlib.Path({str(tmp_path / 'asked')!r})\n"
        "asked.write_text((asked.read_text() if asked.exists() else '') + 'x')\n"
        "print(json.dumps({'Version': 1, 'AccessKeyId': 'ASIA2', 'SecretAccessKey': 's',"
        f" 'SessionToken': asked.read_text(), 'Expiration': {json.dumps(expiry.isoformat())}}}))\n"
    )
    no_credentials.write_text(f"[default]\ncredential_process = {sys.executable} {program}\n")
    source = CredentialSource({})
    first, second = source.current(), source.current()
    assert (first.access_key, second.access_key) == ("ASIA2", "ASIA2")
    assert len(second.token) > len(first.token)


@pytest.mark.usefixtures("no_credentials")
def test_with_snapstart_lambda_gives_them_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lambda's guide, "SnapStart", "Credentials": a snapshot would outlive what is in the environment."""
    with giving_credentials() as giver:
        source = CredentialSource({})
        source.warm_up()
        assert giver.asked == []
        for name, value in giver.variables.items():
            monkeypatch.setenv(name, value)
        assert [source.current(), source.current()] == [Credentials("ASIA3", "s", "t")] * 2
    assert giver.asked == ["restored"]


@pytest.mark.usefixtures("no_credentials")
@pytest.mark.parametrize(
    "given",
    [
        {},
        GIVEN | {"Expiration": "2001-01-01T00:00:00Z"},
        GIVEN | {"Expiration": "hush"},
        GIVEN | {"Expiration": None},
        GIVEN | {"SecretAccessKey": ["hush", "ü"]},
    ],
    ids=["nothing", "expired", "an expiry that is no time", "no expiry", "a key that is no text"],
)
def test_what_lambda_gives_is_refused_if_it_cannot_be_used(
    given: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with giving_credentials(given) as giver:
        for name, value in giver.variables.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(NotConfigured) as caught:
            CredentialSource({}).current()
    assert "hush" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", LAMBDA)
@pytest.mark.parametrize("more", ["\n", " ", "ü", "\x00"])
def test_characters_that_no_header_can_hold_are_refused_and_not_shown(name: str, more: str) -> None:
    with pytest.raises(NotConfigured) as caught:
        CredentialSource(LAMBDA | {name: f"hush{more}hush"}).current()
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("use", ["current", "warm_up"])
def test_botocore_is_imported_only_where_the_environment_has_none(use: str) -> None:
    program = (
        "import sys\n"
        "from mcpcore_aws.dynamodb import CredentialSource\n"
        f"CredentialSource({LAMBDA!r}).{use}()\n"
        "print(sorted({'boto3', 'botocore', 'urllib3'} & set(sys.modules)))\n"
        "sys.modules['botocore.exceptions'] = None\n"
        "from mcpcore_aws.errors import NotConfigured\n"
        "try:\n"
        f"    CredentialSource({{}}).{use}()\n"
        "except NotConfigured as error:\n"
        "    print(error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=plain_environment() | {"PYTHONPATH": str(ROOT / "layers/core")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == "[]\nthe environment has no credentials, and botocore is missing\n"
