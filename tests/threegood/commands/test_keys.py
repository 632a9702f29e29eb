"""`threegood keys` against a table on moto's server; and what the edge makes of the keys."""

import json
import os
import re
from pathlib import Path
from typing import Any, Final

import pytest

from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import Unauthorized
from mcpcore.request.principal import Principal
from mcpcore_aws import LambdaInvocation
from mcpcore_aws.authorization.api_keys import ApiKeyVerifier
from tests.support.commands import Ended, threegood
from tests.support.dynamodb import closed_port, fresh_api_keys_table, items_of, use_dynamodb
from tests.support.exchanges import LambdaContext
from tests.support.stack import client

DAY: Final = 86_400
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def keys_table(dynamodb: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty table of keys, which commands and verifiers find."""
    use_dynamodb(monkeypatch, dynamodb)
    monkeypatch.setenv("AWS_ENDPOINT_URL", dynamodb)
    return fresh_api_keys_table(dynamodb)


def create(table: str, *arguments: str, name: str = "nightly report") -> Ended:
    return threegood("keys", "create", "--table", table, "--name", name, *arguments)


def listed(table: str) -> list[dict[str, Any]]:
    """The keys, as `--json` has them."""
    found: list[dict[str, Any]] = json.loads(threegood("keys", "list", "--table", table, "--json").out)
    return found


def show_key(table: str, key: str, now: float = 0) -> Principal | None:
    """What the edge makes of a request with `key`; at `now`, by default as soon as it is made."""
    made_at = int(items_of(os.environ["AWS_ENDPOINT_URL"], table)[0]["created_at"]["N"])
    request = HttpRequest("POST", {"authorization": f"Bearer {key}"}, b"")
    invocation = LambdaInvocation({}, LambdaContext())
    return ApiKeyVerifier(table).verify(request, invocation, now or made_at)


# Create


def test_a_key_is_printed_once_and_alone_and_its_table_has_no_trace_of_it(
    dynamodb: str, keys_table: str
) -> None:
    made = create(keys_table, "--scopes", "read,write read", "--expires", "90d")
    key = made.out.removesuffix("\n")
    [item] = items_of(dynamodb, keys_table)

    assert (made.code, re.fullmatch(r"3gs_[\w-]{43}", key) is not None) == (0, True)
    assert key not in made.err + json.dumps(item)
    assert item["key_hash"]["S"].startswith(listed(keys_table)[0]["id"])
    assert re.fullmatch(
        rf"Key [0-9a-f]{{16}} \(nightly report\) expires at {TIME.pattern}\. "
        r"It is printed only now, and kept nowhere: store it as a secret\.\n",
        made.err,
    )
    assert int(item["expires_at"]["N"]) - int(item["created_at"]["N"]) == 90 * DAY


def test_the_edge_takes_a_key_that_was_made_and_lists_its_use(keys_table: str) -> None:
    key = create(keys_table, "--scopes", "read write").out.strip()
    [before] = listed(keys_table)
    assert show_key(keys_table, key) == Principal(
        before["id"], "api-keys", "nightly report", frozenset({"read", "write"})
    )
    assert (before["last_used"], listed(keys_table)[0]["last_used"]) == (None, before["created"])


def test_every_key_is_another(keys_table: str) -> None:
    keys = {create(keys_table).out for _ in range(3)}
    assert (len(keys), len(listed(keys_table))) == (3, 3)


@pytest.mark.parametrize(
    ("expires", "seconds"),
    [((), 365 * DAY), (("--expires", "12h"), DAY // 2), (("--expires", "4w"), 28 * DAY)],
)
def test_a_key_expires_after_the_time_that_was_asked_for_or_a_year(
    dynamodb: str, keys_table: str, expires: tuple[str, ...], seconds: int
) -> None:
    create(keys_table, *expires)
    [item] = items_of(dynamodb, keys_table)
    assert int(item["expires_at"]["N"]) - int(item["created_at"]["N"]) == seconds


def test_a_key_lives_for_ever_only_if_that_is_asked_for(keys_table: str) -> None:
    made = create(keys_table, "--expires", "never")
    assert "never expires" in made.err
    assert listed(keys_table)[0]["expires"] is None
    assert show_key(keys_table, made.out.strip(), now=9_000_000_000) is not None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--expires", "soon"), "'soon' is no duration: write 12h, 90d, 4w or never"),
        (("--expires", "0d"), "'0d' is no duration"),
        (("--scopes", 'read "all"'), "'\"all\"' is no scope"),
        (("--scopes", "lesé"), "'lesé' is no scope"),
        (("--name", ""), "a name has 1 to 100 printable characters"),
        (("--name", "two\nlines"), "a name has 1 to 100 printable characters"),
    ],
)
def test_wrong_arguments_make_no_key(
    dynamodb: str, keys_table: str, arguments: tuple[str, ...], says: str
) -> None:
    ended = create(keys_table, *arguments)
    assert (ended.code, ended.out, says in ended.err) == (2, "", True)
    assert items_of(dynamodb, keys_table) == []


# List


def test_a_list_has_what_is_known_of_each_key(keys_table: str) -> None:
    create(keys_table, "--scopes", "b a", name="first")
    create(keys_table, "--expires", "never", name="second")
    ended = threegood("keys", "list", "--table", keys_table)
    head, *lines = ended.out.splitlines()
    rows = {cells[1]: cells[2:] for cells in (re.split(r"\s{2,}", line) for line in lines)}

    assert (ended.code, re.split(r"\s{2,}", head)) == (
        0, ["id", "name", "scopes", "created", "expires", "last used", "revoked"],
    )  # fmt: skip
    assert [TIME.sub("TIME", " ".join(rows[name])) for name in ("first", "second")] == [
        "a b TIME TIME - -",
        "- TIME - - -",
    ]


def test_a_list_as_json_has_the_same(keys_table: str) -> None:
    create(keys_table, "--scopes", "b a")
    [key] = listed(keys_table)
    assert set(key) == {"id", "name", "scopes", "created", "expires", "last_used", "revoked"}
    assert (key["name"], key["scopes"], key["last_used"], key["revoked"]) == (
        "nightly report", ["a", "b"], None, None,
    )  # fmt: skip


def test_an_empty_table_is_an_empty_list(keys_table: str) -> None:
    ended = threegood("keys", "list", "--table", keys_table)
    assert (ended.code, ended.out, ended.err) == (0, "", f"{keys_table}: it has no keys\n")
    assert listed(keys_table) == []


# Revoke


def test_a_revoked_key_is_refused_and_stays_in_the_list(keys_table: str) -> None:
    key = create(keys_table).out.strip()
    key_id = listed(keys_table)[0]["id"]
    first, second = (threegood("keys", "revoke", key_id, "--table", keys_table) for _ in range(2))

    with pytest.raises(Unauthorized) as refused:
        show_key(keys_table, key)
    assert refused.value.description == "the API key was revoked; ask for a new one"
    revoked_at = listed(keys_table)[0]["revoked"]
    assert [first, second] == [
        (0, f"{key_id} (nightly report) is revoked since {revoked_at}\n", ""),
        (0, f"{key_id} (nightly report) was revoked before, at {revoked_at}\n", ""),
    ]


def test_no_other_key_is_revoked(keys_table: str) -> None:
    create(keys_table, name="lost")
    create(keys_table, name="good")
    lost = next(key["id"] for key in listed(keys_table) if key["name"] == "lost")
    threegood("keys", "revoke", lost, "--table", keys_table)
    assert [key["name"] for key in listed(keys_table) if key["revoked"]] == ["lost"]


def test_an_unknown_id_revokes_nothing(keys_table: str) -> None:
    create(keys_table)
    ended = threegood("keys", "revoke", "0" * 16, "--table", keys_table)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        f"{keys_table}: no key has the id 0000000000000000. `threegood keys list` has them.\n"
    )


@pytest.mark.parametrize("given", ["", "0123", "0123456789ABCDEF"])
def test_what_is_no_id_revokes_nothing(keys_table: str, given: str) -> None:
    create(keys_table)
    ended = threegood("keys", "revoke", given, "--table", keys_table)
    assert (ended.code, "an id is 16 hexadecimal digits" in ended.err) == (2, True)
    assert listed(keys_table)[0]["revoked"] is None


def test_a_key_given_for_its_id_is_not_repeated(keys_table: str) -> None:
    key = create(keys_table).out.strip()
    ended = threegood("keys", "revoke", key, "--table", keys_table)
    assert (ended.code, key in ended.out + ended.err) == (2, False)


# Which table


def test_a_stack_names_its_table_itself_or_by_its_outputs(
    dynamodb: str, keys_table: str, tmp_path: Path
) -> None:
    create(keys_table)
    outputs = {"ApiKeysTableName": {"Value": keys_table}}
    cloudformation = client("cloudformation", dynamodb)
    template = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}, "Outputs": outputs}
    cloudformation.create_stack(StackName="with-keys", TemplateBody=json.dumps(template))
    file = tmp_path / "outputs.json"
    file.write_text(json.dumps([{"OutputKey": "ApiKeysTableName", "OutputValue": keys_table}]))

    by_table = threegood("keys", "list", "--table", keys_table)
    assert by_table.out.count("nightly report") == 1
    assert threegood("keys", "list", "--stack", "with-keys") == by_table
    assert threegood("keys", "list", "--outputs", file) == by_table


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("[]", "it has no ApiKeysTableName. Deploy with the parameter ApiKeys=enabled."),
        ("[{}]", "these are no outputs of a stack"),
        ("[", "these are no outputs of a stack"),
    ],
)
def test_outputs_without_a_table_are_told(tmp_path: Path, written: str, says: str) -> None:
    file = tmp_path / "outputs.json"
    file.write_text(written)
    ended = threegood("keys", "list", "--outputs", file)
    assert (ended.code, ended.out, says in ended.err) == (2, "", True)


@pytest.mark.parametrize("arguments", [(), ("--table", "a", "--stack", "b")])
def test_exactly_one_option_names_the_table(arguments: tuple[str, ...]) -> None:
    ended = threegood("keys", "list", *arguments)
    assert (ended.code, "one of --table, --stack and --outputs" in ended.err) == (2, True)


# Without AWS


def test_a_table_or_stack_that_is_not_there_is_told(keys_table: str) -> None:
    del keys_table
    for place, says in (("--table", "there is no such table"), ("--stack", "does not exist")):
        ended = threegood("keys", "list", place, "another")
        assert (ended.code, ended.err.startswith("another: "), says in ended.err) == (2, True, True)


def test_missing_credentials_and_regions_are_told(
    keys_table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    without_credentials = create(keys_table)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name)
    assert [without_credentials, create(keys_table)] == [
        (2, "", "No AWS credentials: set AWS_PROFILE, or sign in with the AWS CLI.\n"),
        (2, "", "No AWS region: set AWS_REGION.\n"),
    ]


def test_an_endpoint_out_of_reach_is_told_and_no_key_printed(
    keys_table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = f"http://127.0.0.1:{closed_port()}"
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    ended = create(keys_table)
    assert (ended.code, ended.out, endpoint in ended.err) == (2, "", True)
