"""How long the lines are that AWS writes."""

import json
import re

import pytest

from bench import log_lines
from bench.log_lines import access_bytes, platform_bytes
from tests.support.sam_template import load_template


def test_an_access_log_has_an_example_in_the_place_of_each_variable() -> None:
    assert access_bytes("$context.status by $context.identity.sourceIp") == len("200 by 203.0.113.195")


def test_every_variable_of_the_template_has_an_example() -> None:
    line = load_template()["Resources"]["McpApi"]["Properties"]["AccessLogSettings"]["Format"]
    names = re.findall(r"\$context\.", line)
    assert access_bytes(line) > len(re.sub(r"\$context\.[\w.]+", "", line)) + len(names)


def test_a_variable_without_an_example_is_not_passed_over() -> None:
    with pytest.raises(KeyError, match=r"authorizer\.error"):
        access_bytes("$context.authorizer.error")


def test_lambda_writes_two_objects_for_a_request() -> None:
    start, report = (json.loads(line) for line in log_lines._PLATFORM)
    assert (start["type"], report["type"]) == ("platform.start", "platform.report")
    assert platform_bytes() == len("".join(log_lines._PLATFORM))
