"""What a target writes for one request, told by a handler whose lines are known."""

import json
from pathlib import Path

import pytest

from bench.serving.environments import WANTED, Environment
from bench.serving.events import CALL, INITIALIZE
from bench.serving.lab import Lab
from bench.serving.targets import Target
from bench.serving.written import measured, metrics
from tests.support.emulator import runtime_python

EMF = {
    "_aws": {
        "CloudWatchMetrics": [
            {
                "Namespace": "N",
                "Dimensions": [["era", "tool"], ["era"]],
                "Metrics": [{"Name": "a"}, {"Name": "b"}],
            }
        ]
    },
    "era": "modern",
    "tool": "get",
    "a": 1,
    "b": 2,
}

HANDLER = """
import sys
def lambda_handler(event, context):
    print("started for the second time", flush=False)
    sys.stderr.write("ü\\n")
    return {"statusCode": 200, "headers": {"a": "b"}, "body": '{"result": "ü"}'}
"""


def test_a_metric_is_counted_by_its_name_and_each_set_of_its_dimensions() -> None:
    assert sorted(metrics([json.dumps(EMF), "no JSON", "[]", '{"message": "a line"}'])) == [
        "a (era=modern)",
        "a (era=modern, tool=get)",
        "b (era=modern)",
        "b (era=modern, tool=get)",
    ]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(runtime_python(WANTED), tmp_path / "runtime", {})


def test_both_streams_and_the_whole_reply_are_counted_for_one_request(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "spoken.py").write_text(HANDLER)
    target = Target("spoken", "spoken.lambda_handler", None, (INITIALIZE,), (CALL,))
    found = measured(lab, {target: Environment(tmp_path, tmp_path)})
    # "started for the second time" and "ü", each with the end of its line; "a: b", an empty line, the body
    told = {"log_bytes": 28 + 3, "log_lines": 2, "reply_bytes": 6 + 2 + 16, "metrics": []}
    assert found == {"spoken": {CALL: told, INITIALIZE: told}}
