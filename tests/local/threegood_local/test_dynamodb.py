"""The embedded DynamoDB: the table that it creates, and the command that runs it."""

import signal
import subprocess

from tests.support.processes import ROOT
from tests.support.sam_template import load_template
from tests.support.serving import command, environment
from tests.support.stack import client
from threegood_local.dynamodb import create_sessions_table
from threegood_local.environment import SESSIONS_TABLE


def test_the_table_is_as_the_template_declares_it(dynamodb: str, table: str) -> None:
    name = f"{table}-another"
    create_sessions_table(dynamodb, name)
    created = client("dynamodb", dynamodb).describe_table(TableName=name)["Table"]
    expiry = client("dynamodb", dynamodb).describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    as_declared = {
        "BillingMode": created["BillingModeSummary"]["BillingMode"],
        "AttributeDefinitions": created["AttributeDefinitions"],
        "KeySchema": created["KeySchema"],
        "TimeToLiveSpecification": {
            "AttributeName": expiry["AttributeName"],
            "Enabled": expiry["TimeToLiveStatus"] == "ENABLED",
        },
    }
    declared = load_template()["Resources"]["SessionsTable"]["Properties"]
    assert as_declared == {name: declared[name] for name in as_declared}


def test_the_command_prints_its_endpoint_and_stops_cleanly() -> None:
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
