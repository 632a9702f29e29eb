"""DynamoDB on this machine: the command, and the table that it makes."""

import signal
import subprocess
from typing import Any

from tests.support.processes import ROOT
from tests.support.sam_template import load_template
from tests.support.serving import command, environment
from tests.support.stack import client
from threegood_local.dynamodb import create_sessions_table
from threegood_local.environment import SESSIONS_TABLE


def described(endpoint: str, table: str) -> dict[str, Any]:
    """What a template would say of a table."""
    found = client("dynamodb", endpoint)
    table_ = found.describe_table(TableName=table)["Table"]
    ttl = found.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    return {
        "BillingMode": table_["BillingModeSummary"]["BillingMode"],
        "AttributeDefinitions": table_["AttributeDefinitions"],
        "KeySchema": table_["KeySchema"],
        "TimeToLiveSpecification": {
            "AttributeName": ttl["AttributeName"],
            "Enabled": ttl["TimeToLiveStatus"] == "ENABLED",
        },
    }


def test_the_table_is_as_the_template_declares_it(dynamodb: str, table: str) -> None:
    declared = load_template()["Resources"]["SessionsTable"]["Properties"]
    made = described(dynamodb, table)
    assert made == {name: declared[name] for name in made}


def test_a_table_may_have_another_name(dynamodb: str, table: str) -> None:
    create_sessions_table(dynamodb, f"{table}-another")
    assert described(dynamodb, f"{table}-another") == described(dynamodb, table)


def test_the_command_says_where_it_is_and_stops_cleanly() -> None:
    with subprocess.Popen(
        command("threegood_local.dynamodb"),
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        endpoint = process.stdout.readline().strip()
        tables = client("dynamodb", endpoint).list_tables()["TableNames"]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert tables == [SESSIONS_TABLE]
    assert (out, err, process.returncode) == ("", "", 0)
