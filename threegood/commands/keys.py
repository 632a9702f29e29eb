"""`threegood keys`: makes, lists and revokes the API keys of a deployed node."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from mcpcore.request.principal import SCOPE_CHARACTERS, is_scope
from mcpcore_aws.authorization.api_key_items import ApiKey
from threegood.commands.output import CannotBegin, remark, show
from threegood.commands.registry_file import A_PATH
from threegood.node.api_keys import ApiKeyTable, UnknownKey, new_key, outputs_of_stack

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

_OUTPUT: Final = "ApiKeysTableName"
_MAX_NAME_CHARACTERS: Final = 100
_DURATION: Final = re.compile(r"([1-9][0-9]{0,4})([hdw])")
_SECONDS: Final = {"h": 3600, "d": 86_400, "w": 604_800}
_ID: Final = re.compile(r"[0-9a-f]{16}")

_NO_CREDENTIALS: Final = "No AWS credentials: set AWS_PROFILE, or sign in with the AWS CLI."
_NO_REGION: Final = "No AWS region: set AWS_REGION."
_REFUSED: Final = {
    "ResourceNotFoundException": "there is no such table. Is it in this region and account? A stack has one"
    " when its parameter ApiKeys is enabled.",
    "AccessDeniedException": "these AWS credentials may not use it.",
}


@click.group()
def keys() -> None:
    """Make, list and revoke the API keys of a deployed node.

    Credentials, region and endpoint are found as the AWS CLI finds them: in AWS_PROFILE, AWS_REGION,
    AWS_ENDPOINT_URL_DYNAMODB and its files.
    """


def _name(_ctx: click.Context, _option: click.Parameter, value: str) -> str:
    if not value.isprintable() or value.strip() != value or not 0 < len(value) <= _MAX_NAME_CHARACTERS:
        raise click.BadParameter(f"a name has 1 to {_MAX_NAME_CHARACTERS} printable characters")
    return value


def _scopes(_ctx: click.Context, _option: click.Parameter, value: str) -> frozenset[str]:
    found = value.replace(",", " ").split()
    for scope in found:
        if not is_scope(scope):
            raise click.BadParameter(f"{scope!r} is no scope: {SCOPE_CHARACTERS}")
    return frozenset(found)


def _lifetime_seconds(_ctx: click.Context, _option: click.Parameter, value: str) -> int | None:
    if value == "never":
        return None
    duration = _DURATION.fullmatch(value)
    if duration is None:
        raise click.BadParameter(f"{value!r} is no duration: write 12h, 90d, 4w or never")
    return int(duration[1]) * _SECONDS[duration[2]]


def _key_id(_ctx: click.Context, _argument: click.Parameter, value: str) -> str:
    if not _ID.fullmatch(value):  # unquoted: it may be a key
        raise click.BadParameter("an id is 16 hexadecimal digits, as `threegood keys list` prints it")
    return value


def _with_table(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options that name the table, which it gets as `table`, an `ApiKeyTable`."""

    @click.option("--table", metavar="NAME", help="The table of the keys.")
    @click.option("--stack", metavar="NAME", help="The stack that made the table.")
    @click.option("--outputs", type=A_PATH, help="The outputs of that stack, as JSON.")
    @wraps(command)
    def run(table: str | None, stack: str | None, outputs: Path | None, **others: Any) -> None:
        given = [str(place) for place in (table, stack, outputs) if place is not None]
        if len(given) != 1:
            raise click.UsageError("Name the table: by one of --table, --stack and --outputs.")
        with _explained(given[0]):
            if stack is not None:
                table = _table_of(outputs_of_stack(stack), stack)
            elif outputs is not None:
                table = _table_of(_read_outputs(outputs), outputs)
            command(table=ApiKeyTable(table or ""), **others)

    return run


