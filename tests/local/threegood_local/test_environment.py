"""The environment of a local run: what is set already stays."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from mcpcore_aws.settings import read_settings
from threegood_local.environment import SESSIONS_TABLE, prepare

NAMES: Final = (
    "REGISTRY_DIR",
    "SESSIONS_TABLE",
    "SESSION_TTL_SECONDS",
    "STATE_SECRET",
    "POWERTOOLS_SERVICE_NAME",
    "POWERTOOLS_METRICS_DISABLED",
    "AWS_DEFAULT_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_EC2_METADATA_DISABLED",
)


@pytest.fixture(autouse=True)
def _environment_as_it_was() -> Iterator[None]:
    kept = dict(os.environ)
    for name in NAMES:
        os.environ.pop(name, None)
    yield
    os.environ.clear()
    os.environ.update(kept)


def test_the_handler_finds_all_it_needs() -> None:
    prepare()
    settings = read_settings(os.environ)
    assert settings.sessions_table == SESSIONS_TABLE
    assert (Path(settings.registry_dir) / "manifest.json").is_file()


def test_a_tool_can_ask_without_any_preparation() -> None:
    prepare()
    assert len(read_settings(os.environ).state_keys) == 1


def test_what_is_given_is_set_too() -> None:
    prepare(SESSION_TTL_SECONDS="60")
    assert read_settings(os.environ).session_ttl_seconds == 60


def test_what_is_given_comes_before_the_default() -> None:
    prepare(SESSIONS_TABLE="given")
    assert os.environ["SESSIONS_TABLE"] == "given"


def test_what_a_person_has_set_stays() -> None:
    os.environ.update(SESSIONS_TABLE="mine", AWS_DEFAULT_REGION="eu-central-1")
    prepare(SESSIONS_TABLE="given")
    assert (os.environ["SESSIONS_TABLE"], os.environ["AWS_DEFAULT_REGION"]) == ("mine", "eu-central-1")