@keys.command(epilog='Example: threegood keys create --stack three-good-sources --name "nightly report"')
@_with_table
@click.option("--name", required=True, callback=_name, help="Who or what uses the key.")
@click.option("--scopes", default="", callback=_scopes, help="What it may do, as words with spaces between.")
@click.option("--expires", default="365d", callback=_lifetime_seconds, help="12h, 90d, 4w or never.")
def create(table: ApiKeyTable, name: str, scopes: frozenset[str], expires: int | None) -> None:
    """Make a key and print it, this once: the table holds only its hash."""
    key, stored = new_key(name, scopes, now=int(time.time()), lifetime_seconds=expires)
    table.add(stored)
    show([key])
    end = "never expires" if expires is None else f"expires at {_written(stored.expires_at)}"
    remark(f"Key {stored.id} ({name}) {end}. It is printed only now, and kept nowhere: store it as a secret.")


@keys.command("list", epilog="Example: threegood keys list --stack three-good-sources")
@_with_table
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_keys(table: ApiKeyTable, as_json: bool) -> None:
    """List what is known of each key, the newest first."""
    found = [_described(key) for key in table.all()]
    if as_json:
        show(json.dumps(found, indent=2).splitlines())
    elif found:
        show(_in_columns(found))
    else:
        remark(f"{table.name}: it has no keys")


@keys.command(epilog="Example: threegood keys revoke 0123456789abcdef --stack three-good-sources")
@_with_table
@click.argument("key_id", metavar="ID", callback=_key_id)
def revoke(table: ApiKeyTable, key_id: str) -> None:
    """Revoke a key for good: it is refused from the next request on.

    ID is as `threegood keys list` prints it: the first 16 digits of the key's SHA-256.
    """
    key, revoked_now = table.revoke(key_id, now=int(time.time()))
    done = "is revoked since" if revoked_now else "was revoked before, at"
    show([f"{key.id} ({key.name}) {done} {_written(key.revoked_at)}"])


def _described(key: ApiKey) -> dict[str, str | list[str] | None]:
    """A key as `list` prints it."""
    times = {
        "created": key.created_at,
        "expires": key.expires_at,
        "last_used": key.last_used_at,
        "revoked": key.revoked_at,
    }
    return {
        "id": key.id,
        "name": key.name,
        "scopes": sorted(key.scopes),
        **{name: _written(seconds) for name, seconds in times.items()},
    }


def _written(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _in_columns(rows: list[dict[str, str | list[str] | None]]) -> Iterator[str]:
    lines = [[name.replace("_", " ") for name in rows[0]]]
    lines += [
        [(" ".join(value) if isinstance(value, list) else value) or "-" for value in row.values()]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _read_outputs(file: Path) -> dict[str, str]:
    try:
        return {each["OutputKey"]: each["OutputValue"] for each in json.loads(file.read_bytes())}
    except (ValueError, TypeError, KeyError) as error:
        raise CannotBegin(
            f"{file}: these are no outputs of a stack, as `sam list stack-outputs` prints."
        ) from error


def _table_of(outputs: Mapping[str, str], place: str | Path) -> str:
    if _OUTPUT not in outputs:
        raise CannotBegin(f"{place}: it has no {_OUTPUT}. Deploy with the parameter ApiKeys=enabled.")
    return outputs[_OUTPUT]


@contextmanager
def _explained(place: str) -> Iterator[None]:
    """What AWS, or the way to it, may answer to any of the commands, as a sentence for who runs it."""
    from botocore import exceptions as aws  # the other commands do not need it

    try:
        yield
    except UnknownKey as unknown:
        raise CannotBegin(
            f"{place}: no key has the id {unknown}. `threegood keys list` has them."
        ) from unknown
    except aws.NoCredentialsError as error:
        raise CannotBegin(_NO_CREDENTIALS) from error
    except aws.NoRegionError as error:
        raise CannotBegin(_NO_REGION) from error
    except aws.ClientError as error:
        _refuse(place, error)
    except aws.BotoCoreError as error:
        raise CannotBegin(f"{place}: {error}") from error


def _refuse(place: str, error: "ClientError") -> NoReturn:
    found = error.response["Error"]
    code, message = found.get("Code", ""), found.get("Message", "")
    raise CannotBegin(f"{place}: {_REFUSED.get(code) or f'{code}: {message}'}") from error
